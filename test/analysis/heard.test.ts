import { describe, expect, it } from 'vitest'
import { Network, SCORES } from '../../src/analysis/activation/network.ts'
import { ACTIVATION } from '../../src/analysis/activation/network-weights.ts'
import { heardOf, SPEEDS } from '../../src/analysis/heard.ts'
import type { RhythmSpectrum } from '../../src/analysis/novelty.ts'
import { beatTimes, noveltyOf, play, ROCK } from './drum-patterns.ts'

const network = new Network(ACTIVATION.form, ACTIVATION.weights)
const SECONDS = 40
/** Frames after which the grid repeats. */
const PERIOD = 50

function rockAt(bpm: number): RhythmSpectrum {
  return noveltyOf(play(ROCK, beatTimes(bpm, SECONDS), SECONDS)).spectrum
}

function without(spectrum: RhythmSpectrum, frames: number): RhythmSpectrum {
  return {
    ...spectrum,
    frames: spectrum.frames - frames,
    levels: spectrum.levels.subarray(frames * spectrum.bands),
    phase: (spectrum.phase + frames) % PERIOD,
  }
}

describe('heardOf', () => {
  it('has at each speed a whole number of frames in a period of the grid', () => {
    for (const speed of SPEEDS) expect(PERIOD / speed).toBeCloseTo(Math.round(PERIOD / speed), 9)
  })

  it.each([1, 7, 25, 49, 120])(
    'says the same of music that lacks its first %d frames',
    (frames) => {
      const whole = rockAt(118)
      const [all, rest] = [whole, without(whole, frames)].map((one) => heardOf(one, network).mean)
      // What is heard 20 s away has a say: only the end is as far from what is missing.
      const from = 1_700
      for (let frame = from; frame < whole.frames; frame++)
        expect(Math.abs(rest!.beat[frame - frames]! - all!.beat[frame]!)).toBeLessThan(0.02)
    },
  )

  it('is the mean of what is heard at three speeds, each where it belongs', () => {
    const [frames, bands] = [150, 2]
    const levels = Uint8Array.from({ length: frames * bands }, (_, i) => Math.floor(i / bands))
    const lengths: number[] = []
    // Hears a beat by as many nats as the level is, and one more each time.
    const listener = {
      hear(spectrum: RhythmSpectrum) {
        lengths.push(spectrum.frames)
        const scores = new Float32Array(spectrum.frames * SCORES.count)
        for (let frame = 0; frame < spectrum.frames; frame++)
          scores[frame * SCORES.count + SCORES.beat] =
            spectrum.levels[frame * bands]! + lengths.length
        return { scores, means: new Float64Array(320) }
      },
    } as unknown as Network
    const { own, mean } = heardOf({ fps: 50, frames, bands, levels, phase: 13 }, listener)
    const shares = [1, ...SPEEDS].map((speed) => Math.round(frames / speed))
    for (const [i, length] of lengths.entries())
      expect(Math.abs(length - shares[i]!)).toBeLessThan(2)
    for (let frame = 2; frame < frames - 2; frame++)
      expect(Math.abs(mean.beat[frame]! - frame - 2)).toBeLessThan(0.5)
    expect([...own.beat]).toEqual(Array.from({ length: frames }, (_, frame) => frame + 1))
  })

  it.each([0, 1, 2, 9])('hears %d frames', (frames) => {
    const { mean } = heardOf(
      {
        ...rockAt(118),
        frames,
        levels: rockAt(118).levels.subarray(0, frames * ACTIVATION.form.bands),
      },
      network,
    )
    expect([mean.beat.length, mean.down.length]).toEqual([frames, frames])
    for (const odds of [...mean.beat, ...mean.down]) expect(Number.isFinite(odds)).toBe(true)
  })
})
