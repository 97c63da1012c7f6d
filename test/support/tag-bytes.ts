import { checksumOf } from '../../src/audio/ogg-pages.ts'

/** What the tags of a test say. */
export interface Names {
  title?: string
  artist?: string
  release?: string
}

/** Encodings of ID3v2 text: the byte that names it, and how a text is written in it. */
export const ENCODINGS = {
  latin1: [0, (text: string) => Buffer.from(text, 'latin1')],
  utf16: [1, (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  utf16BigEndianMarked: [1, (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  utf16BigEndian: [2, (text: string) => Buffer.from(text, 'utf16le').swap16()],
  utf8: [3, (text: string) => Buffer.from(text)],
  utf8CalledLatin1: [0, (text: string) => Buffer.from(text)],
} as const satisfies Record<string, readonly [number, (text: string) => Buffer]>

type Encoding = (typeof ENCODINGS)[keyof typeof ENCODINGS]

const FRAMES = {
  2: { title: 'TT2', artist: 'TP1', release: 'TAL' },
  3: { title: 'TIT2', artist: 'TPE1', release: 'TALB' },
  4: { title: 'TIT2', artist: 'TPE1', release: 'TALB' },
}

/** An ID3v2 tag of this version with a text frame for each name. */
export function id3v2(
  version: 2 | 3 | 4,
  names: Names,
  [encoding, write]: Encoding = ENCODINGS.latin1,
): Buffer {
  return id3v2Of(
    version,
    Object.entries(names).map(([field, text]) =>
      id3Frame(
        version,
        FRAMES[version][field as keyof Names],
        Buffer.concat([Buffer.of(encoding), write(text)]),
      ),
    ),
  )
}

/** An ID3v2 tag of frames that {@link id3Frame} made. */
export function id3v2Of(version: 2 | 3 | 4, frames: readonly Uint8Array[], flags = 0): Buffer {
  const body = Buffer.concat(frames)
  return Buffer.concat([
    Buffer.from('ID3'),
    Buffer.of(version, 0, flags),
    sevenBits(body.length),
    body,
  ])
}

export function id3Frame(version: 2 | 3 | 4, id: string, content: Uint8Array, flags = 0): Buffer {
  const size = bigEndian(content.length)
  return version === 2
    ? Buffer.concat([Buffer.from(id), size.subarray(1), content])
    : Buffer.concat([
        Buffer.from(id),
        version === 4 ? sevenBits(content.length) : size,
        Buffer.of(0, flags),
        content,
      ])
}

/** An ID3v1 tag; the fields are cut off or filled up to 30 bytes. */
export function id3v1(title: Uint8Array, artist: Uint8Array, release: Uint8Array): Buffer {
  const field = (bytes: Uint8Array) => Buffer.concat([bytes, Buffer.alloc(30)]).subarray(0, 30)
  return Buffer.concat([
    Buffer.from('TAG'),
    ...[title, artist, release].map(field),
    Buffer.alloc(34),
    Buffer.of(255),
  ])
}

/** An APE tag (version 2) without a header, as it stands at the end of an mp3. */
export function apeTag(items: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const body = Buffer.concat(
    Object.entries(items).map(([key, text]) => {
      const value = bytesOf(text)
      return Buffer.concat([littleEndian(value.length, 0), Buffer.from(`${key}\0`), value])
    }),
  )
  const count = Object.keys(items).length
  return Buffer.concat([
    body,
    Buffer.from('APETAGEX'),
    littleEndian(2000, body.length + 32, count, 0, 0, 0),
  ])
}

/** A Vorbis comment (vendor, then `NAME=value`). */
export function vorbisComment(comments: readonly (string | Uint8Array)[]): Buffer {
  const texts = comments.map(bytesOf)
  return Buffer.concat([
    littleEndian(0, texts.length),
    ...texts.flatMap((text) => [littleEndian(text.length), text]),
  ])
}

/** A FLAC file with this comment and no other block but its STREAMINFO. */
export function flacWith(flac: Buffer, comments: readonly (string | Uint8Array)[]): Buffer {
  const comment = vorbisComment(comments)
  let sound = 4
  for (let last = false; !last; ) {
    last = (flac[sound]! & 0x80) !== 0
    sound += 4 + flac.readUIntBE(sound + 1, 3)
  }
  const info = Buffer.from(flac.subarray(0, 42))
  info[4] = 0
  const head = bigEndian(comment.length)
  head[0] = 0x84
  return Buffer.concat([info, head, comment, flac.subarray(sound)])
}

/** A chunk of a WAV file (little-endian) or an AIFF file. */
export function chunk(id: string, body: Uint8Array, little: boolean): Buffer {
  const size = little ? littleEndian(body.length) : bigEndian(body.length)
  return Buffer.concat([Buffer.from(id), size, body, Buffer.alloc(body.length % 2)])
}

/** A LIST chunk of kind INFO. */
export function infoChunk(fields: Readonly<Record<string, Uint8Array>>): Buffer {
  const parts = Object.entries(fields).map(([id, text]) => chunk(id, text, true))
  return chunk('LIST', Buffer.concat([Buffer.from('INFO'), ...parts]), true)
}

function sevenBits(value: number): Buffer {
  return Buffer.from([21, 14, 7, 0].map((shift) => (value >> shift) & 0x7f))
}

function bigEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function littleEndian(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [i, value] of values.entries()) bytes.writeUInt32LE(value, 4 * i)
  return bytes
}

/** A box of an MP4 file. */
export function mp4Box(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([bigEndian(content.length + 8), Buffer.from(type, 'latin1'), content])
}

/** An item of an MP4 file with one value of text. */
export function textItem(type: string, text: string): Buffer {
  return mp4Box(type, mp4Box('data', bigEndian(1), bigEndian(0), Buffer.from(text)))
}

/** An item of an MP4 file with a name of its own. */
export function freeformItem(name: string, text: string): Buffer {
  const part = (type: string, value: string) => mp4Box(type, bigEndian(0), Buffer.from(value))
  const data = mp4Box('data', bigEndian(1), bigEndian(0), Buffer.from(text))
  return mp4Box('----', part('mean', 'com.apple.iTunes'), part('name', name), data)
}

/** The user data of an MP4 file: the items of iTunes, and what follows them in their box. */
export function userData(items: readonly Uint8Array[], behind: readonly Uint8Array[] = []): Buffer {
  const handler = mp4Box('hdlr', Buffer.alloc(8), Buffer.from('mdirappl'), Buffer.alloc(9))
  return mp4Box('udta', mp4Box('meta', bigEndian(0), handler, mp4Box('ilst', ...items), ...behind))
}

/** An MP4 file whose last box is `moov`, with other user data: one box or several. */
export function m4aWith(m4a: Buffer, items: readonly Uint8Array[], data = userData(items)): Buffer {
  const moovAt = m4a.indexOf('moov') - 4
  const userDataAt = m4a.indexOf('udta', moovAt) - 4
  const moov = Buffer.concat([m4a.subarray(moovAt + 8, userDataAt), data])
  return Buffer.concat([m4a.subarray(0, moovAt), mp4Box('moov', moov)])
}

/** The same MP4 file with `moov` in front of the sound, whose offsets are moved. */
export function movieFirst(m4a: Buffer): Buffer {
  const moovAt = m4a.indexOf('moov') - 4
  const moov = Buffer.from(m4a.subarray(moovAt))
  const soundAt = m4a.indexOf('mdat') - 4
  const table = moov.indexOf('stco') + 4
  for (let i = 0; i < moov.readUInt32BE(table + 4); i++) {
    const at = table + 8 + 4 * i
    moov.writeUInt32BE(moov.readUInt32BE(at) + moov.length, at)
  }
  return Buffer.concat([m4a.subarray(0, soundAt), moov, m4a.subarray(soundAt, moovAt)])
}

/** A page of an Ogg file with whole packets. */
export function oggPage(
  serial: number,
  sequence: number,
  packets: readonly Uint8Array[],
  flags = 0,
): Buffer {
  const lacing = packets.flatMap(({ length }) => [
    ...Array<number>(Math.floor(length / 255)).fill(255),
    length % 255,
  ])
  const head = Buffer.alloc(27)
  head.write('OggS')
  head[5] = flags
  head.writeUInt32LE(serial, 14)
  head.writeUInt32LE(sequence, 18)
  head[26] = lacing.length
  const page = Buffer.concat([head, Buffer.from(lacing), ...packets])
  page.writeInt32LE(checksumOf(page), 22)
  return page
}

/** An Opus file with other comments, and bytes behind them in their packet. */
export function opusWith(
  opus: Buffer,
  comments: readonly string[] | Buffer,
  behind: Uint8Array = new Uint8Array(0),
): Buffer {
  const starts: number[] = []
  for (let at = opus.indexOf('OggS'); at >= 0; at = opus.indexOf('OggS', at + 1)) starts.push(at)
  const [, second = 0, third = 0] = starts
  const comment = Buffer.isBuffer(comments) ? comments : vorbisComment(comments)
  const packet = Buffer.concat([Buffer.from('OpusTags'), comment, behind])
  const page = oggPage(opus.readUInt32LE(14), 1, [packet])
  return Buffer.concat([opus.subarray(0, second), page, opus.subarray(third)])
}

function bytesOf(text: string | Uint8Array): Buffer {
  return Buffer.from(text as string)
}

const TABLES = new Map<string, Map<string, number[]>>()

/** A text in an encoding of one or two bytes a sign, such as `windows-1251` or `gbk`. */
export function legacyBytes(encoding: string, text: string): Buffer {
  const table = TABLES.get(encoding) ?? tableOf(encoding)
  TABLES.set(encoding, table)
  return Buffer.from([...text].flatMap((sign) => table.get(sign) ?? [sign.charCodeAt(0)]))
}

function tableOf(encoding: string): Map<string, number[]> {
  const decoder = new TextDecoder(encoding)
  const table = new Map<string, number[]>()
  const add = (...bytes: number[]) => {
    const [sign, ...others] = decoder.decode(Uint8Array.from(bytes))
    if (sign && others.length === 0 && sign !== '\ufffd' && !table.has(sign)) table.set(sign, bytes)
  }
  for (let first = 0x80; first < 256; first++) add(first)
  if (encoding.startsWith('windows')) return table
  for (let first = 0x81; first < 255; first++)
    for (let second = 0x40; second < 255; second++) add(first, second)
  return table
}
