import { AAC, ALAC, type Base, type Format, oggBase, vorbisPackets } from './bases.ts'
import type { Dice } from './dice.ts'
import { atom, mp4Of } from './mp4-writer.ts'
import { type Mutant, mutant } from './mutant.ts'
import { type OggPacket, packetsOf } from './ogg-writer.ts'

type Make = (base: Base, dice: Dice) => Mutant

const MEGABYTE = 1_000_000

/** Tags and covers that are giant, or say so. */
export const TAGS: Readonly<Record<Format, readonly Make[]>> = {
  wav: [
    (base) => chunked(base, 'a chunk of 30 MB', 'LIST', Buffer.alloc(30 * MEGABYTE, 'INFO')),
    (base) => chunked(base, 'ID3 chunk of 30 MB', 'id3 ', id3([picture(30 * MEGABYTE)])),
  ],
  aiff: [
    before('ID3 claims 256 MB', id3Head(268_435_455)),
    before('ID3 of 2 MB', id3([picture(2 * MEGABYTE)])),
  ],
  au: [
    before('ID3 claims 256 MB', id3Head(268_435_455)),
    before('ID3 of 2 MB', id3([picture(2 * MEGABYTE)])),
  ],
  mp3: [
    before('ID3 claims 256 MB', id3Head(268_435_455)),
    before('cover of 30 MB', id3([picture(30 * MEGABYTE)]), 'whole'),
    before('title of 5 MB', id3([text('TIT2', 'x'.repeat(5 * MEGABYTE))]), 'whole'),
    before(
      '100,000 frames',
      id3(Array.from({ length: 100_000 }, (_, i) => text('TXXX', `${i}\0x`))),
      'whole',
    ),
    before(
      'genre of 100,000',
      id3([text('TCON', Array(100_000).fill('Jazz').join('\0'))]),
      'whole',
    ),
    before('64 tags', Buffer.concat(Array(63).fill(id3([text('TIT2', 'again')]))), 'whole'),
    (base, dice) => before('ID3 of noise', noisyId3(dice), 'whole')(base, dice),
    (base) =>
      mutant(base, 'APE claims 4 GB', Buffer.concat([base.bytes, ape(0xffffffff)]), {
        demand: 'whole',
      }),
  ],
  flac: [
    before('ID3 claims 256 MB', id3Head(268_435_455)),
    (base) =>
      flacBlocks(base, 'cover of 32 MB', [
        [6, flacPicture(16_000_000)],
        [6, flacPicture(16_000_000)],
      ]),
    (base) =>
      flacBlocks(base, 'comment of 16 MB', [
        [4, vorbisComment(['TITLE='.padEnd(16 * MEGABYTE, 'x')])],
      ]),
    (base) =>
      flacBlocks(base, '300,000 comments', [[4, vorbisComment(Array(300_000).fill('ARTIST=a'))]]),
    (base, dice) => {
      const bytes = vorbisComment(['TITLE=a'])
      bytes.writeUInt32LE(0xffffffff, dice.pick([0, 4, 8]))
      return flacBlocks(base, 'comment lengths', [[4, bytes]])
    },
    (base) => {
      const blocks = Array.from({ length: 100_000 }, () => [1, Buffer.alloc(0)] as const)
      return { ...flacBlocks(base, '100,000 empty blocks', blocks), demand: 'error' }
    },
  ],
  ogg: [
    (base) => commented(base, 'comment of 8 MB', ['TITLE='.padEnd(8 * MEGABYTE, 'x')]),
    (base) => commented(base, '100,000 comments', Array(100_000).fill('ARTIST=a')),
    (base) =>
      commented(base, 'cover of 20 MB', [
        `METADATA_BLOCK_PICTURE=${flacPicture(15_000_000).toString('base64')}`,
      ]),
  ],
  opus: [
    (base) => commented(base, 'comment of 8 MB', ['TITLE='.padEnd(8 * MEGABYTE, 'x')]),
    (base) => commented(base, '100,000 comments', Array(100_000).fill('ARTIST=a')),
  ],
  aac: [
    (base) => listed(base, 'cover of 30 MB', 'covr', Buffer.alloc(30 * MEGABYTE)),
    (base) => listed(base, 'title of 5 MB', '\u00a9nam', Buffer.alloc(5 * MEGABYTE, 'x')),
  ],
  alac: [(base) => listed(base, 'cover of 70 MB', 'covr', Buffer.alloc(70 * MEGABYTE))],
}

function before(mutation: string, tag: Uint8Array, demand: Mutant['demand'] = 'any'): Make {
  return (base) => mutant(base, mutation, Buffer.concat([tag, base.bytes]), { demand })
}

