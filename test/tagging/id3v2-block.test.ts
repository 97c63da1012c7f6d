import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { fixture } from '../support/decoded.ts'
import { id3Frame, id3v1, id3v2Of } from '../support/tag-bytes.ts'
import { refusalOf, tagged } from '../support/tagged.ts'

const SOUND = readFileSync(fixture('no-header.mp3'))
const text = (value: string) => Buffer.from(`\0${value}`, 'latin1')
const picture = Buffer.concat([
  Buffer.from('\0image/jpeg\0\x03\0', 'latin1'),
  Buffer.from(Array.from({ length: 20_000 }, (_, i) => 1 + ((i * 7919) % 255))),
])
/** A frame whose size is written with eight bits in each byte, whatever the version. */
const plainFrame = (id: string, content: Uint8Array) => id3Frame(3, id, content)
const file = (tag: Uint8Array, ...behind: Uint8Array[]) => Buffer.concat([tag, SOUND, ...behind])
const padding = (length: number) => Buffer.alloc(length)

/** Requires that all parts are in a file in their order, and returns what stands in front of the sound. */
function expectKept(written: Buffer, parts: readonly Uint8Array[]): Buffer {
  let at = 0
  for (const part of parts) {
    at = written.indexOf(part, at)
    expect(at).toBeGreaterThanOrEqual(0)
    at += part.length
  }
  expect(written.subarray(-SOUND.length).equals(SOUND)).toBe(true)
  return written.subarray(0, written.length - SOUND.length)
}

