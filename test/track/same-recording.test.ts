import { describe, expect, it } from 'vitest'
import type { AnalysisDocument } from '../../src/analysis/document.ts'
import { analyze } from '../../src/analyzer.ts'
import type { Samples } from '../../src/client/audio-input.ts'
import { atOnce } from '../../src/kernel/scheduler.ts'
import { encodeCodes } from '../../src/recognition/systems/codes.ts'
import { ECHOPRINT } from '../../src/recognition/systems/version.ts'
import { comparing, isSame } from '../../src/track/copy-groups.ts'
import type { Agreement } from '../../src/track/outline-agreement.ts'
import { type Outline, outlining } from '../../src/track/recording-outline.ts'
import { decoded } from '../support/decoded.ts'
import { mp3Bytes, oggBytes } from '../support/encode.ts'
import { knownPiece } from '../support/known-pieces.ts'
import { addTone, seeded, song, VOICES } from '../support/music.ts'

const RATE = 22_050

const outlineOf = ({ samples, sampleRate }: Samples): Outline =>
  atOnce(outlining(analyze({ samples, sampleRate, fingerprints: true })))
const mono = (samples: Float32Array): Samples => ({ samples: [samples], sampleRate: RATE })
const styled = (style: string, seed: number, bpm: number, bars: number, key = 0): Samples =>
  mono(knownPiece({ bpm, passages: [{ style, seed, bars, key, mode: 1 }] }).samples)

/** Chords that swell for a second: nothing of them is an onset. */
function pads(seed: number): Samples {
  const random = seeded(seed)
  const samples = new Float32Array(20 * RATE)
  for (let start = 0; start < 20; start += 2 + 2 * random())
    for (const third of [0, 4, 7]) {
      const pitch = 48 + Math.floor(12 * random()) + third
      const swell = { ...VOICES.strings!, attack: 1 }
      addTone(samples, RATE, { start, duration: 4, pitch, gain: 0.05 }, swell, random)
    }
  return mono(samples)
}

/** Soft music without drums, of which onsets tell little. */
function soft(seed: number): Samples {
  const voices = { chords: 'organ', lead: 'strings' }
  const plan = { seconds: 20, tempo: 90, drums: false, key: 3, gain: 0.15, ...voices }
  return mono(song(plan, seeded(seed)).samples)
}

/** A song without drums over two seconds of a band, again and again. */
function overLoop(seed: number, gain: number): Samples {
  const voices = { tempo: 120, chords: 'bass', lead: 'bass' }
  const loop = song({ seconds: 2, ...voices }, seeded(72)).samples
  const plan = { seconds: 24, tempo: 120, drums: false, chords: 'strings', lead: 'flute' }
  const above = song(plan, seeded(seed)).samples
  return mono(above.map((x, i) => 0.7 * ((loop[i % loop.length] as number) + gain * x)))
}

/** A recording without its first seconds. */
function trimmed({ samples, sampleRate }: Samples, seconds: number): Samples {
  return { samples: samples.map((channel) => channel.slice(seconds * sampleRate)), sampleRate }
}

/** A band in which a guitar and a trumpet play. */
function band(seed: number, tempo = 140): Samples {
  const plan = { seconds: 24, tempo, key: 7, chords: 'guitar', lead: 'brass' }
  return mono(song(plan, seeded(seed)).samples)
}

/** What Ogg Vorbis at its lowest quality leaves of a recording, encoded this many times. */
async function dulled(original: Samples, times = 1): Promise<Samples> {
  let audio = original
  for (let i = 0; i < times; i++) audio = await decoded(await oggBytes(audio, -1))
  return audio
}

describe('a copy at the lowest bit rate is known as the same recording', () => {
  it.each([
    ['a band that swings', () => styled('swing', 1, 158.5, 14, 3), 1],
    ['drums alone', () => styled('drums alone', 1, 122.5, 11), 1],
    ['a hymn', () => styled('hymn', 2, 89, 8), 1],
    ['chords that swell', () => pads(2), 1],
    ['soft music whose onsets agree best by chance', () => soft(3), 2],
  ] as const)('%s', async (_, make, times) => {
    const original = make()
    const one = outlineOf(original)
    const two = outlineOf(await dulled(original, times))
    const agreement = atOnce(comparing(one, two))
    expect(isSame(agreement)).toBe(true)
    expect(Math.abs(agreement?.offset ?? 9)).toBeLessThan(0.1)
    expect(isSame(atOnce(comparing(two, one)))).toBe(true)
  })
})

