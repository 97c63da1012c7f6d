import { describe, expect, it } from 'vitest'
import { atOnce } from '../../src/kernel/scheduler.ts'
import { identifySound, type SoundPrints } from '../../src/recognition/search/identifying.ts'
import type { Codes } from '../../src/recognition/systems/codes.ts'
import { songCodes } from '../../src/recognition/systems/triplets.ts'
import type { Family } from '../../src/recognition/systems/version.ts'
import { indexOf } from '../support/code-index.ts'
import { seeded, song } from '../support/music.ts'
import { openInline } from '../support/open.ts'
import { tracesOf } from '../support/prints.ts'

const RATE = 11_025
const NONE = { codes: new Uint32Array(0), times: new Uint32Array(0) }

/** Soft tones of 45 to 105 Hz, four a second, below all landmarks. */
function lowTones(seed: number, seconds: number): Float32Array {
  const random = seeded(seed)
  const samples = new Float32Array(seconds * RATE)
  for (let at = 0; at < seconds - 1; at += 0.125 + 0.25 * random()) {
    const frequency = 45 + 60 * random()
    const level = 0.2 + 0.3 * random()
    const from = Math.floor(at * RATE)
    for (let i = 0; i < 0.8 * RATE; i++) {
      const time = i / RATE
      const envelope = Math.min(1, time / 0.02) * Math.exp(-time / 0.25)
      samples[from + i]! += level * envelope * Math.sin(2 * Math.PI * frequency * time)
    }
  }
  return samples
}

function printsOf(samples: Float32Array): SoundPrints {
  return { ...tracesOf({ samples: [samples], sampleRate: RATE }), chroma: NONE }
}

describe('a recording that landmarks hardly hear', () => {
  it('is known by its Echoprint code, by as much as suffices for a code alone', async () => {
    const music = await openInline()
    const pieces = [1, 2, 3].map((seed) => lowTones(seed, 60))
    const uploads = pieces.map((samples) => {
      return music.tracks.upload({ samples: [samples], sampleRate: RATE, wait: true })
    })
    const [, track] = await Promise.all(uploads)
    const excerpt = { samples: [pieces[1]!], sampleRate: RATE, start: 20, length: 10 }
    const [found, ...others] = await music.songs.identify(excerpt, { evidence: true })
    expect(found?.id).toBe(track?.answer.songId)
    expect(others).toEqual([])
    expect(found?.evidence?.system).toBe('echoprint')
    // Landmarks that had heard the music would have had it found by them.
    expect(found?.evidence?.score).toBeLessThan(25)
    const unknown = { samples: [lowTones(4, 30)], sampleRate: RATE }
    expect(await music.songs.identify(unknown)).toEqual([])
  })
})

describe('two systems that know a little of a recording', () => {
  const samples = song({ seconds: 60, sampleRate: RATE }, seeded(5)).samples
  const { landmarks, echoprint } = printsOf(samples)
  const query = printsOf(samples.slice(20 * RATE, 40 * RATE))

  /** Every so many-th code, later by some units of time. */
  const some = ({ codes, times }: Codes, step: number, later = 0): Codes => ({
    codes: codes.filter((_, i) => i % step === 0),
    times: times.filter((_, i) => i % step === 0).map((time) => time + later),
  })
  const find = (indexed: Partial<Record<Family, Codes>>) => {
    const lookup = (family: Family) => indexOf([indexed[family] ?? NONE])
    return atOnce(identifySound(query, lookup))
  }
  const triplets = some(songCodes(landmarks), 40)
  const codes = (later?: number) => some(echoprint.codes, 20, later)

  it('identify it together, if they place the query at one offset', () => {
    expect(find({ triplets })).toEqual([])
    expect(find({ echoprint: codes() })).toEqual([])
    const [found] = find({ triplets, echoprint: codes() })
    expect(found).toMatchObject({ song: 0, family: 'triplets' })
    expect((found!.offset * 512) / RATE).toBeCloseTo(20, 0)
    expect(find({ triplets, echoprint: codes(50) })).toEqual([])
  })
})
