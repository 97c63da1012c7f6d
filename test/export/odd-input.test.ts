import { expect, it } from 'vitest'
import { correct } from '../../src/analysis-entry.ts'
import type { ExportRecord } from '../../src/export-entry.ts'
import * as exporters from '../../src/export-entry.ts'
import { ParameterError } from '../../src/values/errors.ts'
import { madeDocument } from '../support/made-documents.ts'

const EXPORTERS = Object.entries(exporters) as [string, (given: unknown) => Promise<unknown>][]
const SOUNDS = EXPORTERS.filter(([name]) => name !== 'toM3u' && name !== 'toXspf')

const document = madeDocument({ sections: [{ bars: 32, level: -12 }], bpm: 120 })
const record = (more: object = {}) => ({
  file: '/music/a.mp3',
  title: 'A',
  analysis: document,
  ...more,
})

/** The document with one value at a path, as a caller may have made it. */
function changed(path: string, value: unknown): object {
  const copy = structuredClone(document) as unknown as Record<string, unknown>
  const names = path.split('.')
  const last = names.pop() ?? ''
  let place = copy
  for (const name of names) place = place[name] as Record<string, unknown>
  if (value === undefined) delete place[last]
  else place[last] = value
  return record({ analysis: copy })
}

const ODD_RECORDS: [string, unknown][] = [
  ['undefined', undefined],
  ['null', null],
  ['a text', 'a.mp3'],
  ['a number', 7],
  ['an encoding of no character', record({ file: 'file:///%E0%A4%A' })],
  ['a file URL of nothing', record({ file: 'file://[' })],
  ['half a surrogate pair in the path', record({ file: '/music/\uD83C.mp3' })],
  ['a path that is a number', record({ file: 7 })],
  ['a title that is a number', record({ title: 7 })],
  ['genres that are a text', record({ genres: 'house' })],
  ['NaN as the year', record({ year: Number.NaN })],
  ['NaN as the duration', record({ duration: Number.NaN })],
  ['an infinite bitrate', record({ bitrate: Number.POSITIVE_INFINITY })],
  ['a handle without an answer', { answer: null, files: [] }],
]

const ODD_DOCUMENTS: [string, unknown][] = [
  ['no analysis', record({ analysis: undefined })],
  ['an analysis that is a text', record({ analysis: '{}' })],
  ['no track', changed('track', undefined)],
  ...['bars', 'beats', 'sections', 'segments'].flatMap((list): [string, unknown][] => [
    [`no ${list}`, changed(list, undefined)],
    [`${list} that are no list`, changed(list, {})],
    [`null in ${list}`, changed(`${list}.0`, null)],
    [`no start in ${list}`, changed(`${list}.0.start`, undefined)],
    [`NaN as a start in ${list}`, changed(`${list}.0.start`, Number.NaN)],
    [`an infinite start in ${list}`, changed(`${list}.0.start`, Number.POSITIVE_INFINITY)],
    [`NaN as a confidence in ${list}`, changed(`${list}.0.confidence`, Number.NaN)],
    [`a text as a duration in ${list}`, changed(`${list}.0.duration`, '1')],
    [`a negative duration in ${list}`, changed(`${list}.0.duration`, -1)],
  ]),
  ...['duration', 'tempo', 'key', 'mode', 'loudness', 'time_signature', 'key_confidence'].map(
    (field): [string, unknown] => [`NaN as ${field}`, changed(`track.${field}`, Number.NaN)],
  ),
  ['no tempo', changed('track.tempo', undefined)],
  ['a key out of range', changed('track.key', 12)],
  ['a fraction as the key', changed('track.key', 1.5)],
  ['an infinite tempo', changed('track.tempo', Number.POSITIVE_INFINITY)],
  ['NaN as the sample rate', changed('meta.sample_rate', Number.NaN)],
  ['beats that begin together', changed('beats.1.start', document.beats[0]?.start)],
  ['no pitches', changed('segments.0.pitches', undefined)],
  ['NaN as a pitch', changed('segments.0.pitches.3', Number.NaN)],
  ['corrections that are a text', record({ corrections: 'double' })],
  ['NaN as a corrected tempo', record({ corrections: { tempo: Number.NaN } })],
  ['parts without number', record({ corrections: { parts: Array(101).fill({ from: 1 }) } })],
]

it.each(EXPORTERS)('%s refuses in words what is no track', async (_, write) => {
  for (const [what, given] of ODD_RECORDS)
    await expect(write([given]), what).rejects.toBeInstanceOf(ParameterError)
  for (const given of [undefined, null, 'a', 7])
    await expect(write(given), String(given)).rejects.toBeInstanceOf(ParameterError)
})

it.each(SOUNDS)('%s refuses in words what is no analysis', async (_, write) => {
  for (const [what, given] of ODD_DOCUMENTS)
    await expect(write([given]), what).rejects.toBeInstanceOf(ParameterError)
})

it('what is not text or number in an option is refused in words', async () => {
  const { toRekordbox, toTraktor, toXspf, toAudacity } = exporters
  for (const write of [toRekordbox, toTraktor, toXspf])
    await expect(write([record()], { name: 7 as never })).rejects.toBeInstanceOf(ParameterError)
  for (const labels of ['cues', ['notes'], [null]])
    await expect(toAudacity(record(), { labels: labels as never })).rejects.toBeInstanceOf(
      ParameterError,
    )
})

it.each(EXPORTERS)(
  '%s writes no NaN of a short document, and no half of a pair',
  async (_, write) => {
    const vector = Array(12).fill(0.5)
    const segments = [0, 1, 2].map((start) => ({
      start,
      duration: 1,
      pitches: vector,
      timbre: vector,
    }))
    const beats = [0, 0.5, 1, 1.5].map((start) => ({ start, duration: 0.5 }))
    const analysis = { track: { duration: 3, tempo: 120 }, bars: [], sections: [], beats, segments }
    const names = { title: 'Half \uD83C', artist: null, genres: ['\uDFB9'], year: null }
    const records = [
      { file: '/music/a.mp3', analysis },
      { file: new URL('file:///music/%C3%A4.mp3'), analysis, ...names },
    ] as ExportRecord[]
    for (const written of [await write(records)].flat()) {
      const text = written instanceof Uint8Array ? '' : JSON.stringify(written)
      expect(text).not.toMatch(/NaN|Infinity|undefined|\\ud/i)
    }
  },
)

it('corrections have a most number of parts', () => {
  const parts = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ from: i / 8, to: i / 8 + 0.1 }))
  expect(correct(document, { parts: parts(100) }).beats.length).toBe(document.beats.length)
  expect(() => correct(document, { parts: parts(101) })).toThrow(/^parts - .*101 are more than 100/)
  expect(() => correct(document, { parts: [null] as never })).toThrow(ParameterError)
})
