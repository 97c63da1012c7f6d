import { describe, expect, it } from 'vitest'
import { aiff, encode, float } from '../support/audio-files.ts'
import { clip, waveBytes } from '../support/clips.ts'
import { chunk, id3Frame, id3v2Of, infoChunk } from '../support/tag-bytes.ts'
import { refusalOf, tagged } from '../support/tagged.ts'

const PLAIN = Buffer.from(await waveBytes(clip({ seconds: 1 })))
const TITLE = id3Frame(3, 'TIT2', Buffer.from('\0A'))
const samples = Array.from({ length: 2000 }, (_, i) => Math.sin(i / 9) / 3)
const AIFF = Buffer.from(aiff(encode(samples, float(4, 'be')), { bits: 32 }))

/** A WAV file with chunks in front of its sound and behind it, and bytes behind all. */
function wave(
  front: readonly Buffer[],
  behind: readonly Buffer[],
  trailing = Buffer.alloc(0),
): Buffer {
  const dataAt = PLAIN.indexOf('data')
  const body = Buffer.concat([
    PLAIN.subarray(12, dataAt),
    ...front,
    PLAIN.subarray(dataAt),
    ...behind,
  ])
  const head = Buffer.from(PLAIN.subarray(0, 12))
  head.writeUInt32LE(body.length + 4, 4)
  return Buffer.concat([head, body, trailing])
}

const odd = (id: string) => chunk(id, Buffer.from('odd'), true)
const INFO = infoChunk({ INAM: Buffer.from('Caf\xe9\0', 'latin1') })

describe('a WAV file keeps every chunk', () => {
  it.each([
    ['in front of the sound', (tag: Buffer) => wave([odd('bext'), tag], [odd('LIST'), INFO])],
    ['behind it', (tag: Buffer) => wave([odd('bext')], [INFO, tag, odd('smpl')])],
    ['at the end', (tag: Buffer) => wave([odd('bext')], [INFO, tag], Buffer.from('TAGtrailing'))],
  ])('with an ID3 chunk %s', async (_, place) => {
    for (const id of ['id3 ', 'ID3 ']) {
      const file = place(chunk(id, id3v2Of(3, [TITLE, Buffer.alloc(9)]), true))
      const written = await tagged(file, { bpm: 120, comment: 'x' })
      for (const kept of [odd('bext'), INFO, TITLE]) expect(written.includes(kept)).toBe(true)
      const trailing = file.includes('TAGtrailing') ? 11 : 0
      expect(written.readUInt32LE(4)).toBe(written.length - 8 - trailing)
      const sound = PLAIN.subarray(PLAIN.indexOf('data'))
      expect(written.includes(sound)).toBe(true)
      expect((await tagged(written, { comment: 'yy' })).length).toBe(written.length)
    }
  })

  it('without an ID3 chunk, which it gets with the names of the others', async () => {
    // The last chunk lacks the byte that fills it.
    const written = await tagged(wave([], [INFO, odd('cue ').subarray(0, -1)]), { bpm: 120 })
    expect(written.includes(Buffer.concat([odd('cue '), Buffer.from('id3 ')]))).toBe(true)
    expect(written.includes(INFO)).toBe(true)
    expect(written.includes('TIT2')).toBe(true)
  })

  it('of the form for more than 4 GiB', async () => {
    const sizes = Buffer.alloc(28)
    const file = wave([], [INFO])
    const long = Buffer.concat([
      file.subarray(0, 12),
      chunk('ds64', sizes, true),
      file.subarray(12),
    ])
    long.write('RF64')
    long.writeUInt32LE(0xffffffff, 4)
    const dataAt = long.indexOf('data')
    long.writeBigUInt64LE(BigInt(long.length - 8), 20)
    long.writeBigUInt64LE(BigInt(long.readUInt32LE(dataAt + 4)), 28)
    long.writeUInt32LE(0xffffffff, dataAt + 4)
    const written = await tagged(long, { bpm: 120 })
    expect(written.readUInt32LE(4)).toBe(0xffffffff)
    expect(Number(written.readBigUInt64LE(20))).toBe(written.length - 8)
    expect(written.includes(INFO)).toBe(true)
  })

  it.each<[string, () => Buffer, RegExp]>([
    [
      'is shorter than it states',
      () => wave([], [INFO]).subarray(0, -4),
      /shorter than its header states/,
    ],
    [
      'has two tags',
      () =>
        wave(
          [chunk('id3 ', id3v2Of(3, [TITLE]), true)],
          [chunk('ID3 ', id3v2Of(3, [TITLE]), true)],
        ),
      /has several ID3 chunks/,
    ],
    [
      'has a chunk that is too long',
      () => {
        const file = wave([], [INFO])
        file.writeUInt32LE(9999, file.indexOf('LIST') + 4)
        return file
      },
      /has a chunk "LIST" that is longer/,
    ],
    [
      'has bytes that are no chunk',
      () => wave([], [Buffer.from('\0\0\0\0\0\0\0\0')]),
      /has bytes that are no chunk/,
    ],
    [
      'has an ID3 chunk without a tag',
      () => wave([], [chunk('id3 ', Buffer.from('something'), true)]),
      /holds no whole ID3 tag/,
    ],
  ])('or is refused where it %s', async (_, file, message) => {
    expect(await refusalOf(file(), { bpm: 120 })).toMatch(message)
  })
})

it('an AIFF file keeps every chunk', async () => {
  const name = chunk('NAME', Buffer.from('Odd'), false)
  const file = Buffer.concat([AIFF, name, chunk('ANNO', Buffer.from('note'), false)])
  file.writeUInt32BE(file.length - 8, 4)
  const written = await tagged(file, { bpm: 120, key: 'Am' })
  expect(written.subarray(8, file.length)).toEqual(file.subarray(8))
  expect(written.readUInt32BE(4)).toBe(written.length - 8)
  expect(written.subarray(file.length, file.length + 4).toString()).toBe('ID3 ')
  expect((await tagged(written, { key: 'C#m' })).length).toBe(written.length)
})
