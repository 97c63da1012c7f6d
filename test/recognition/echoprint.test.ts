import { readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import {
  type EchoprintKernel,
  POWERS_CARRY,
  PREDICTION_ORDER,
  WHITENED_CARRY,
} from '../../src/recognition/systems/echoprint/kernel.ts'
import { createEchoprintKernel } from '../../src/recognition/systems/echoprint/simd.ts'
import {
  codesFromOnsets,
  computeEchoprint,
  EchoprintCoder,
} from '../../src/recognition/systems/echoprint.ts'
import { ECHOPRINT_SYSTEM } from '../../src/recognition/systems/version.ts'
import { AudileError } from '../../src/values/errors.ts'
import { joined } from '../support/decoded.ts'
import { integerClip } from '../support/integer-clips.ts'
import { plainKernel } from './plain-kernel.ts'

const RATE = ECHOPRINT_SYSTEM.sampleRate
const KERNELS: [name: string, make: () => EchoprintKernel][] = [
  ['plain', plainKernel],
  ['SIMD', createEchoprintKernel],
]

/** What the original generator made of an integer clip. */
function golden(name: string): { times: number[]; codes: number[]; onsets: number[][] } {
  const url = new URL(`../golden/echoprint-${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(url, 'utf8'))
}

const plain = ({ codes, onsets }: ReturnType<typeof computeEchoprint>) => ({
  times: [...codes.times],
  codes: [...codes.codes],
  onsets: onsets.map((frames) => [...frames]),
})

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return state / 2 ** 31
  }
}

const silence = (seconds: number) => new Float32Array(Math.round(seconds * RATE))
const tone = (seconds: number, hertz: number, peak = 0.9) =>
  silence(seconds).map((_, i) => peak * Math.sin((2 * Math.PI * hertz * i) / RATE))
const noise = (seconds: number, seed = 1, peak = 0.5) => {
  const random = seeded(seed)
  return silence(seconds).map(() => peak * random())
}

describe.each(KERNELS)('the %s kernel', (_, make) => {
  test.each(['bursts', 'saw'] as const)('makes the codes of the original: %s', (name) => {
    expect(plain(computeEchoprint(integerClip(name), { kernel: make() }))).toEqual(golden(name))
  })

  test('makes no codes of two seconds, of one sample, of nothing', () => {
    const kernel = make()
    for (const samples of [integerClip('short'), new Float32Array(1), new Float32Array(0)]) {
      const { codes, onsets } = computeEchoprint(samples, { kernel })
      expect(codes.codes).toHaveLength(0)
      expect(codes.times).toHaveLength(0)
      expect(onsets).toHaveLength(8)
    }
  })

  test('makes the same codes however the samples are cut', () => {
    const kernel = make()
    const samples = joined([integerClip('saw').subarray(0, 11 * RATE), noise(1)])
    const whole = plain(computeEchoprint(samples, { kernel }))
    const random = seeded(7)
    for (const most of [1, 40, 9_999, 10_000, 10_001, 20_000, 100_000]) {
      const coder = new EchoprintCoder({ kernel })
      for (let from = 0; from < samples.length; ) {
        const length = most === 1 || most > 9_000 ? most : 1 + Math.floor(Math.abs(random()) * most)
        coder.push(samples.subarray(from, from + length))
        from += length
      }
      expect(plain(coder.finish()), `cut at ${most}`).toEqual(whole)
    }
  })

  test('serves coders in turn', () => {
    const kernel = make()
    const names = ['bursts', 'saw'] as const
    const coders = names.map(() => new EchoprintCoder({ kernel }))
    const clips = names.map(integerClip)
    for (let from = 0; from < 30 * RATE; from += 7001) {
      for (const [i, coder] of coders.entries()) coder.push(clips[i]!.subarray(from, from + 7001))
    }
    for (const [i, name] of names.entries()) {
      expect(plain(coders[i]!.finish())).toEqual(golden(name))
    }
  })
})

describe('both kernels', () => {
  const plainly = plainKernel()
  const simd = createEchoprintKernel()

  test('agree in every bit of every buffer', () => {
    const random = seeded(3)
    for (const length of [1, 2, 15, 39, 40, 41, 56, 500, 9_999, 10_000]) {
      const scale = 10 ** (random() * 10)
      for (const kernel of [plainly, simd]) kernel.samples.fill(0)
      for (let i = 0; i < PREDICTION_ORDER + length; i++) {
        simd.samples[i] = plainly.samples[i] = scale * random()
      }
      for (let i = 1; i <= PREDICTION_ORDER; i++)
        simd.predictor[i] = plainly.predictor[i] = random()
      const frames = Math.max(0, Math.floor((length - 120) / 8))
      const steps = Math.max(0, Math.floor(frames / 4) - 1)
      for (const kernel of [plainly, simd]) {
        kernel.correlate(length)
        kernel.predict(length)
        kernel.subbands(WHITENED_CARRY, frames)
        kernel.smooth(POWERS_CARRY, steps)
      }
      const bits = ({ correlation, whitened, powers, envelopes }: EchoprintKernel) => [
        bitsOf(correlation),
        bitsOf(whitened.slice(WHITENED_CARRY, WHITENED_CARRY + length)),
        bitsOf(powers.slice(POWERS_CARRY * 8, (POWERS_CARRY + frames) * 8)),
        bitsOf(envelopes.slice(0, steps * 8)),
      ]
      expect(bits(simd), `${length} samples`).toEqual(bits(plainly))
    }
  })

  test.each<[string, () => Float32Array]>([
    ['silence', () => silence(20)],
    ['a constant', () => silence(20).fill(0.7)],
    ['full-scale noise', () => noise(20, 5, 4)],
    ['a low tone', () => tone(20, 30)],
    ['a click in silence', () => silence(20).fill(1, 99_000, 99_001)],
    ['square waves at full scale', () => tone(20, 3).map((x) => Math.sign(x) || 1)],
    ['music, silence, music', () => joined([integerClip('saw'), silence(9), integerClip('saw')])],
    ['samples that are no numbers', () => noise(20).map((x, i) => (i % 999 ? x : Number.NaN))],
    ['infinite samples', () => noise(20).map((x, i) => (i % 999 ? x : x / 0))],
  ])('agree about %s', (_, make) => {
    const samples = make()
    expect(plain(computeEchoprint(samples, { kernel: simd }))).toEqual(
      plain(computeEchoprint(samples, { kernel: plainly })),
    )
  })

  test('go on after a tone and many minutes of silence', () => {
    // Long enough for the running correlation to shrink to the smallest numbers there are.
    const samples = joined([tone(5, 60), silence(12 * 60), integerClip('bursts')])
    const { onsets } = computeEchoprint(samples, { kernel: simd })
    const resumed = ((5 + 12 * 60) * RATE) / ECHOPRINT_SYSTEM.frame
    for (const frames of onsets) {
      expect(frames.filter((frame) => frame > resumed).length).toBeGreaterThan(5)
    }
    expect(plain(computeEchoprint(samples, { kernel: plainly })).onsets).toEqual(
      onsets.map((frames) => [...frames]),
    )
  })
})

describe('the coder', () => {
  test('reads samples as 16 bits: a little less or more is the same, over full scale is clipped', () => {
    const samples = integerClip('bursts')
    const whole = plain(computeEchoprint(samples))
    expect(plain(computeEchoprint(samples.map((x) => x + 0.4 / 32_768)))).toEqual(whole)
    expect(plain(computeEchoprint(samples.map((x) => x - 0.4 / 32_768)))).toEqual(whole)
    const loud = samples.map((x) => 3 * x)
    const clipped = loud.map((x) => Math.max(-1, Math.min(32_767 / 32_768, x)))
    expect(plain(computeEchoprint(loud))).toEqual(plain(computeEchoprint(clipped)))
  })

  test('neither keeps nor changes the samples', () => {
    const samples = integerClip('saw')
    const copy = samples.slice()
    const coder = new EchoprintCoder()
    coder.push(samples)
    expect(Buffer.from(samples.buffer).equals(Buffer.from(copy.buffer))).toBe(true)
    samples.fill(0)
    expect(plain(coder.finish())).toEqual(golden('saw'))
  })

  test('counts times from the start offset', () => {
    const { codes, times } = golden('bursts')
    const late = computeEchoprint(integerClip('bursts'), { startOffset: 60 }).codes
    expect([...late.codes]).toEqual(codes)
    const shift = (60 * 1000) / ECHOPRINT_SYSTEM.timeUnit
    for (const [i, time] of times.entries()) {
      expect(Math.abs(late.times[i]! - time - shift)).toBeLessThanOrEqual(2)
    }
  })

  test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])(
    'refuses the start offset %f',
    (startOffset) => {
      expect(() => new EchoprintCoder({ startOffset })).toThrow(
        /startOffset must be a whole number/,
      )
    },
  )

  test('stops where times would have more than five digits', () => {
    const offset = 24_117 - 20
    const { codes, onsets } = computeEchoprint(integerClip('bursts'), { startOffset: offset })
    expect(plain(computeEchoprint(integerClip('bursts').subarray(0, 20 * RATE))).onsets).toEqual(
      onsets.map((frames) => [...frames]),
    )
    expect(codes.codes.length).toBeGreaterThan(0)
    expect(codes.times.every((time) => time <= ECHOPRINT_SYSTEM.lastTime)).toBe(true)
    expect(computeEchoprint(noise(3), { startOffset: 30_000 }).codes.codes).toHaveLength(0)
  })

  test('takes hours in the memory of a block', () => {
    const coder = new EchoprintCoder()
    const minute = joined([integerClip('saw'), integerClip('bursts')])
    for (let i = 0; i < 10; i++) coder.push(minute)
    const before = process.memoryUsage().arrayBuffers
    for (let i = 0; i < 110; i++) coder.push(minute)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1e6)
    const { codes } = coder.finish()
    expect(codes.codes.length / (2 * 3600)).toBeGreaterThan(10)
  })
})

describe('codes of onsets', () => {
  const { onsets } = computeEchoprint(integerClip('saw'))

  test('are the codes', () => {
    const { codes, times } = codesFromOnsets(onsets)
    expect({ codes: [...codes], times: [...times] }).toEqual({
      codes: golden('saw').codes,
      times: golden('saw').times,
    })
  })

  test('end in each band with the stop codes', () => {
    for (const [band, frames] of onsets.entries()) {
      const alone = onsets.map((_, i) => (i === band ? frames : new Uint32Array(0)))
      const { codes } = codesFromOnsets(alone)
      const stop = ECHOPRINT_SYSTEM.stopCodes[band]!
      expect(codes.filter((code) => code === stop)).toHaveLength(8)
      expect([...codes.slice(-5)]).toEqual(Array(5).fill(stop))
    }
  })

  test('are none for two onsets, and mostly stop codes for three', () => {
    expect(codesFromOnsets([Uint32Array.of(100, 300)]).codes).toHaveLength(0)
    const { codes, times } = codesFromOnsets([Uint32Array.of(100, 300, 600)])
    expect([...codes.slice(1)]).toEqual(Array(5).fill(ECHOPRINT_SYSTEM.stopCodes[0]))
    expect(new Set(times).size).toBe(1)
  })
})

test('an error says what to do where WebAssembly refuses its module, or is missing', () => {
  const refusing = class {
    constructor() {
      throw new Error('no SIMD')
    }
  }
  try {
    for (const WebAssembly of [{ Module: refusing, Instance: refusing }, undefined]) {
      vi.stubGlobal('WebAssembly', WebAssembly)
      expect(createEchoprintKernel).toThrow(AudileError)
      expect(createEchoprintKernel).toThrow(/cannot be used here: .*'wasm-unsafe-eval'.*--jitless/)
    }
  } finally {
    vi.unstubAllGlobals()
  }
})

function bitsOf(values: Float32Array): number[] {
  return [...new Uint32Array(values.slice().buffer)]
}
