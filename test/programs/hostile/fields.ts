import { AAC, ALAC, type Base, type Format, framesOf, oggBase, opusPackets } from './bases.ts'
import type { Dice } from './dice.ts'
import { atom, mp4Of } from './mp4-writer.ts'
import { type Mutant, mutant } from './mutant.ts'
import { packetsOf, pageStarts, repairPage } from './ogg-writer.ts'

type Make = (base: Base, dice: Dice) => Mutant

const WORDS = [0, 1, 7, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff]

/** Headers whose lengths and counts are not true, or not possible. */
export const FIELDS: Readonly<Record<Format, readonly Make[]>> = {
  wav: [
    field('size of the file', 4, 4, 'le', 'whole'),
    field('size of the format chunk', 16, 4, 'le'),
    field('channels', 22, 2, 'le'),
    field('sample rate', 24, 4, 'le'),
    field('block size', 32, 2, 'le'),
    field('bits', 34, 2, 'le'),
    (base, dice) => {
      const size = base.bytes.length - 44
      const claimed = size + dice.pick([2, 1000, 0x7fff0000, 0xffffff00 - size])
      const bytes = set(base.bytes, 40, 4, 'le', claimed)
      return mutant(base, 'size of the sound', bytes, { stated: claimed / 2, demand: 'told' })
    },
  ],
  aiff: [
    field('size of the file', 4, 4, 'be', 'whole'),
    field('size of the common chunk', 16, 4, 'be'),
    field('channels', 20, 2, 'be'),
    (base, dice) => {
      const claimed = framesOf(base) + dice.pick([1, 5000, 0x7fff0000])
      const bytes = set(base.bytes, 22, 4, 'be', claimed)
      return mutant(base, 'number of frames', bytes, { stated: claimed, demand: 'told' })
    },
    field('bits', 26, 2, 'be'),
    field('exponent of the rate', 28, 2, 'be'),
    field('size of the sound', 42, 4, 'be'),
    field('offset of the sound', 46, 4, 'be'),
  ],
  au: [
    field('start of the sound', 4, 4, 'be'),
    (base, dice) => {
      const claimed = base.bytes.length - 24 + dice.pick([2, 1000, 0x7fff0000])
      const bytes = set(base.bytes, 8, 4, 'be', claimed)
      return mutant(base, 'size of the sound', bytes, { stated: claimed / 2, demand: 'told' })
    },
    field('encoding', 12, 4, 'be'),
    field('sample rate', 16, 4, 'be'),
    field('channels', 20, 4, 'be'),
  ],
  mp3: [
    (base, dice) => {
      const claimed = dice.pick([0x7fffffff, 0xffffffff, 10_000_000])
      return mutant(base, 'number of frames', set(base.bytes, 29, 4, 'be', claimed), {
        ...{ stated: claimed * 1152, demand: 'told' },
      })
    },
    (base, dice) => {
      // With no other field than the number of frames, LAME's tag stands behind that.
      const bytes = Buffer.from(base.bytes)
      bytes.write('LAME3.100', 33)
      bytes.fill(dice.between(128, 256), 33 + 21, 33 + 24)
      return mutant(base, 'delay and padding', bytes)
    },
  ],
  flac: [
    (base, dice) => {
      const claimed = dice.pick([framesOf(base) + 50_000, 2 ** 31, 2 ** 32 - 1])
      return mutant(base, 'number of samples', set(base.bytes, 22, 4, 'be', claimed), {
        ...{ stated: claimed, demand: 'told' },
      })
    },
    field('number of samples unknown', 22, 4, 'be', 'whole', [0]),
    field('smallest block', 8, 2, 'be'),
    field('largest block', 10, 2, 'be'),
    field('smallest frame', 12, 3, 'be'),
    field('largest frame', 15, 3, 'be'),
    field('rate and channels', 18, 4, 'be'),
    field('size of the metadata', 5, 3, 'be'),
  ],
  ogg: [granules, ends, lacings, comments, identification],
  opus: [
    granules,
    ends,
    lacings,
    comments,
    identification,
    (base, dice) => {
      const packets = opusPackets()
      const [head] = packets
      if (head) head.bytes = set(head.bytes, 10, 2, 'le', dice.pick([4800, 48_000, 65_535]))
      return mutant(base, 'pre-skip', oggBase('opus', packets, 2, 48_000).bytes)
    },
  ],
  aac: mp4Fields(false),
  alac: mp4Fields(true),
}

/** Another value at a fixed place. */
function field(
  name: string,
  at: number,
  width: 2 | 3 | 4,
  order: 'le' | 'be',
  demand: Mutant['demand'] = 'any',
  values = WORDS,
): Make {
  return (base, dice) => {
    const bytes = set(base.bytes, at, width, order, dice.pick(values))
    return mutant(base, name, bytes, { frames: base.most?.(bytes) ?? framesOf(base), demand })
  }
}

function set(
  from: Uint8Array,
  at: number,
  width: 2 | 3 | 4,
  order: 'le' | 'be',
  value: number,
): Buffer {
  const bytes = Buffer.from(from)
  const fitting = value % 2 ** (8 * width)
  if (order === 'le') bytes.writeUIntLE(fitting, at, width)
  else bytes.writeUIntBE(fitting, at, width)
  return bytes
}

