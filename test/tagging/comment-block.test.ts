import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fixture } from '../support/decoded.ts'
import {
  flacWith,
  id3Frame,
  id3v2Of,
  oggPage,
  opusWith,
  vorbisComment,
} from '../support/tag-bytes.ts'
import { refusalOf, tagged } from '../support/tagged.ts'

const OPUS = readFileSync(fixture('mono.opus'))
const FLAC = readFileSync(fixture('stereo.flac'))
const VORBIS = readFileSync(fixture('stereo.ogg'))

const field = (text: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(text.length)
  return Buffer.concat([length, text])
}
/** A comment of raw fields, in whatever encoding. */
const rawComment = (...fields: Buffer[]) => {
  const comment = Buffer.concat([vorbisComment([]), ...fields.map(field)])
  comment.writeUInt32LE(fields.length, 4)
  return comment
}
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const windows1251 = Buffer.concat([latin1('ARTIST='), Buffer.from('cff0eee2e5f0ead1', 'hex')])
const ODD = [
  latin1('TITLE=Café'),
  windows1251,
  latin1('TITLE=Café'),
  latin1('no equals sign'),
  latin1('empty='),
  latin1('=nameless'),
  Buffer.alloc(0),
  Buffer.concat([latin1('METADATA_BLOCK_PICTURE='), Buffer.alloc(70_000, 'A')]),
]

function pagesOf(ogg: Buffer): Buffer[] {
  const starts: number[] = []
  for (let at = ogg.indexOf('OggS'); at >= 0; at = ogg.indexOf('OggS', at + 4)) starts.push(at)
  return starts.map((start, i) => ogg.subarray(start, starts[i + 1] ?? ogg.length))
}

/** The pages without their numbers and checksums. */
const contentsOf = (ogg: Buffer) =>
  pagesOf(ogg).map((page) => Buffer.concat([page.subarray(0, 18), page.subarray(26)]))

