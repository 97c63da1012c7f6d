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
export function apeTag(items: Readonly<Record<string, string>>): Buffer {
  const body = Buffer.concat(
    Object.entries(items).map(([key, text]) => {
      const value = Buffer.from(text)
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
export function vorbisComment(comments: readonly string[]): Buffer {
  const texts = comments.map((text) => Buffer.from(text))
  return Buffer.concat([
    littleEndian(0, texts.length),
    ...texts.flatMap((text) => [littleEndian(text.length), text]),
  ])
}

/** A FLAC file with this comment and no other block but its STREAMINFO. */
export function flacWith(flac: Buffer, comments: readonly string[]): Buffer {
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
