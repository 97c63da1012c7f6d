import { describe, expect, it } from 'vitest'
import type { AnalysisDocument } from '../../src/analysis/document.ts'
import { SUMMARY_VERSION, summarize } from '../../src/analysis-entry.ts'

const VALUES = ['energy', 'danceability', 'valence', 'acousticness', 'speechiness'] as const
type Value = (typeof VALUES)[number]

/** What a made document differs by; its sounds are twelve, again and again. */
interface Made {
  loudness?: number
  mode?: number
  tempo?: number
  /** Sounds a second. */
  rate?: number
  /** The loudest moment of sound `i`, how far it rises, dB, and when it is there, seconds. */
  level?: (i: number) => number
  rise?: number
  peak?: number
  /** The second and third coefficients of timbre, the third of sound `i`. */
  brightness?: number
  flatness?: (i: number) => number
  /** The strengths of pitches that sound beside the one of sound `i`, and how far that wanders. */
  others?: number
  wander?: number
  /** How far every second beat lies off, in beats. */
  jitter?: number
}

const SECONDS = 60

function documentOf({
  loudness = -8,
  mode = 1,
  tempo = 100,
  rate = 4,
  level = (i) => -10 - 3 * (i % 3),
  rise = 4,
  peak = 0.03,
  brightness = 20,
  flatness = (i) => 30 * (i % 3),
  others = 0.3,
  wander = 4,
  jitter = 0.008,
}: Made): AnalysisDocument {
  const beat = 60 / tempo
  const segments = Array.from({ length: SECONDS * rate }, (_, i) => ({
    start: i / rate,
    duration: 1 / rate,
    confidence: 1,
    loudness_start: level(i) - rise,
    loudness_max: level(i),
    loudness_max_time: peak,
    pitches: Array.from({ length: 12 }, (_, k) => (k === i % wander ? 1 : others)),
    timbre: [45, brightness, flatness(i), 0, 0, 0, 0, 0, 0, 0, 0, 0],
  }))
  const beats = Array.from({ length: Math.floor(SECONDS / beat) }, (_, i) => ({
    start: (i + (i % 2) * jitter) * beat,
    duration: beat,
    confidence: 1,
  }))
  const track = { duration: SECONDS, loudness, tempo, key: 0, mode, time_signature: 4 }
  return { track, bars: [], beats, segments } as unknown as AnalysisDocument
}

function valuesOf(made: Made): Record<Value, number> {
  const summary = summarize(documentOf(made))
  return Object.fromEntries(VALUES.map((value) => [value, summary[value]])) as Record<Value, number>
}

/** The values that rise and fall from one document to another. */
function changesTo(made: Made): Partial<Record<Value, 'up' | 'down'>> {
  const [before, after] = [valuesOf({}), valuesOf(made)]
  const changed = VALUES.filter((value) => Math.abs(after[value] - before[value]) > 1e-9)
  return Object.fromEntries(
    changed.map((value) => [value, after[value] > before[value] ? 'up' : 'down']),
  )
}

describe('the impressions of a document', () => {
  it.each<[string, Made, Partial<Record<Value, 'up' | 'down'>>]>([
    ['is louder', { loudness: -5 }, { energy: 'up', acousticness: 'down' }],
    [
      'has loud moments far above others',
      { level: (i) => -10 - 7 * (i % 3) },
      { energy: 'down', valence: 'down' },
    ],
    ['is brighter', { brightness: 60 }, { energy: 'up', acousticness: 'down' }],
    [
      'has more notes at a time, as often',
      { others: 0.45, wander: 3 },
      { energy: 'up', valence: 'up', speechiness: 'up' },
    ],
    ['favours no pitch', { wander: 9 }, { speechiness: 'up' }],
    [
      'goes back and forth between noise and tones',
      { flatness: (i) => 40 * (i % 3) },
      { speechiness: 'up' },
    ],
    ['has more sounds a second', { rate: 5 }, { energy: 'up', danceability: 'up', valence: 'up' }],
    [
      'has more marked accents',
      { rise: 6 },
      { danceability: 'up', valence: 'up', acousticness: 'up' },
    ],
    ['has sounds that rise later', { peak: 0.05 }, { acousticness: 'up' }],
    ['is in minor', { mode: 0 }, { valence: 'down' }],
    ['has beats off an even grid', { jitter: 0.05 }, { danceability: 'down', speechiness: 'up' }],
    ['has a tempo that is easier to move to', { tempo: 115 }, { danceability: 'up' }],
  ])('that %s', (_, made, expected) => {
    expect(changesTo(made)).toEqual(expected)
  })

  it('are those of the version, which rises when they change', () => {
    expect({ version: SUMMARY_VERSION, ...rounded(valuesOf({})) }).toEqual({
      version: 7,
      ...{ energy: 0.7088, danceability: 0.6119, valence: 0.833, acousticness: 0.1919 },
      speechiness: 0.081,
    })
  })
})

describe('impressions of short sounds', () => {
  it('are told of three seconds of sound, and of none less', () => {
    const segment = (start: number, loudness: number) => ({
      start,
      duration: 0.5,
      confidence: 1,
      loudness_start: loudness - 10,
      loudness_max_time: 0.01,
      loudness_max: loudness,
      pitches: new Array<number>(12).fill(0.5),
      timbre: new Array<number>(12).fill(1),
    })
    const told = (heard: number) => {
      const levels = Array.from({ length: 20 }, (_, i) => (i < heard ? -5 : -59.9))
      const track = { duration: 10, loudness: -8, tempo: 0, key: 0, mode: 1, time_signature: 4 }
      const segments = levels.map((level, i) => segment(i / 2, level))
      const document = { track, segments, bars: [], beats: [] }
      const summary = summarize(document as unknown as Parameters<typeof summarize>[0])
      const { energy, danceability, speechiness, acousticness, valence } = summary
      return [energy, danceability, speechiness, acousticness, valence].map((one) => one !== null)
    }
    expect(told(5)).toEqual([false, false, false, false, false])
    expect(told(6)).toEqual([true, true, true, true, true])
  })
})

function rounded(values: Record<Value, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(values).map(([value, one]) => [value, Number(one.toFixed(4))]),
  )
}