describe('a copy that lacks its beginning is known as the same recording', () => {
  it.each([
    ['a song over a loop, whose onsets agree at every turn of it', () => overLoop(2, 0.5)],
    ['drums alone, of which there is hardly any chroma', () => styled('drums alone', 1, 107.5, 11)],
  ])('%s', async (_, make) => {
    const original = make()
    const copy = await decoded(await mp3Bytes(trimmed(original, 3), 128))
    const agreement = atOnce(comparing(outlineOf(original), outlineOf(copy)))
    expect(isSame(agreement)).toBe(true)
    expect(agreement?.offset).toBeCloseTo(-3, 1)
  })
})

describe('what sounds much alike is not the same recording', () => {
  it.each([
    ['another song over the same loop', () => overLoop(2, 0.25), () => overLoop(12, 0.25)],
    ['the same music a little faster', () => band(1), () => band(1, 141)],
  ])('%s', (_, make, other) => {
    expect(isSame(atOnce(comparing(outlineOf(make()), outlineOf(other()))))).toBe(false)
  })
})

describe('what two recordings have to have in common', () => {
  /** Aligned all the way through, and nothing said of what they sound like. */
  const aligned: Agreement = {
    offset: 0,
    overlap: 0.7,
    agreeing: 20,
    codes: 0,
    chroma: 0,
    windows: 0.86,
    soundWindows: 0.86,
    timbre: 1,
    pitchesApart: 1,
    pitches: 1,
  }

  /** Each way to be the same recording, at what is just enough of each. */
  const enough: [string, Partial<Agreement>][] = [
    ['onsets and pitches', { codes: 0.08, pitches: 0.1 }],
    ['many onsets, closely the sound', { codes: 0.18, timbre: 0.3, pitchesApart: 0.15 }],
    ['the chroma, closely the pitches', { chroma: 0.3, pitches: 0.05 }],
  ]
  const more = ['overlap', 'agreeing', 'codes', 'chroma', 'windows', 'soundWindows']

  it.each(enough)('%s are enough, and less of any is not', (_, given) => {
    expect(isSame({ ...aligned, ...given })).toBe(true)
    for (const [name, value] of Object.entries(given)) {
      const worse = more.includes(name) ? value - 0.005 : value * 1.05
      expect(isSame({ ...aligned, ...given, [name]: worse }), name).toBe(false)
    }
  })

  it.each([
    ['an excerpt', { overlap: 0.66 }],
    ['hardly any code', { agreeing: 19 }],
    ['codes that agree in some places only', { windows: 0.84 }],
    ['a sound that agrees in some places only', { soundWindows: 0.84 }],
  ])('%s is not enough, however much agrees', (_, lacking) => {
    const all = { codes: 1, chroma: 1, timbre: 0, pitches: 0, pitchesApart: 0 }
    expect(isSame({ ...aligned, ...all })).toBe(true)
    expect(isSame({ ...aligned, ...all, ...lacking })).toBe(false)
  })

  it('nothing at all is not enough', () => {
    expect(isSame(undefined)).toBe(false)
    expect(isSame(aligned)).toBe(false)
  })
})

