import { describe, expect, it } from 'vitest'
import { simdKernel } from '../../src/analysis/activation/kernel.ts'
import { LiveNetwork } from '../../src/analysis/activation/live-network.ts'
import { Network, SCORES } from '../../src/analysis/activation/network.ts'
import { ACTIVATION } from '../../src/analysis/activation/network-weights.ts'
import type { RhythmSpectrum } from '../../src/analysis/novelty.ts'
import { seeded } from '../support/music.ts'
import { beatTimes, noveltyOf, play, ROCK } from './drum-patterns.ts'
import { plainKernel } from './plain-kernel.ts'

const network = new Network(ACTIVATION.form, ACTIVATION.weights)
const SECONDS = 12
const beats = beatTimes(120, SECONDS)
const rock = noveltyOf(play(ROCK, beats, SECONDS)).spectrum

/** Levels without sense, for as many frames as asked. */
function noise(frames: number): RhythmSpectrum {
  const random = seeded(frames)
  const { bands } = ACTIVATION.form
  const levels = Uint8Array.from({ length: frames * bands }, () => 200 * random() ** 3)
  return { fps: rock.fps, frames, bands, levels }
}

describe('the network', () => {
  it('says the same by both kernels, to the bit', () => {
    const simd = simdKernel()
    for (const spectrum of [rock, noise(1), noise(6), noise(1_003)]) {
      const fast = network.scoreSpectrum(spectrum, simd)
      const plain = network.scoreSpectrum(spectrum, plainKernel())
      const bits = new Uint32Array(fast.buffer)
      expect(bits).toEqual(new Uint32Array(plain.buffer))
    }
  })

  it('hears long music in pieces without a seam', () => {
    const long = noise(18_000)
    const whole = network.scoreSpectrum(long)
    const from = 15_000
    const { bands } = ACTIVATION.form
    const later = network.scoreSpectrum({
      ...long,
      frames: long.frames - from,
      levels: long.levels.subarray(from * bands),
    })
    // What is more than its reach after the cut is the same.
    const at = 1_500 * SCORES.count
    expect(later.slice(at)).toEqual(whole.slice(from * SCORES.count + at))
  })

  it('hears the beats of drums, and not what is between them', () => {
    const scores = network.scoreSpectrum(rock)
    const odds = (seconds: number): number => {
      const row = Math.round(seconds * rock.fps - 0.25) * SCORES.count
      const { none, beat, down } = SCORES
      return Math.max(scores[row + beat]!, scores[row + down]!) - scores[row + none]!
    }
    const inner = beats.slice(2, -2)
    expect(inner.filter((time) => odds(time) > 0).length / inner.length).toBeGreaterThan(0.9)
    expect(inner.filter((time) => odds(time + 0.125) > 0).length / inner.length).toBeLessThan(0.1)
  })

  it.each([0, 2, 5])('hears a stream as music that ends %d frames later, to the bit', (ahead) => {
    const spectrum = noise(2_300)
    const { bands, levels } = spectrum
    const live = new LiveNetwork(ACTIVATION.form, ACTIVATION.weights, ahead)
    const scores = new Float32Array(SCORES.count)
    const hearTo = (frames: number, check: (frame: number) => boolean) => {
      for (let frame = 0; frame < frames; frame++) {
        const row = levels.subarray(frame * bands, (frame + 1) * bands)
        expect(live.scoreFrame(row, scores)).toBe(frame >= ahead)
        if (frame < ahead || !check(frame)) continue
        const cut = {
          ...spectrum,
          frames: frame + 1,
          levels: levels.subarray(0, (frame + 1) * bands),
        }
        const at = (frame - ahead) * SCORES.count
        expect(scores).toEqual(network.scoreSpectrum(cut).subarray(at, at + SCORES.count))
      }
    }
    hearTo(2_300, (frame) => frame < 6 || frame % 570 === 9)
    live.reset()
    hearTo(30, (frame) => frame % 7 === 6)
  })

  it('says nothing of nothing', () => {
    expect(network.scoreSpectrum(noise(0))).toEqual(new Float32Array(0))
  })
})
