import { riff } from './sounds.ts'

/** What a file's tags are to say; several values of the artist where the dialect knows such. */
export interface Names {
  title?: string
  artist?: string | readonly string[]
  album?: string
}

/** How the texts of an ID3v2 frame are written. */
type Encoding = 'latin1' | 'utf16' | 'utf16be' | 'utf8'

const valuesOf = (text: string | readonly string[] | undefined) => (text ? [text].flat() : [])

/** The names that have a value, with how a dialect calls them. */
function listed(
  { title, artist, album }: Names,
  keys: readonly [title: string, artist: string, album: string],
): [key: string, values: string[]][] {
  const all = [title, artist, album].map((text, i) => [keys[i] as string, valuesOf(text)] as const)
  return all.filter(([, values]) => values.length > 0).map(([key, values]) => [key, [...values]])
}

/** The 128 bytes of ID3v1, in Latin-1. */
export function id3v1(names: Names): Buffer {
  const tag = Buffer.alloc(128)
  tag.write('TAG')
  const field = (text: string | readonly string[] | undefined, at: number) =>
    tag.write(valuesOf(text).join(', ').slice(0, 30), at, 'latin1')
  field(names.title, 3)
  field(names.artist, 33)
  field(names.album, 63)
  tag[127] = 255
  return tag
}

/** ID3v2.2, 2.3 or 2.4; several values stand with a zero between them. */
export function id3v2(names: Names, version: 2 | 3 | 4, encoding: Encoding): Buffer {
  const keys =
    version === 2 ? (['TT2', 'TP1', 'TAL'] as const) : (['TIT2', 'TPE1', 'TALB'] as const)
  const frames = listed(names, keys).map(([id, values]) => {
    const body = text(values, encoding)
    const size = Buffer.alloc(4)
    size.writeUInt32BE(version === 4 ? sevenBits(body.length) : body.length)
    return Buffer.concat(
      version === 2
        ? [Buffer.from(id), size.subarray(1), body]
        : [Buffer.from(id), size, Buffer.alloc(2), body],
    )
  })
  const body = Buffer.concat([...frames, Buffer.alloc(64)])
  const head = Buffer.from([0x49, 0x44, 0x33, version, 0, 0, 0, 0, 0, 0])
  head.writeUInt32BE(sevenBits(body.length), 6)
  return Buffer.concat([head, body])
}

function text(values: readonly string[], encoding: Encoding): Buffer {
  const utf16 = (value: string) => Buffer.from(`\ufeff${value}`, 'utf16le')
  switch (encoding) {
    case 'latin1':
      return Buffer.concat([Buffer.from([0]), Buffer.from(values.join('\0'), 'latin1')])
    case 'utf16':
      // Each value has a byte order mark of its own.
      return Buffer.concat([
        Buffer.from([1]),
        ...values.flatMap((value, i) => (i > 0 ? [Buffer.alloc(2), utf16(value)] : [utf16(value)])),
      ])
    case 'utf16be':
      return Buffer.concat([Buffer.from([2]), Buffer.from(values.join('\0'), 'utf16le').swap16()])
    case 'utf8':
      return Buffer.concat([Buffer.from([3]), Buffer.from(values.join('\0'))])
  }
}

function sevenBits(value: number): number {
  return [21, 14, 7, 0].reduce((sum, shift) => sum * 256 + ((value >> shift) & 127), 0)
}

/** APEv2, with head and foot. */
export function ape(names: Names): Buffer {
  const items = listed(names, ['Title', 'Artist', 'Album']).map(([key, values]) => {
    const value = Buffer.from(values.join('\0'))
    const head = Buffer.alloc(8)
    head.writeUInt32LE(value.length)
    return Buffer.concat([head, Buffer.from(`${key}\0`), value])
  })
  const body = Buffer.concat(items)
  const end = (flags: number) => {
    const bytes = Buffer.alloc(32)
    bytes.write('APETAGEX')
    bytes.writeUInt32LE(2000, 8)
    bytes.writeUInt32LE(body.length + 32, 12)
    bytes.writeUInt32LE(items.length, 16)
    bytes.writeUInt32LE(flags, 20)
    return bytes
  }
  return Buffer.concat([end(0xa0000000), body, end(0x80000000)])
}

/** A WAV file with a RIFF INFO list before its sound or behind it, in UTF-8. */
export function withInfo(wav: Buffer, names: Names, where: 'front' | 'back'): Buffer {
  const items = listed(names, ['INAM', 'IART', 'IPRD']).map(
    ([id, values]) => [id, Buffer.from(`${values.join(', ')}\0`)] as const,
  )
  // A list is written like a file, whose first eight bytes are not wanted.
  const list = Buffer.concat([Buffer.from('INFO'), riff(items).subarray(12)])
  const chunks = [
    ['fmt ', chunk(wav, 'fmt ')],
    ['data', chunk(wav, 'data')],
  ] as [string, Buffer][]
  chunks.splice(where === 'front' ? 1 : 2, 0, ['LIST', list])
  return riff(chunks)
}

/** A WAV file with an ID3v2 tag in a chunk of its own. */
export function withId3Chunk(wav: Buffer, tag: Buffer): Buffer {
  return riff([
    ['fmt ', chunk(wav, 'fmt ')],
    ['data', chunk(wav, 'data')],
    ['id3 ', tag],
  ])
}

function chunk(wav: Buffer, id: string): Buffer {
  const at = wav.indexOf(id)
  return wav.subarray(at + 8, at + 8 + wav.readUInt32LE(at + 4))
}