function sevenBits(value: number): Buffer {
  return Buffer.from([21, 14, 7, 0].map((shift) => (value >> shift) & 127))
}

function id3Head(size: number): Buffer {
  return Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 4, 0, 0]), sevenBits(size)])
}

function id3(frames: readonly Buffer[]): Buffer {
  const body = Buffer.concat(frames)
  return Buffer.concat([id3Head(body.length), body])
}

function frame(id: string, body: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(id), sevenBits(body.length), Buffer.alloc(2), body])
}

function text(id: string, value: string): Buffer {
  return frame(id, Buffer.from(`\u0003${value}`))
}

function picture(size: number): Buffer {
  return frame(
    'APIC',
    Buffer.concat([Buffer.from('\0image/png\0\u0003\0', 'latin1'), Buffer.alloc(size, 7)]),
  )
}

function noisyId3(dice: Dice): Buffer {
  const body = dice.bytes(dice.between(10, 20_000))
  // No frame of sound begins in it, so that all of the sound is behind it.
  for (const [i, byte] of body.entries()) if (byte === 0xff) body[i] = 0
  return Buffer.concat([id3Head(body.length), body])
}

/** An APEv2 footer that claims a tag of `size` bytes. */
function ape(size: number): Buffer {
  const footer = Buffer.alloc(32)
  footer.write('APETAGEX')
  footer.writeUInt32LE(2000, 8)
  footer.writeUInt32LE(size, 12)
  footer.writeUInt32LE(0xffffffff, 16)
  return footer
}

function chunked(base: Base, mutation: string, id: string, body: Buffer): Mutant {
  const head = Buffer.from(`${id}\0\0\0\0`, 'latin1')
  head.writeUInt32LE(body.length, 4)
  const padding = Buffer.alloc(body.length % 2)
  const { bytes } = base
  const made = Buffer.concat([bytes.subarray(0, 36), head, body, padding, bytes.subarray(36)])
  return mutant(base, mutation, made, { demand: 'whole' })
}

function flacBlocks(
  base: Base,
  mutation: string,
  blocks: readonly (readonly [number, Buffer])[],
): Mutant {
  const heads = blocks.flatMap(([type, body], i) => {
    const last = i === blocks.length - 1 ? 0x80 : 0
    return [
      Buffer.from([last | type, body.length >> 16, (body.length >> 8) & 255, body.length & 255]),
      body,
    ]
  })
  const { bytes } = base
  const made = Buffer.concat([bytes.subarray(0, 42), ...heads, bytes.subarray(42)])
  made[4] = 0
  return mutant(base, mutation, made, { demand: 'whole' })
}

function flacPicture(size: number): Buffer {
  const head = Buffer.alloc(32)
  head.writeUInt32BE(3, 0)
  head.writeUInt32BE(size, 28)
  return Buffer.concat([head, Buffer.alloc(size, 7)])
}

function vorbisComment(comments: readonly string[]): Buffer {
  const counted = (words: string) => {
    const head = Buffer.alloc(4)
    head.writeUInt32LE(Buffer.byteLength(words))
    return Buffer.concat([head, Buffer.from(words)])
  }
  const count = Buffer.alloc(4)
  count.writeUInt32LE(comments.length)
  return Buffer.concat([counted(''), count, ...comments.map(counted)])
}

function commented(base: Base, mutation: string, comments: readonly string[]): Mutant {
  const vorbis = base.format === 'ogg'
  const packets: OggPacket[] = vorbis ? vorbisPackets(base.bytes) : opusOf(base.bytes)
  const [, comment] = packets
  if (comment) {
    const head = vorbis ? '\u0003vorbis' : 'OpusTags'
    const end = vorbis ? Buffer.from([1]) : Buffer.alloc(0)
    comment.bytes = Buffer.concat([Buffer.from(head), vorbisComment(comments), end])
  }
  const { bytes } = oggBase(vorbis ? 'ogg' : 'opus', packets, vorbis ? 3 : 2, base.sampleRate)
  return mutant(base, mutation, bytes, { demand: 'whole' })
}

function opusOf(bytes: Buffer): OggPacket[] {
  return packetsOf(bytes).map((packet, i) => ({
    bytes: packet.bytes,
    granule: BigInt(Math.max(0, i - 1) * 960),
  }))
}

function listed(base: Base, mutation: string, name: string, value: Buffer): Mutant {
  const data = atom('data', Buffer.from([0, 0, 0, 1, 0, 0, 0, 0]), value)
  const list = atom('udta', atom('meta', Buffer.alloc(4), atom('ilst', atom(name, data))))
  const { bytes } = mp4Of(base.format === 'aac' ? AAC : ALAC, { extra: [list], tablesLast: true })
  return mutant(base, mutation, bytes)
}