describe('an ID3v2 tag keeps every frame', () => {
  const title = id3Frame(3, 'TIT2', text('Title'))
  const artist = id3Frame(3, 'TPE1', text('Artist'))

  it('whose size has eight bits in each byte in ID3v2.4, as iTunes wrote it', async () => {
    const frames = [title, plainFrame('APIC', picture), artist]
    const written = await tagged(file(id3v2Of(4, frames)), { bpm: 100 })
    const tag = expectKept(written, frames)
    expect(tag.includes('TBPM\0\0\0\x04\0\0\x00100')).toBe(true)
  })

  it('if only some of the sizes are of that form', async () => {
    const lyrics = id3Frame(4, 'USLT', Buffer.concat([Buffer.from('\0eng\0'), picture]))
    const frames = [lyrics, plainFrame('APIC', picture), id3Frame(4, 'TALB', text('x'.repeat(300)))]
    const long = 'a comment that is longer than 127 bytes '.repeat(4)
    const written = await tagged(file(id3v2Of(4, [...frames, padding(500)])), { comment: long })
    const tag = expectKept(written, frames)
    // Of the form that the tag needs readers to understand.
    expect(tag.includes(plainFrame('COMM', text(`eng\0${long}`)))).toBe(true)
    expect(await tagged(written, { comment: long })).toEqual(written)
  })

  it('whose size has seven bits in each byte in ID3v2.3', async () => {
    const frames = [title, id3Frame(4, 'APIC', picture), artist]
    expectKept(await tagged(file(id3v2Of(3, frames)), { bpm: 100 }), frames)
  })

  it('with the zeros behind it that another reading of its size takes for its end', async () => {
    // 0x00000116 is 150 with seven bits in each byte, and 278 with eight.
    const described = id3Frame(4, 'TXXX', text(`D\0${'x'.repeat(147)}`))
    const tag = id3v2Of(4, [described, padding(500)])
    const written = await tagged(file(tag), { key: 'Am', comment: 'y'.repeat(400) })
    expectKept(written, [Buffer.concat([described, padding(128)])])
  })

  it('of a tag in which all frames or none are unsynchronised', async () => {
    const odd = Buffer.from([0, 0xff, 0, 0xe0, 0xff, 0xff, 0xe1, 0xff])
    const inserted = Buffer.from([0, 0xff, 0, 0, 0xe0, 0xff, 0, 0xff, 0, 0xe1, 0xff])
    const frame = id3Frame(3, 'PRIV', odd)
    const body = [title, Buffer.concat([frame.subarray(0, 10), inserted]), artist]
    const comment = 'ÿ ends in ÿ'
    const written = await tagged(file(id3v2Of(3, body, 0x80)), { comment })
    expectKept(written, body)
    expect(await tagged(written, { comment })).toEqual(written)
    // The flag is set, but nothing was inserted, so that readers differ.
    const raw = id3v2Of(3, [title, frame, artist], 0x80)
    expect(await refusalOf(file(raw), { bpm: 100 })).toMatch(/is unsynchronised only in part/)
    const marked = [title, id3Frame(3, 'PRIV', Buffer.from([0, 0xff, 0xfe, 1]))]
    expectKept(await tagged(file(id3v2Of(3, marked, 0x80)), { bpm: 100 }), marked)
    const wide = await refusalOf(file(id3v2Of(3, marked, 0x80)), { comment: 'ÿ' })
    expect(wide).toMatch(/is marked as unsynchronised/)
  })

  it('of ID3v2.2, and those that a version does not know', async () => {
    const early = [id3Frame(2, 'TT2', text('A')), id3Frame(2, 'XYZ', Buffer.from([1, 2, 3]))]
    const written = await tagged(file(id3v2Of(2, early)), { bpm: 100, trackGain: 1, trackPeak: 1 })
    expectKept(written, [id3Frame(2, 'TXX', text('REPLAYGAIN_TRACK_PEAK\x001.000000')), ...early])
    const volume = id3Frame(3, 'RVAD', Buffer.from([3, 16, 1, 2, 1, 2]))
    const later = [volume, id3Frame(3, 'TDRC', text('2013')), id3Frame(3, 'TBP\0', text('90'))]
    const tag = expectKept(await tagged(file(id3v2Of(3, later)), { bpm: 100 }), later.slice(0, 2))
    expect(tag.includes('TBP\0')).toBe(false)
  })

  it('that is compressed, grouped or has its length in front', async () => {
    const frames = [
      id3Frame(4, 'TIT2', Buffer.from('\0\0\0\x05zipped'), 0x09),
      id3Frame(4, 'TPE1', Buffer.concat([Buffer.of(7), text('A')]), 0x40),
      id3Frame(4, 'TBPM', Buffer.concat([Buffer.from([0, 0, 0, 3]), text('90')]), 0x01),
    ]
    const written = await tagged(file(id3v2Of(4, frames)), { bpm: 100 })
    expectKept(written, frames.slice(0, 2))
  })

  it('in front of padding that other bytes follow', async () => {
    const odd = Buffer.concat([title, padding(20), Buffer.from('odd bytes')])
    const written = await tagged(file(id3v2Of(3, [odd])), { bpm: 100 })
    expectKept(written, [odd])
    expect(await tagged(written, { bpm: 100 })).toEqual(written)
  })

  it('unless a size in front of such bytes can be read in two ways', async () => {
    const described = id3Frame(4, 'TXXX', text(`D\0${'x'.repeat(147)}`))
    const odd = Buffer.concat([described, padding(500), Buffer.from('odd bytes')])
    const message = await refusalOf(file(id3v2Of(4, [odd])), { bpm: 100 })
    expect(message).toMatch(/holds bytes that are no frame/)
  })

  it('beside a compressed comment with a description, and one without that changes', async () => {
    const compressed = (text: string) => {
      const content = Buffer.from(`\0eng${text}`)
      const length = Buffer.from([0, 0, 0, content.length])
      return id3Frame(3, 'COMM', Buffer.concat([length, deflateSync(content)]), 0x80)
    }
    const frames = [compressed('iTunNORM\x00 0000'), compressed('\0old')]
    const written = await tagged(file(id3v2Of(3, frames)), { comment: 'new' })
    expectKept(written, [frames[0] as Buffer, id3Frame(3, 'COMM', text('eng\0new'))])
    expect(written.includes(frames[1] as Buffer)).toBe(false)
  })

  it('with its extended header, its footer and its other tags', async () => {
    const extended = Buffer.from([0, 0, 0, 6, 0, 0, 0, 0, 0, 50])
    const tag = id3v2Of(3, [extended, title, padding(50)], 0x40)
    const written = await tagged(file(tag), { bpm: 100 })
    expectKept(written, [extended.subarray(0, 6), title])
    expect(written.length).toBe(tag.length + SOUND.length)
    expect(written.readUInt32BE(16)).toBe(50 - 14)

    const body = id3v2Of(4, [title], 0x10)
    const footer = Buffer.concat([Buffer.from('3DI'), body.subarray(3, 10)])
    const second = id3v2Of(3, [artist])
    const both = Buffer.concat([body, footer, second])
    const grown = await tagged(file(both), { bpm: 100 })
    expectKept(grown, [title, Buffer.from('3DI'), second])
    const footerAt = grown.indexOf('3DI')
    expect(grown.subarray(footerAt + 3, footerAt + 10)).toEqual(grown.subarray(3, 10))
    expect(footerAt).toBe(10 + grown.readUInt8(9) + 128 * grown.readUInt8(8))
  })
})