describe('how two recordings are compared', () => {
  const SECOND = 1000 / ECHOPRINT.timeUnit
  const PITCHES = Array.from({ length: 12 }, (_, i) => i / 11)

  /** A segment a second; codes as pairs of a code and its time in seconds. */
  function made({
    seconds = 40,
    codes = [],
    chroma = [],
    segment = () => ({}),
  }: {
    seconds?: number
    codes?: readonly (readonly [code: number, time: number])[]
    chroma?: readonly (readonly [code: number, time: number])[]
    segment?: (second: number) => { loudness_max?: number; timbre?: number[] }
  }): Outline {
    const keys = (pairs: typeof codes, perSecond: number) =>
      Float64Array.from(
        pairs,
        ([code, time]) => code * 2 ** 22 + Math.round(time * perSecond),
      ).sort()
    const segments = Array.from({ length: seconds }, (_, start) => ({
      start,
      duration: 1,
      confidence: 1,
      loudness_start: -20,
      loudness_max: -10,
      loudness_max_time: 0.1,
      pitches: PITCHES,
      timbre: Array.from({ length: 12 }, (_, i) => 10 * Math.sin(start + i)),
      ...segment(start),
    }))
    return {
      duration: seconds,
      codes: keys(codes, SECOND),
      chroma: keys(chroma, 1000 / 64),
      segments,
    }
  }
  const compare = (one: Outline, other: Outline) => atOnce(comparing(one, other)) as Agreement
  const every = (step: number, count: number) => Array.from({ length: count }, (_, i) => i * step)
  const distinct = (count: number, later = 0): [number, number][] =>
    every(39 / count, count).map((time, i) => [1_000 + i, time + later])

  it('a code on every beat does not say where they meet', () => {
    const beat = every(0.5, 60).map((time) => [7, time] as const)
    const one = made({ codes: [...beat, ...distinct(15)] })
    const other = made({ seconds: 44, codes: [...beat, ...distinct(15, 3.3)] })
    expect(compare(one, other).offset).toBeCloseTo(3.3, 1)
  })

  it('codes that lie a step early or late count where they meet', () => {
    const step = 1 / SECOND
    const shaken = distinct(30).map(
      ([code, time], i) => [code, time + 3 + ((i % 3) - 1) * step] as const,
    )
    const chance = distinct(14).map(([code, time]) => [code + 500, time] as const)
    const one = made({ codes: [...distinct(30), ...chance] })
    const other = made({ seconds: 44, codes: [...shaken, ...chance] })
    expect(compare(one, other).offset).toBeCloseTo(3, 1)
  })

  it('silence has no sound that could differ', () => {
    const hiss = (sign: number) => (second: number) =>
      second >= 20 ? { loudness_max: -60, timbre: Array(12).fill(100 * sign) } : {}
    const codes = distinct(200)
    const quiet = compare(made({ codes, segment: hiss(1) }), made({ codes, segment: hiss(-1) }))
    expect(quiet.timbre).toBe(0)
    expect(quiet.soundWindows).toBe(1)
    const loud = compare(made({ codes }), made({ codes, segment: hiss(-1) }))
    expect(loud.timbre).toBeGreaterThan(0.5)
    expect(loud.soundWindows).toBeLessThan(0.7)
  })

  it('neither does the level count', () => {
    const louder = (second: number) => ({
      timbre: Array.from({ length: 12 }, (_, i) => (i === 0 ? 60 : 10 * Math.sin(second + i))),
    })
    const codes = distinct(200)
    const { timbre } = compare(made({ codes }), made({ codes, segment: louder }))
    expect(timbre).toBe(0)
  })

  it('the sound is measured against that of other moments', () => {
    const codes = distinct(200)
    const alike = compare(made({ codes }), made({ codes }))
    expect(alike).toMatchObject({ timbre: 0, windows: 1 })
    const held = { timbre: Array(12).fill(10) }
    const other = { timbre: Array(12).fill(12) }
    const still = compare(
      made({ codes, segment: () => held }),
      made({ codes, segment: () => other }),
    )
    expect(still.timbre).toBeCloseTo(1)
    // A difference this small is none, whatever other moments differ by.
    expect(still.soundWindows).toBe(1)
  })

  it('the codes have to agree all the way through', () => {
    const all = distinct(400)
    const half = all.map(([code, time]) => [time < 20 ? code : code + 5_000, time] as const)
    expect(compare(made({ codes: all }), made({ codes: half })).windows).toBeLessThan(0.7)
  })

  it('or the chroma, where the codes do not', () => {
    const codes = distinct(400)
    const others = codes.map(([code, time]) => [time < 20 ? code : code + 5_000, time] as const)
    const chroma = distinct(60)
    const agreement = compare(made({ codes, chroma }), made({ codes: others, chroma }))
    expect(agreement.windows).toBe(1)
    expect(agreement.chroma).toBe(1)
  })

  it('windows in which hardly anything sounds tell nothing', () => {
    const codes = distinct(400).filter(([, time]) => time < 20)
    const few = [[9_000, 25] as const, [9_001, 35] as const]
    const other = few.map(([code, time]) => [code + 10, time] as const)
    const agreement = compare(
      made({ codes: [...codes, ...few] }),
      made({ codes: [...codes, ...other] }),
    )
    expect(agreement.windows).toBe(1)
    expect(agreement.codes).toBeGreaterThan(0.95)
  })

  it('the codes of silence do not count', () => {
    const [silent] = ECHOPRINT.stopCodes as readonly [number]
    const codes = Uint32Array.of(silent, 12_345, silent)
    const times = Uint32Array.of(0, 10, 20)
    const track = { duration: 1, echoprintstring: encodeCodes('echoprint', { codes, times }) }
    const document = { track, segments: [] } as unknown as AnalysisDocument
    const { codes: kept } = atOnce(outlining(document))
    expect([...kept]).toEqual([12_345 * 2 ** 22 + 10])
  })
})