describe('a Vorbis comment keeps every field', () => {
  it('of FLAC, in any encoding, and takes what it needs from the padding', async () => {
    const flac = flacWith(FLAC, [])
    const commentAt = 42
    const length = Buffer.alloc(4)
    const comment = rawComment(...ODD, latin1('bpm=90'), latin1('BPM=91'))
    length.writeUInt32BE(comment.length)
    length[0] = 4
    const padding = Buffer.concat([Buffer.from([0x81, 0, 0, 100]), Buffer.alloc(100)])
    const application = Buffer.concat([Buffer.from([2, 0, 0, 8]), latin1('ATCHdata')])
    const sound = flac.subarray(commentAt + 4 + vorbisComment([]).length)
    const head = flac.subarray(0, commentAt)
    const file = Buffer.concat([head, length, comment, application, padding, sound])
    const written = await tagged(file, { bpm: 120, key: 'Am' })
    const kept = rawComment(...ODD, latin1('bpm=120'), latin1('INITIALKEY=Am'))
    expect(written.subarray(commentAt + 4, commentAt + 4 + kept.length)).toEqual(kept)
    expect(written.includes(application)).toBe(true)
    expect(written.subarray(-sound.length).equals(sound)).toBe(true)
    expect(written.length).toBe(file.length)
    expect(await tagged(written, { bpm: 120, key: 'Am' })).toEqual(written)
  })

  it('of FLAC, where there is no padding, or no comment at all', async () => {
    const bare = Buffer.concat([FLAC.subarray(0, 42), flacWith(FLAC, []).subarray(42 + 12)])
    bare[4] = 0x80
    for (const file of [bare, flacWith(FLAC, ['TITLE=A'])]) {
      const once = await tagged(file, { key: 'Am' })
      const twice = await tagged(once, { key: 'C#m' })
      expect(once.includes('INITIALKEY=Am')).toBe(true)
      expect(twice.includes('INITIALKEY=C#m')).toBe(true)
      expect(twice.length).toBe(once.length)
      const sound = file.subarray(-1000)
      expect(twice.subarray(-1000).equals(sound)).toBe(true)
    }
  })

  it('of FLAC behind an ID3v2 tag, whose names new comments repeat', async () => {
    const tag = id3v2Of(3, [id3Frame(3, 'TIT2', latin1('\0Title'))])
    const written = await tagged(Buffer.concat([tag, flacWith(FLAC, [])]), { key: 'Am' })
    expect(written.subarray(0, tag.length).equals(tag)).toBe(true)
    expect(written.includes('TITLE=Title')).toBe(true)
    const named = Buffer.concat([tag, flacWith(FLAC, ['X=y'])])
    expect((await tagged(named, { key: 'Am' })).includes('TITLE=')).toBe(false)
  })

  it('of Vorbis, with its setup on pages of its own', async () => {
    const [first, headers, ...sound] = pagesOf(VORBIS) as [Buffer, Buffer, ...Buffer[]]
    const bodyAt = 27 + (headers[26] as number)
    const setupAt = headers.indexOf('\x05vorbis')
    const serial = VORBIS.readUInt32LE(14)
    const pages = [
      oggPage(serial, 1, [headers.subarray(bodyAt, setupAt)]),
      oggPage(serial, 2, [headers.subarray(setupAt)]),
    ]
    const file = Buffer.concat([first, ...pages, ...sound])
    const written = await tagged(file, { key: 'Am' })
    const [before, after] = [contentsOf(file), contentsOf(written)]
    expect(after.filter((page, i) => !page.equals(before[i] as Buffer)).length).toBe(1)
  })

  it('of FLAC whose padding hides something', async () => {
    const hidden = Buffer.concat([Buffer.from([1, 0, 0, 20]), latin1('not zeros, but text!')])
    const whole = flacWith(FLAC, ['TITLE=A'])
    const file = Buffer.concat([whole.subarray(0, 42), hidden, whole.subarray(42)])
    const written = await tagged(file, { key: 'Am' })
    expect(written.includes(hidden)).toBe(true)
  })

  it('of Opus, over many pages, with what follows it in its packet', async () => {
    const behind = Buffer.from([1, 2, 3, 4])
    const small = ODD.slice(0, -1)
    const file = opusWith(OPUS, rawComment(...small), behind)
    const written = await tagged(file, { comment: 'x'.repeat(70_000) })
    for (const text of small) expect(written.includes(field(text))).toBe(true)
    expect(written.includes(behind)).toBe(true)
    const [before, after] = [contentsOf(file), contentsOf(written)]
    const sound = before.slice(2)
    expect(after.slice(-sound.length)).toEqual(sound)
    const numbers = pagesOf(written).map((page) => page.readUInt32LE(18))
    expect(numbers).toEqual(numbers.map((_, i) => i))
    expect(await tagged(written, { comment: 'x'.repeat(70_000) })).toEqual(written)
  })

  it('of Vorbis, beside its setup', async () => {
    const written = await tagged(VORBIS, { bpm: 120, key: 'Am', comment: 'y'.repeat(5000) })
    const [before, after] = [contentsOf(VORBIS), contentsOf(written)]
    expect(after.slice(2)).toEqual(before.slice(2))
    expect(after[0]).toEqual(before[0])
    const setup = VORBIS.subarray(VORBIS.indexOf('\x05vorbis'), VORBIS.indexOf('\x05vorbis') + 200)
    expect(written.includes(setup)).toBe(true)
  })

  it('beside another stream, whose pages stay as they are', async () => {
    const pages = pagesOf(OPUS)
    const skeleton = oggPage(77, 0, [Buffer.from('fishead\0')], 2)
    const middle = oggPage(77, 1, [Buffer.from('fisbone\0')])
    const end = oggPage(77, 2, [Buffer.alloc(0)], 4)
    const file = Buffer.concat([
      skeleton,
      ...pages.slice(0, 1),
      middle,
      ...pages.slice(1, 2),
      end,
      ...pages.slice(2),
    ])
    const written = await tagged(file, { comment: 'x'.repeat(70_000) })
    for (const page of [skeleton, middle, end]) expect(written.includes(page)).toBe(true)
  })

  it.each<[string, () => Buffer, RegExp]>([
    [
      'FLAC with two comments',
      () => {
        const whole = flacWith(FLAC, ['TITLE=A'])
        const second = Buffer.concat([Buffer.from([4, 0, 0, 8]), Buffer.alloc(8)])
        return Buffer.concat([whole.subarray(0, 42), second, whole.subarray(42)])
      },
      /has several Vorbis comments/,
    ],
    [
      'a comment that ends early',
      () => {
        const comment = rawComment(latin1('A=b'))
        comment.writeUInt32LE(2, 4)
        return opusWith(OPUS, comment)
      },
      /Vorbis comment ends early/,
    ],
    [
      'headers and sound on one page',
      () => {
        const [first, , third, ...others] = pagesOf(OPUS) as [Buffer, Buffer, Buffer]
        const packet = Buffer.concat([latin1('OpusTags'), rawComment(latin1('A=b'))])
        const page = oggPage(OPUS.readUInt32LE(14), 1, [
          packet,
          third.subarray(27 + (third[26] as number)),
        ])
        return Buffer.concat([first, page, ...others])
      },
      /its headers and its sound on one page/,
    ],
    [
      'damaged pages that would get other numbers',
      () => {
        const file = Buffer.from(OPUS)
        file[file.length - 3] = 255 - (file.at(-3) as number)
        return file
      },
      /has damaged pages, which cannot be numbered anew/,
    ],
  ])('or is refused: %s', async (_, file, message) => {
    expect(await refusalOf(file(), { comment: 'x'.repeat(70_000) })).toMatch(message)
  })
})
