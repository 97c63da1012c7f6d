import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { fixture } from '../support/decoded.ts'
import { apeTag, id3Frame, id3v1, id3v2Of } from '../support/tag-bytes.ts'
import { refusalOf, tagged } from '../support/tagged.ts'

const SOUND = readFileSync(fixture('no-header.mp3'))
const TITLE = id3Frame(3, 'TIT2', Buffer.from('\0A'))
const OLD = id3v1(Buffer.from('A'), Buffer.from('B'), Buffer.from('C'))
const LYRICS = Buffer.concat([Buffer.from('LYRICSBEGININD00002'), Buffer.from('000019LYRICS200')])
const ENHANCED = Buffer.concat([Buffer.from('TAG+'), Buffer.alloc(223, 'x')])

/** An APE tag with its header. */
function withHeader(tag: Buffer): Buffer {
  const header = Buffer.from(tag.subarray(-32))
  header.writeUInt32LE(0xa0000000, 20)
  const footer = Buffer.from(tag)
  footer.writeUInt32LE(0x80000000, footer.length - 12)
  return Buffer.concat([header, footer])
}

it.each([
  ['nothing', []],
  ['an ID3v1 tag', [OLD]],
  ['its longer form', [ENHANCED, OLD]],
  ['lyrics', [LYRICS, OLD]],
])('an APE tag has only its own values changed, in front of %s', async (_, behind) => {
  const inLatin1 = (tag: Buffer) => {
    tag[tag.indexOf('Caf?') + 3] = 0xe9
    return withHeader(tag)
  }
  const items = apeTag({ Title: 'Caf?', replaygain_track_gain: '-3.00 dB', Other: 'x' })
  const file = Buffer.concat([id3v2Of(3, [TITLE]), SOUND, inLatin1(items), ...behind])
  const written = await tagged(file, { trackGain: -12.5, trackPeak: 0.5, key: 'Am' })
  const changed = apeTag({ Title: 'Caf?', replaygain_track_gain: '-12.50 dB', Other: 'x' })
  const end = Buffer.concat([SOUND, inLatin1(changed), ...behind])
  expect(written.subarray(-end.length)).toEqual(end)
})

it('a tag in front of the sound gets the names of the others, if it is new', async () => {
  const file = Buffer.concat([SOUND, apeTag({ Title: 'A', Artist: 'B' }), OLD])
  const written = await tagged(file, { key: 'Am' })
  expect(written.includes(id3Frame(3, 'TPE1', Buffer.from('\0B')))).toBe(true)
  expect(written.subarray(-file.length).equals(file)).toBe(true)
  const empty = Buffer.concat([id3v2Of(3, [Buffer.alloc(20)]), file])
  expect((await tagged(empty, { key: 'Am' })).includes('TPE1\0\0\0\x02')).toBe(true)
})

it.each<[string, Buffer, RegExp]>([
  ['a count of items that is wrong', withHeader(apeTag({ BPM: '1' })), /states other sizes than/],
  ['a size that is wrong', apeTag({ BPM: '1' }), /states another size than it has/],
  ['a binary value', apeTag({ BPM: '1' }), /has a BPM that is no text or may not change/],
])('an APE tag with %s is refused', async (kind, tag, message) => {
  if (/count/.test(kind)) tag.writeUInt32LE(2, tag.length - 16)
  if (/size/.test(kind)) tag.writeUInt32LE(2 ** 31, tag.length - 20)
  if (/binary/.test(kind)) tag.writeUInt32LE(2, 4)
  const file = Buffer.concat([id3v2Of(3, [TITLE]), SOUND, tag])
  expect(await refusalOf(file, { bpm: 120 })).toMatch(message)
})
