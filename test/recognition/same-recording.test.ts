import { describe, expect, it } from 'vitest'
import type { Samples } from '../../src/client/audio-input.ts'
import type { FileEvidence, FileSystem } from '../../src/recognition/evidence.ts'
import { haveSameCodes, isSameRecording } from '../../src/recognition/verdict.ts'
import { sortFileCodes } from '../../src/recognition/whole-files/code-alignment.ts'
import {
  identicalEvidence,
  reverseEvidence,
  type WholeFile,
} from '../../src/recognition/whole-files/same-recording.ts'
import { decoded } from '../support/decoded.ts'
import { mp3Bytes, oggBytes } from '../support/encode.ts'
import { addTone, type SongPlan, seeded, song, VOICES } from '../support/music.ts'
import { compare, fileOf, mono, RATE, styled, trimmed } from '../support/whole-files.ts'

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

/** A band in which a guitar and a trumpet play. */
function band(seed: number, plan: Partial<SongPlan> = {}): Samples {
  const usual = { seconds: 24, tempo: 140, key: 7, chords: 'guitar', lead: 'brass' }
  return mono(song({ ...usual, ...plan }, seeded(seed)).samples)
}

/** A band whose tunes share chords that are held long. */
const slow = (seed: number) =>
  band(seed, { seconds: 20, tempo: 88, key: 9, mode: 0, chords: 'organ', lead: 'clarinet' })

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
    ['chords that swell, by their harmony', () => pads(2), 1],
    ['soft music whose onsets agree best by chance', () => soft(3), 2],
  ] as const)('%s', async (_, make, times) => {
    const original = make()
    const one = fileOf(original)
    const two = fileOf(await dulled(original, times))
    const evidence = await compare(two, one)
    expect(Math.abs(evidence?.offset ?? 9)).toBeLessThan(0.1)
    expect(await compare(one, two)).toBeDefined()
  })
})

it('a copy of drums alone at 32 kbit/s is known, though its sound is dull', async () => {
  const original = styled('drums alone', 2, 122.5, 11, 1)
  const copy = await decoded(await mp3Bytes(original, 32))
  expect(await compare(fileOf(copy), fileOf(original))).toMatchObject({ system: 'echoprint' })
})

describe('a copy that lacks its beginning is known as the same recording', () => {
  it.each([
    ['a song over a loop, whose onsets agree at every turn of it', () => overLoop(2, 0.5)],
    ['drums alone, of which there is hardly any chroma', () => styled('drums alone', 1, 107.5, 11)],
  ])('%s', async (_, make) => {
    const original = make()
    const copy = await decoded(await mp3Bytes(trimmed(original, 3), 128))
    const evidence = await compare(fileOf(copy), fileOf(original))
    // The encoder adds 50 ms.
    expect(evidence?.offset).toBeCloseTo(-2.95, 1)
    expect(evidence?.speed).toBeCloseTo(1, 2)
    expect(evidence?.overlap).toBeGreaterThan(0.8)
  })
})

describe('of several offsets at which two files agree', () => {
  /** Codes a tenth of a second apart, and the same pitches at all times that are a second apart. */
  function made(codeAt: (place: number) => number, from: number, to: number): WholeFile {
    const places = Array.from({ length: Math.round(10 * (to - from)) }, (_, i) => 10 * from + i)
    const codes = Uint32Array.from(places, codeAt)
    const times = Uint32Array.from(places, (_, i) => 100 * i)
    const duration = to - from
    const segments = places.map((place, i) => ({
      ...{ start: i / 10, duration: 0.1, confidence: 1, loudness_start: -9, loudness_max: -3 },
      ...{ loudness_max_time: 0, timbre: [] },
      pitches: Array.from({ length: 12 }, (_, c) => (c === place % 10 ? 1 : 0.1)),
    }))
    const chroma = sortFileCodes({ codes, times }, { perSecond: 1000, duration })
    return { codes: { chroma }, duration, segments: async () => segments }
  }
  const offsetOf = async (file: WholeFile, other: WholeFile) => (await compare(file, other))?.offset
  /** Every second is the same. */
  const loop = (place: number) => place % 10

  it('it is that at which clearly more codes agree, though less of them sounds together', async () => {
    // Seven codes of ten are others in some of the seconds, of which half agree by chance.
    const squares = new Set(Array.from({ length: 37 }, (_, i) => (i * i) % 37))
    const varied = (place: number) =>
      (place % 10) + (place % 10 < 7 && squares.has(Math.floor(place / 10) % 37) ? 100 : 0)
    const [one, other] = [made(varied, 2, 40), made(varied, 0, 38)]
    expect(await offsetOf(one, other)).toBeCloseTo(-2, 2)
    expect(await offsetOf(other, one)).toBeCloseTo(2, 2)
  })

  it('it is that at which they sound together longest, if about as many agree', async () => {
    // A few codes more agree a second off.
    const codes = (later: number) => (place: number) =>
      (place + later) % 80 === 0 ? 2_000 + place + later : place % 10
    const [one, two] = [made(codes(10), 0, 40), made(codes(20), 0, 40)]
    expect(await offsetOf(one, two)).toBeCloseTo(0, 2)
    expect(await offsetOf(two, one)).toBeCloseTo(0, 2)
  })

  /** The same file with triplets, all of which differ. */
  function withTriplets(file: WholeFile, from: number): WholeFile {
    const places = Array.from({ length: 200 }, (_, i) => 2 * i)
    const codes = Uint32Array.from(places, (place) => 5_000 + 10 * from + place)
    const times = Uint32Array.from(places, (place) => 100 * place)
    const { duration } = file
    const triplets = sortFileCodes({ codes, times }, { perSecond: 1000, duration })
    return { ...file, codes: { ...file.codes, triplets } }
  }

  it('codes of all systems count', async () => {
    const [one, other] = [made(loop, 0, 40), made(loop, 1, 41)]
    expect(await offsetOf(one, other)).toBeCloseTo(0, 2)
    expect(await offsetOf(withTriplets(one, 0), withTriplets(other, 1))).toBeCloseTo(1, 2)
  })
})

