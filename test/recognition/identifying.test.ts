import { beforeAll, describe, expect, it } from 'vitest'
import { Resampler } from '../../src/audio/resample.ts'
import { atOnce } from '../../src/kernel/scheduler.ts'
import {
  type FamilyLookups,
  formatAnswer,
  identifyByCodes,
  identifySound,
  type SoundPrints,
} from '../../src/recognition/search/identifying.ts'
import type { Codes, Lookup } from '../../src/recognition/systems/codes.ts'
import { songCodes } from '../../src/recognition/systems/triplets.ts'
import type { Family } from '../../src/recognition/systems/version.ts'
import { demandOf, isMatch } from '../../src/recognition/verdict.ts'
import { indexOf } from '../support/code-index.ts'
import { type SongPlan, seeded, song } from '../support/music.ts'
import { tracesOf } from '../support/prints.ts'

const RATE = 11_025
const NONE = { codes: new Uint32Array(0), times: new Uint32Array(0) }

/** Songs that differ in all that makes one: tempo, key, mode, metre, voices, notes. */
const PLANS = [
  { tempo: 120, key: 0, chords: 'piano', lead: 'flute' },
  { tempo: 97, key: 5, mode: 0 as const, chords: 'strings', lead: 'clarinet' },
  { tempo: 141, key: 2, chords: 'guitar', lead: 'brass' },
  { tempo: 84, key: 9, mode: 0 as const, beatsPerBar: 3, chords: 'organ', lead: 'bell' },
  { tempo: 123, key: 0, chords: 'piano', lead: 'flute' },
]
const SONGS = PLANS.map((plan, i) => played(i, plan))
/** Not in the index, though of the first one's key and voices, and nearly of its tempo. */
const UNKNOWN = SONGS.pop()!

/** A song as its plan says, or in another key or tempo: the notes are the same. */
function played(i: number, plan: Partial<SongPlan>): Float32Array {
  return song({ seconds: 60, sampleRate: RATE, ...PLANS[i], ...plan }, seeded(i + 1)).samples
}

function printsOf(samples: Float32Array): SoundPrints {
  return { ...tracesOf({ samples: [samples], sampleRate: RATE }), chroma: NONE }
}

function excerpt(samples: Float32Array, from: number, seconds: number): Float32Array {
  return samples.slice(from * RATE, (from + seconds) * RATE)
}

function noisy(samples: Float32Array, share: number): Float32Array {
  const random = seeded(77)
  const level = share * Math.sqrt(samples.reduce((sum, x) => sum + x * x, 0) / samples.length)
  return samples.map((x) => x + level * Math.sqrt(3) * (2 * random() - 1))
}

function faster(samples: Float32Array, rate: number): Float32Array {
  const converter = new Resampler(Math.round(RATE * rate), RATE)
  return Float32Array.from([...converter.push(samples), ...converter.flush()])
}