function granules(base: Base, dice: Dice): Mutant {
  const bytes = Buffer.from(base.bytes)
  const value = dice.pick([-1n, 0n, 1n, -(2n ** 63n), 2n ** 63n - 1n, 2n ** 40n, 1000n])
  const which = dice.pick(['the last', 'all', 'some'])
  const starts = pageStarts(bytes).slice(2)
  for (const at of which === 'the last' ? starts.slice(-1) : starts) {
    if (which === 'some' && dice.unit() < 0.5) continue
    bytes.writeBigInt64LE(value, at + 6)
    repairPage(bytes, at)
  }
  return mutant(base, 'granule positions', bytes)
}

function ends(base: Base, dice: Dice): Mutant {
  const bytes = Buffer.from(base.bytes)
  const flags = dice.pick([0, 1, 2, 4, 6, 7, 255])
  const at = dice.pick(pageStarts(bytes))
  bytes[at + 5] = flags
  repairPage(bytes, at)
  return mutant(base, 'page flags', bytes)
}

function lacings(base: Base, dice: Dice): Mutant {
  const bytes = Buffer.from(base.bytes)
  const at = dice.pick(pageStarts(bytes).slice(2))
  const segments = bytes[at + 26] ?? 0
  // Two pieces change places with their lengths, so that the page is as long as before.
  const [a, b] = [dice.between(0, segments), dice.between(0, segments)]
  const held = bytes[at + 27 + a] ?? 0
  bytes[at + 27 + a] = bytes[at + 27 + b] ?? 0
  bytes[at + 27 + b] = held
  repairPage(bytes, at)
  return mutant(base, 'lengths of packets', bytes)
}

function comments(base: Base, dice: Dice): Mutant {
  const headers = base.format === 'ogg' ? 3 : 2
  const packets = packetsOf(base.bytes)
  const comment = packets[1]
  if (comment) {
    const bytes = Buffer.from(comment.bytes)
    // The vendor's length, the number of comments, the length of one, all of which are claims.
    const start = base.format === 'ogg' ? 7 : 8
    const vendor = bytes.readUInt32LE(start)
    const places = [start, start + 4 + vendor].filter((at) => at + 4 <= bytes.length)
    bytes.writeUInt32LE(dice.pick(WORDS.slice(3)), dice.pick(places))
    comment.bytes = bytes
  }
  // Decoders may refuse Vorbis comments that are wrong; Opus sounds without them.
  const demand = base.format === 'opus' ? 'whole' : 'any'
  return mutant(base, 'comment lengths', remade(base, packets, headers), { demand })
}

function identification(base: Base, dice: Dice): Mutant {
  const headers = base.format === 'ogg' ? 3 : 2
  const packets = packetsOf(base.bytes)
  const head = packets[0]
  if (head) {
    const bytes = Buffer.from(head.bytes)
    bytes[dice.between(8, bytes.length)] = dice.pick([0, 1, 3, 16, 127, 128, 255])
    head.bytes = bytes
  }
  return mutant(base, 'identification', remade(base, packets, headers))
}

/** A file of packets whose granule positions are known per page only. */
function remade(base: Base, packets: ReturnType<typeof packetsOf>, headers: number): Buffer {
  const total = framesOf(base) + (base.format === 'opus' ? 312 : 0)
  const sound = packets.length - headers
  const placed = packets.map(({ bytes }, i) => {
    const share = Math.max(0, i - headers + 1) / sound
    return { bytes, granule: BigInt(Math.round(total * share)) }
  })
  return oggBase(base.format === 'ogg' ? 'ogg' : 'opus', placed, headers, base.sampleRate).bytes
}

function mp4Fields(tablesLast: boolean): readonly Make[] {
  const types = 'ftyp moov trak tkhd mdia mdhd hdlr minf stbl stsd stts stsc stsz stco mdat'.split(
    ' ',
  )
  const changed = (mutation: string, change: (bytes: Buffer, dice: Dice) => void): Make => {
    return (base, dice) => {
      const sound = base.format === 'aac' ? AAC : ALAC
      const { bytes } = mp4Of(sound, { tablesLast: tablesLast && dice.unit() < 0.5 })
      change(bytes, dice)
      return mutant(base, mutation, bytes)
    }
  }
  const word = (type: string, offset: number) => (bytes: Buffer, dice: Dice) =>
    bytes.writeUInt32BE(dice.pick(WORDS), bytes.indexOf(type) + offset)
  return [
    changed('size of an atom', (bytes, dice) => {
      bytes.writeUInt32BE(dice.pick(WORDS), bytes.indexOf(dice.pick(types)) - 4)
    }),
    changed('number of samples', word('stsz', 12)),
    changed('size of all samples', word('stsz', 8)),
    changed('size of a sample', (bytes, dice) =>
      word('stsz', 16 + 4 * dice.between(0, 20))(bytes, dice),
    ),
    changed('chunk offset', word('stco', 12)),
    changed('number of chunks', word('stco', 8)),
    changed('samples in a chunk', word('stsc', 16)),
    changed('first chunk', word('stsc', 12)),
    changed('number of durations', word('stts', 8)),
    changed('length of a sample', word('stts', 16)),
    changed('time scale', word('mdhd', 16)),
    changed('duration', word('mdhd', 20)),
    changed('descriptions', (bytes, dice) => word('stsd', 4 * dice.between(1, 12))(bytes, dice)),
    (base, dice) => {
      let deep: Buffer = Buffer.alloc(0)
      for (let i = dice.between(30, 2000); i > 0; i--)
        deep = atom(dice.pick(['udta', 'moov']), deep)
      const { bytes } = mp4Of(base.format === 'aac' ? AAC : ALAC, { extra: [deep] })
      return mutant(base, 'atoms in atoms', bytes)
    },
  ]
}
