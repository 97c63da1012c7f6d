import { describe, expect, it } from 'vitest'
import { windowOf } from '../../src/analysis/meyda.ts'
import { SpectrumStream } from '../../src/audio/spectra/spectrum-stream.ts'
import { seeded } from '../support/music.ts'

function framesOf(samples: Float32Array, cut: number): Float32Array[] {
  const frames: Float32Array[] = []
  const stream = new SpectrumStream(windowOf('hanning', 256), 50, (m) => frames.push(m.slice()))
  for (let from = 0; from < samples.length; from += cut)
    stream.push(samples.subarray(from, from + cut))
  stream.finish()
  return frames
}

describe('SpectrumStream', () => {
  const random = seeded(5)
  const samples = Float32Array.from({ length: 10_007 }, () => random() - 0.5)

  it('makes one frame for each hop, however the samples are cut', () => {
    const whole = framesOf(samples, samples.length)
    expect(whole.length).toBe(Math.ceil(samples.length / 50))
    for (const cut of [1, 49, 333, 5_000]) expect(framesOf(samples, cut)).toEqual(whole)
  })

  it('centres frame i at sample i·hop', () => {
    const click = new Float32Array(2_000)
    click[500] = 1
    const energy = framesOf(click, 2_000).map((m) => m.reduce((sum, x) => sum + x * x, 0))
    expect(energy.indexOf(Math.max(...energy))).toBe(10)
  })

  it('puts a sine in its bin, with the window’s sum as its height', () => {
    const sine = Float32Array.from({ length: 2_000 }, (_, i) =>
      Math.sin((2 * Math.PI * 32 * i) / 256),
    )
    const frame = framesOf(sine, 2_000)[20]!
    expect(frame.indexOf(Math.max(...frame))).toBe(32)
    expect(frame[32]).toBeCloseTo(windowOf('hanning', 256).reduce((a, b) => a + b) / 2, 1)
  })

  it.each([8, 16, 64, 512, 1_024, 2_048])('is the plain transform of %i samples', (size) => {
    const window = Float64Array.from({ length: size }, (_, i) => 1 + Math.sin(i))
    const frames: Float32Array[] = []
    const stream = new SpectrumStream(window, size / 2, (m) => frames.push(m.slice()))
    stream.push(samples.subarray(0, 2 * size))
    stream.finish()
    const padded = new Float32Array(4 * size)
    padded.set(samples.subarray(0, 2 * size), size / 2)
    // Frames are transformed in pairs, each in a lane of its own.
    for (const frame of [0, 1, 2, 3]) {
      const from = (frame * size) / 2
      for (let bin = 0; bin <= size / 2; bin++) {
        let [re, im] = [0, 0]
        for (let i = 0; i < size; i++) {
          const angle = (-2 * Math.PI * ((bin * i) % size)) / size
          re += window[i]! * padded[from + i]! * Math.cos(angle)
          im += window[i]! * padded[from + i]! * Math.sin(angle)
        }
        const plain = Math.hypot(re, im)
        expect(Math.abs(frames[frame]![bin]! - plain)).toBeLessThan(1e-7 * plain + 1e-10)
      }
    }
  })

  it('makes nothing of nothing, and a frame of one sample', () => {
    expect(framesOf(new Float32Array(0), 10)).toEqual([])
    expect(framesOf(new Float32Array(1), 10).length).toBe(1)
  })
})