describe('evidence', () => {
  let lookups: FamilyLookups
  let echoprint: Lookup

  beforeAll(() => {
    const prints = SONGS.map(printsOf)
    echoprint = indexOf(prints.map(({ echoprint }) => echoprint.codes))
    const indexes: Partial<Record<Family, Lookup>> = {
      triplets: indexOf(prints.map(({ landmarks }) => songCodes(landmarks))),
      echoprint,
      chroma: indexOf(prints.map(({ chroma }) => chroma)),
    }
    lookups = (family) => indexes[family] as Lookup
  })

  const find = (samples: Float32Array) => atOnce(identifySound(printsOf(samples), lookups))

  it('knows ten seconds of each song, and where they lie', () => {
    for (const [i, samples] of SONGS.entries()) {
      const found = find(excerpt(samples, 23, 10))
      expect(found.map(({ song }) => song)).toEqual([i])
      expect(found[0]!.family).toBe('triplets')
      expect((found[0]!.offset * 512) / RATE).toBeCloseTo(23, 0)
    }
  })

  it('answers as the old service did', () => {
    const [best] = find(excerpt(SONGS[0]!, 10, 20))
    const { score, message } = formatAnswer(best!)
    expect(Number.isInteger(score) && score > 20 && score < 200).toBe(true)
    expect(message).toMatch(/^OK \(match type [35]\)$/)
    expect(formatAnswer({ ...best!, lead: 1 }).message).toBe('OK (match type 3)')
  })

  it('knows an excerpt in noise as strong as half the music', () => {
    for (const [i, samples] of SONGS.entries()) {
      expect(find(noisy(excerpt(samples, 10, 20), 0.5))[0]?.song).toBe(i)
    }
  })

  it('knows an excerpt that is played at another speed, and tells the speed', () => {
    for (const rate of [0.92, 0.96, 0.99, 1.02, 1.05, 1.08]) {
      const [best] = find(faster(excerpt(SONGS[1]!, 15, 25), rate))
      expect(best?.song).toBe(1)
      expect(best!.rate).toBeGreaterThan(rate - 0.011)
      expect(best!.rate).toBeLessThan(rate + 0.011)
      expect(Math.abs(best!.pitch)).toBeLessThan(0.3)
    }
  })

  it('tells a speed closely that lies beyond those of a first look', () => {
    for (const rate of [0.975, 1.024]) {
      const [best] = find(faster(excerpt(SONGS[1]!, 15, 25), rate))
      expect(best?.song).toBe(1)
      expect(Math.abs(best!.rate - rate)).toBeLessThan(0.004)
    }
  })

  it('knows an excerpt in another key at its tempo, at another tempo in its key, and both', () => {
    for (const { i, semitones = 0, tempo = 1, speed = 1 } of [
      { i: 0, semitones: 1 },
      { i: 0, semitones: -1 },
      { i: 3, tempo: 1.06 },
      { i: 3, tempo: 0.94 },
      { i: 0, semitones: 1, speed: 1.03 },
      { i: 3, tempo: 0.94, speed: 0.98 },
    ]) {
      const plan = PLANS[i]!
      const other = played(i, { key: plan.key + semitones, tempo: plan.tempo * tempo })
      const [best] = find(faster(excerpt(other, 15, 25), speed))
      expect(best?.song).toBe(i)
      expect(best!.rate).toBeGreaterThan(tempo * speed - 0.006)
      expect(best!.rate).toBeLessThan(tempo * speed + 0.006)
      const pitch = semitones - 12 * Math.log2(tempo)
      expect(Math.abs(best!.pitch - pitch)).toBeLessThan(0.3)
      expect((best!.offset * 512) / RATE / tempo).toBeCloseTo(15, 0)
    }
  })

  it('does not know another song, noise, silence or nothing', () => {
    const random = seeded(3)
    const noise = Float32Array.from({ length: 20 * RATE }, () => random() - 0.5)
    for (const samples of [
      excerpt(UNKNOWN, 10, 20),
      noise,
      new Float32Array(20 * RATE),
      Float32Array.of(1),
      new Float32Array(0),
    ]) {
      expect(find(samples)).toEqual([])
    }
  })

  it('knows pieces of a long recording, and lets other work come between all it asks', () => {
    const [first, second] = SONGS as [Float32Array, Float32Array]
    const long = printsOf(Float32Array.from([...first, ...second]))
    const found = atOnce(identifySound(long, lookups))
    expect(found.map(({ song, family }) => ({ song, family }))).toEqual([
      { song: 0, family: 'triplets' },
    ])
    expect((found[0]!.offset * 512) / RATE).toBeCloseTo(0, 0)
    const empty = indexOf([])
    let step = 0
    let inStep = 0
    let most = 0
    const searches: number[] = []
    const frequency = () => {
      most = Math.max(most, ++inStep)
      return 0
    }
    const steps = identifySound(long, () => {
      searches.push(step)
      return { ...empty, frequency }
    })
    while (!steps.next().done) {
      step++
      inStep = 0
    }
    // All songs are counted. Three pieces are asked by few triplets, by many, Echoprint and chroma; and the
    // guesses, a step each: at seven steps of pitch times three of tempo.
    expect(searches).toHaveLength(1 + 3 * 4 + 1)
    const asked = searches.slice(1)
    expect(new Set(asked).size).toBe(asked.length)
    expect(step - asked[6]!).toBeGreaterThan(7 * 3)
    expect(most).toBeLessThanOrEqual(2 * 250)
  })

  const findCodes = (codes: Codes) => atOnce(identifyByCodes('echoprint', codes, echoprint))

  it('knows songs by Echoprint codes alone', () => {
    for (const [i, samples] of SONGS.entries()) {
      const { codes } = printsOf(excerpt(samples, 20, 30)).echoprint
      const { accepted, refused } = findCodes(codes)
      expect(accepted.map(({ song, family }) => ({ song, family }))).toEqual([
        { song: i, family: 'echoprint' },
      ])
      expect(accepted[0]!.aligned).toBeGreaterThan(0.7)
      expect(accepted[0]!.agreeing).toBeGreaterThan(10 * accepted[0]!.chance)
      expect(refused).toEqual([])
    }
  })

  it('says which song was refused', () => {
    const { codes } = printsOf(excerpt(UNKNOWN, 20, 30)).echoprint
    const { accepted, refused } = findCodes(codes)
    expect(accepted).toEqual([])
    expect(refused[0]?.family).toBe('echoprint')
    expect(isMatch(refused[0]!, demandOf('echoprint'), SONGS.length)).toBe(false)
    expect(findCodes(NONE)).toEqual({ accepted: [], refused: [] })
  })
})