describe('what sounds much alike is not the same recording', () => {
  it.each([
    ['another song over the same loop', () => overLoop(2, 0.25), () => overLoop(12, 0.25)],
    ['the same music a little faster', () => band(1), () => band(1, { tempo: 141 })],
    [
      'the same swing a little faster',
      () => styled('swing', 2, 158.5, 14, 3),
      () => styled('swing', 2, 159.5, 14, 3),
    ],
    ['another tune over the same held chords', () => slow(1), () => slow(2)],
    ['a part of it', () => band(1), () => trimmed(band(1), 9)],
  ])('%s', async (_, make, other) => {
    expect(await compare(fileOf(make()), fileOf(other()))).toBeUndefined()
  })
})

describe('a file whose sound is unknown', () => {
  it('is the same recording as no other', async () => {
    const file = fileOf(band(1))
    expect(await compare(file, file)).toBeDefined()
    const unknown = { ...file, segments: async () => undefined }
    expect(await compare(file, unknown)).toBeUndefined()
    expect(await compare(unknown, file)).toBeUndefined()
  })
})

describe('what two files have to have in common', () => {
  /** What is just enough. */
  const enough = (system: FileSystem): FileEvidence => ({
    identical: false,
    system,
    offset: 0,
    overlap: 0.67,
    agreeing: 10,
    codes: 0,
    weakest: { triplets: 0.01, chroma: 0.05, echoprint: 0.05 }[system],
    speed: 1.0029,
    pitches: system === 'echoprint' ? 0.3 : 0.08,
    lengths: { file: 1, other: 1 },
  })

  describe.each(['triplets', 'chroma', 'echoprint'] as const)('by %s', (system) => {
    it.each([
      ['overlap', 0.66],
      ['agreeing', 9],
      ['weakest', system === 'triplets' ? 0.009 : 0.049],
      ['speed', 1.0031],
      ['speed', 0.9969],
      ['pitches', system === 'echoprint' ? 0.31 : 0.081],
    ] as const)('%s %d is refused, whatever else agrees', (term, value) => {
      expect(isSameRecording(enough(system))).toBe(true)
      expect(isSameRecording({ ...enough(system), [term]: value })).toBe(false)
    })
  })

  it('more codes where the sound is not compared', () => {
    const codes = enough('triplets')
    expect(haveSameCodes({ ...codes, weakest: 0.25 }, 'repeating')).toBe(true)
    expect(haveSameCodes({ ...codes, weakest: 0.24 }, 'repeating')).toBe(false)
  })

  it('the same samples are enough', () => {
    const evidence = identicalEvidence({ file: 1, other: 1 })
    expect(isSameRecording({ ...evidence, overlap: 0 })).toBe(true)
  })
})

describe('evidence reversed', () => {
  it('says the same of the other file', () => {
    const evidence: FileEvidence = {
      ...identicalEvidence({ file: 100, other: 103 }),
      identical: false,
      offset: -3,
      speed: 1.002,
    }
    const other = reverseEvidence(evidence)
    expect(other.lengths).toEqual({ file: 103, other: 100 })
    expect(other.offset).toBeCloseTo(2.994, 3)
    expect(other.speed).toBeCloseTo(0.998, 4)
    const { offset, speed, ...rest } = reverseEvidence(other)
    expect(rest).toEqual({ ...evidence, offset: undefined, speed: undefined })
    expect(offset).toBeCloseTo(-3, 9)
    expect(speed).toBeCloseTo(1.002, 9)
  })
})
