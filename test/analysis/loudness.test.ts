import { describe, expect, it } from 'vitest'
import { channelWeights, kWeighting, LoudnessMeter } from '../../src/analysis/loudness.ts'
import type { Loudness } from '../../src/analysis/loudness-measures.ts'

const RATE = 48_000

/** Sines of 1 kHz: each part is [seconds, peak level in dBFS of each channel]. */
function tone(
  parts: readonly [seconds: number, levels: readonly number[]][],
  sampleRate = RATE,
): Float32Array[] {
  const lengths = parts.map(([seconds]) => Math.round(seconds * sampleRate))
  const total = lengths.reduce((sum, length) => sum + length, 0)
  const channels = parts[0]![1].map(() => new Float32Array(total))
  let from = 0
  parts.forEach(([, levels], p) => {
    levels.forEach((level, c) => {
      const gain = 10 ** (level / 20)
      for (let i = from; i < from + lengths[p]!; i++)
        channels[c]![i] = gain * Math.sin((2 * Math.PI * 1_000 * i) / sampleRate)
    })
    from += lengths[p]!
  })
  return channels
}

function loudnessOf(channels: Float32Array[], sampleRate = RATE): number {
  return measured(channels, sampleRate).integrated
}

function measured(channels: Float32Array[], sampleRate = RATE): Loudness {
  const meter = new LoudnessMeter(sampleRate, channels.length)
  meter.push(channels)
  return meter.finish()!
}

describe('LoudnessMeter', () => {
  const stereo = (level: number) => [level, level]

  it.each([
    ['1', tone([[20, stereo(-23)]]), -23],
    ['2', tone([[20, stereo(-33)]]), -33],
    [
      '3',
      tone([
        [10, stereo(-36)],
        [60, stereo(-23)],
        [10, stereo(-36)],
      ]),
      -23,
    ],
    [
      '4',
      tone([
        [10, stereo(-72)],
        [10, stereo(-36)],
        [60, stereo(-23)],
        [10, stereo(-36)],
        [10, stereo(-72)],
      ]),
      -23,
    ],
    [
      '5',
      tone([
        [20, stereo(-26)],
        [20.1, stereo(-20)],
        [20, stereo(-26)],
      ]),
      -23,
    ],
    ['6', tone([[20, [-28, -28, -24, -30, -30]]]), -23],
  ])('meets case %s of EBU Tech 3341', (_, channels, expected) => {
    expect(Math.abs(loudnessOf(channels) - expected)).toBeLessThanOrEqual(0.1)
  })

  it.each([8_000, 11_025, 22_050, 44_100, 96_000, 192_000])('reads the same at %i Hz', (rate) => {
    expect(loudnessOf(tone([[5, stereo(-23)]], rate), rate)).toBeCloseTo(-23, 1)
  })

  it('has the coefficients that BS.1770 prints for 48 kHz', () => {
    const [shelf, highPass] = kWeighting(48_000)
    expect(shelf.b0).toBeCloseTo(1.53512485958697, 9)
    expect(shelf.b1).toBeCloseTo(-2.69169618940638, 9)
    expect(shelf.b2).toBeCloseTo(1.19839281085285, 9)
    expect(shelf.a1).toBeCloseTo(-1.69065929318241, 9)
    expect(shelf.a2).toBeCloseTo(0.73248077421585, 9)
    expect(highPass.a1).toBeCloseTo(-1.99004745483398, 9)
    expect(highPass.a2).toBeCloseTo(0.99007225036621, 9)
  })

  it('counts mono as one channel, and the bass effects channel not at all', () => {
    const [left] = tone([[5, [-20]]])
    const silent = new Float32Array(left!.length)
    expect(loudnessOf([left!])).toBeCloseTo(loudnessOf([left!, silent]), 6)
    expect(loudnessOf([left!, left!]) - loudnessOf([left!])).toBeCloseTo(3.01, 2)
    expect(loudnessOf([left!, silent, silent, left!, silent, silent])).toBeCloseTo(
      loudnessOf([left!]),
      6,
    )
    expect(channelWeights(6)).toEqual([1, 1, 1, 0, 1.41, 1.41])
  })

  it('does not depend on how the samples are cut', () => {
    const channels = tone([
      [3, [-20, -30]],
      [2, [-50, -12]],
    ])
    const whole = loudnessOf(channels)
    const meter = new LoudnessMeter(RATE, 2)
    const sizes = [1, 4_799, 12_345, 100]
    for (let from = 0, n = 0; from < channels[0]!.length; n++) {
      const to = from + sizes[n % sizes.length]!
      meter.push(channels.map((channel) => channel.subarray(from, to)))
      from = to
    }
    expect(meter.finish()?.integrated).toBeCloseTo(whole, 9)
  })

  it('gates silence', () => {
    expect(loudnessOf([new Float32Array(RATE)])).toBe(-Infinity)
  })

  it.each([1_000, 8_000, 11_025, 22_050, 44_100, 48_000])(
    'begins with a block of 400 ms at %i Hz, and does not know less',
    (rate) => {
      const meter = new LoudnessMeter(rate, 1)
      expect(meter.finish()).toBeUndefined()
      meter.push([new Float32Array(0.4 * rate - 1).fill(0.5)])
      expect(meter.finish()).toBeUndefined()
      meter.push([Float32Array.of(0.5)])
      expect(meter.finish()?.integrated).toBeLessThan(0)
      expect(meter.finish()?.blocks).toHaveLength(2)
    },
  )
})