describe('an ID3v2 tag', () => {
  const described = (name: string, value: string) => id3Frame(3, 'TXXX', text(`${name}\0${value}`))
  const comment = (language: string, value: string) =>
    id3Frame(3, 'COMM', text(`${language}\0${value}`))

  it('has one frame for a value that it had several times, with its spelling', async () => {
    const name = 'replaygain_track_gain'
    const frames = [
      described(name, '1 dB'),
      described(name.toUpperCase(), '2 dB'),
      described('x', 'y'),
    ]
    const written = await tagged(file(id3v2Of(3, frames)), { trackGain: 3 })
    expectKept(written, [described(name, '3.00 dB'), described('x', 'y')])
    expect(written.includes('REPLAYGAIN')).toBe(false)
  })

  it('keeps comments of other languages, and the language of the one that changes', async () => {
    const frames = [comment('deu', 'alt'), comment('fra', 'vieux')]
    const written = await tagged(file(id3v2Of(3, frames)), { comment: 'neu' })
    expectKept(written, [comment('deu', 'neu'), comment('fra', 'vieux')])
  })

  it.each([
    [2, 'TP1'],
    [3, 'TPE1'],
    [4, 'TPE1'],
  ] as const)(
    'of version 2.%i without frames gets the names of an ID3v1 tag',
    async (version, id) => {
      const old = id3v1(Buffer.from('A'), Buffer.from('B'), Buffer.from('C'))
      const empty = id3v2Of(version, [padding(30)])
      const written = await tagged(file(empty, old), { bpm: 100 })
      expect(written.includes(id3Frame(version, id, text('B')))).toBe(true)
      const own = id3v2Of(version, [id3Frame(version, version === 2 ? 'TCO' : 'TCON', text('Own'))])
      expect((await tagged(file(own, old), { bpm: 100 })).includes(id)).toBe(false)
    },
  )

  it('grows once, and then uses its padding', async () => {
    let written: Buffer = file(id3v2Of(3, [described('x', 'y')]))
    const lengths: number[] = []
    for (const value of ['first', 'a longer one', 'x']) {
      written = await tagged(written, { comment: value })
      lengths.push(written.length)
    }
    expect(new Set(lengths).size).toBe(1)
  })

  it.each<[string, Buffer, RegExp]>([
    [
      'bytes that are no frame',
      Buffer.concat([described('x', 'y'), Buffer.from('!!!'), padding(20)]),
      /holds bytes that are no frame/,
    ],
    [
      'a frame longer than the tag',
      id3Frame(3, 'TIT2', padding(50)).subarray(0, 40),
      /holds bytes that are no frame/,
    ],
  ])('with %s is refused', async (_, body, message) => {
    expect(await refusalOf(file(id3v2Of(3, [body])), { bpm: 100 })).toMatch(message)
  })

  it('with a checksum, an unknown version or a value that is encrypted is refused', async () => {
    const checked = Buffer.from([0, 0, 0, 10, 0x80, 0, 0, 0, 0, 0, 1, 2, 3, 4])
    const values = { bpm: 100 }
    expect(await refusalOf(file(id3v2Of(3, [checked], 0x40)), values)).toMatch(/has a checksum/)
    const tag = id3v2Of(3, [described('x', 'y')])
    tag[3] = 5
    expect(await refusalOf(file(tag), values)).toMatch(/is of the unknown version 2\.5/)
    const encrypted = id3Frame(3, 'TBPM', Buffer.from('\x01secret'), 0x40)
    expect(await refusalOf(file(id3v2Of(3, [encrypted])), values)).toMatch(
      /has an encrypted or damaged TBPM frame; a tag editor/,
    )
  })
})
