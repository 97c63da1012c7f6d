import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AnalysisDocument } from '../../src/analysis/document.ts'
import { summarize } from '../../src/analysis/document-summary.ts'
import { Analyzer, analyze } from '../../src/analyzer/analyzer.ts'
import { Examiner } from '../../src/analyzer/examiner.ts'
import { ParameterError } from '../../src/values/errors.ts'
import { brokenInvariants } from '../support/invariants.ts'
import { seeded, song } from '../support/music.ts'

const RATE = 22_050
const random = seeded(11)

const SHAPES: Record<string, { samples: Float32Array[]; sampleRate: number }> = {
  'one sample': { samples: [Float32Array.of(0.5)], sampleRate: RATE },
  silence: { samples: [new Float32Array(10 * RATE)], sampleRate: RATE },
  '0.2 s': { samples: [song({ seconds: 0.2 }).samples], sampleRate: RATE },
  'a click': { samples: [withClick(3 * RATE, RATE)], sampleRate: RATE },
  'white noise': {
    samples: [Float32Array.from({ length: 12 * RATE }, () => random() - 0.5)],
    sampleRate: RATE,
  },
  'a constant': { samples: [new Float32Array(8 * RATE).fill(0.7)], sampleRate: RATE },
  'a sine': {
    samples: [Float32Array.from({ length: 15 * RATE }, (_, i) => 0.4 * Math.sin(i * 0.125))],
    sampleRate: RATE,
  },
  'a song': { samples: [song({ seconds: 25 }).samples], sampleRate: RATE },
  'a waltz in stereo at 44.1 kHz': stereo(),
  'music after silence': {
    samples: [afterSilence(song({ seconds: 10 }).samples, 6 * RATE)],
    sampleRate: RATE,
  },
  'no numbers among the samples': {
    samples: [spoilt(song({ seconds: 6 }).samples)],
    sampleRate: RATE,
  },
  'far over full scale': {
    samples: [song({ seconds: 6 }).samples.map((x) => 1e6 * x)],
    sampleRate: RATE,
  },
  'the largest numbers there are': {
    samples: [1, 1].map(() => new Float32Array(3 * RATE).fill(3.4e38)),
    sampleRate: RATE,
  },
  'six channels at 8 kHz': {
    samples: Array.from({ length: 6 }, () => song({ seconds: 6, sampleRate: 8_000 }).samples),
    sampleRate: 8_000,
  },
}

function withClick(length: number, at: number): Float32Array {
  const samples = new Float32Array(length)
  samples[at] = 1
  return samples
}

function stereo(): { samples: Float32Array[]; sampleRate: number } {
  const plan = { seconds: 20, sampleRate: 44_100, tempo: 150, beatsPerBar: 3, key: 7 }
  return {
    samples: [song(plan).samples, song({ ...plan, drums: false }).samples],
    sampleRate: 44_100,
  }
}

function afterSilence(samples: Float32Array, silence: number): Float32Array {
  const out = new Float32Array(silence + samples.length)
  out.set(samples, silence)
  return out
}

function spoilt(samples: Float32Array): Float32Array {
  const out = samples.slice()
  out[100] = Number.NaN
  out[50_000] = Number.POSITIVE_INFINITY
  return out
}

describe.each(Object.entries(SHAPES))('the document of %s', (_, input) => {
  const before = input.samples.map((samples) => samples.slice())
  let document: AnalysisDocument
  beforeAll(() => {
    document = analyze(input)
  })

  it('lasts as long as its samples', () => {
    const { track } = document
    expect(track.duration).toBe(track.num_samples / 22_050)
    const length = input.samples[0]!.length
    expect(track.num_samples).toBe(Math.ceil((length * 22_050) / input.sampleRate))
    expect(document.meta.seconds).toBe(Math.floor(track.duration))
  })

  it('keeps the rules of the published document', () => {
    expect(brokenInvariants(document)).toEqual([])
  })

  it('has values of the kinds that programs expect', () => {
    const { track, sections } = document
    for (const part of [track, ...sections]) {
      expect(part.key).toBeOneOf([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
      expect(part.mode).toBeOneOf([0, 1])
      expect(part.time_signature).toBeOneOf([3, 4, 5, 6, 7])
      if (part !== track || track.duration >= 0.4) expect(part.loudness).toBeGreaterThanOrEqual(-60)
    }
    expect(track.loudness === null).toBe(track.duration < 0.4)
    expect(track.end_of_fade_in).toBeGreaterThanOrEqual(0)
    expect(track.end_of_fade_in).toBeLessThanOrEqual(track.start_of_fade_out)
    expect(track.start_of_fade_out).toBeLessThanOrEqual(track.duration)
  })

  it('leaves the samples as they were', () => {
    input.samples.forEach((samples, c) => {
      expect(Buffer.from(samples.buffer).equals(Buffer.from(before[c]!.buffer))).toBe(true)
    })
  })
})

describe('analyze', () => {
  const { samples, sampleRate, beats } = song({ seconds: 30, tempo: 120, key: 9, mode: 0 })
  const document = analyze({ samples: [samples], sampleRate })

  it('finds tempo, beats and key of a simple song', () => {
    expect(document.track.tempo).toBeCloseTo(120, 0)
    expect(document.track).toMatchObject({ key: 9, mode: 0, time_signature: 4 })
    const starts = document.beats.map(({ start }) => start)
    const hit = beats.filter((beat) => starts.some((start) => Math.abs(start - beat) < 0.05))
    expect(hit.length).toBeGreaterThan(0.8 * beats.length)
  })

  it('gives the MD5 of the samples as 16-bit integers', () => {
    const numbers = Int16Array.from(samples, (x) =>
      Math.max(-32_768, Math.min(32_767, Math.round(x * 32_768))),
    )
    const expected = createHash('md5').update(new Uint8Array(numbers.buffer)).digest('hex')
    expect(document.track.sample_md5).toBe(expected)
  })

  it.each([
    ['silence', 0],
    ['a tone', 0.3],
  ])('hears no beat, no tempo and no key in %s', (_, gain) => {
    const samples = Float32Array.from({ length: 12 * RATE }, (_, i) => {
      return gain * Math.sin((2 * Math.PI * 440 * i) / RATE)
    })
    const document = analyze({ samples: [samples], sampleRate: RATE })
    const { track, beats, bars, tatums, sections } = document
    expect([beats, bars, tatums]).toEqual([[], [], []])
    expect(track).toMatchObject({ tempo: 0, tempo_confidence: 0, time_signature_confidence: 0 })
    expect(track).toMatchObject({ key_confidence: 0, mode_confidence: 0 })
    expect(sections[0]).toMatchObject({ tempo: 0, key_confidence: 0, mode_confidence: 0 })
    expect(summarize(document)).toMatchObject({ tempo: 0, timeSignature: 0, keyConfidence: 0 })
  })

  it('gives silence the published vector and floor', () => {
    const silence = analyze({ samples: [new Float32Array(3 * RATE)], sampleRate: RATE })
    expect(silence.track.loudness).toBe(-60)
    expect(silence.segments[0]).toMatchObject({ loudness_max: -60, loudness_start: -60 })
    expect(silence.segments[0]!.timbre.map((c) => Number(c.toFixed(3)))).toEqual([
      0, 171.13, 9.469, -28.48, 57.491, -50.067, 14.833, 5.359, -27.228, 0.973, -10.64, -7.228,
    ])
  })

  it('knows a gain only by its loudness', () => {
    const louder = analyze({ samples: [samples.map((x) => 0.5 * x)], sampleRate })
    expect(louder.track.loudness! - document.track.loudness!).toBeCloseTo(-6.02, 2)
    expect(louder.track.tempo).toBeCloseTo(document.track.tempo, 3)
    expect(louder.segments.length).toBe(document.segments.length)
    louder.segments.forEach((segment, i) => {
      const original = document.segments[i]!
      expect(segment.start).toBeCloseTo(original.start, 3)
      expect(segment.timbre[0]! - original.timbre[0]!).toBeCloseTo(-6.02, 1)
      for (let k = 1; k < 12; k++)
        expect(Math.abs(segment.timbre[k]! - original.timbre[k]!)).toBeLessThan(0.6)
      segment.pitches.forEach((pitch, c) => {
        expect(pitch).toBeCloseTo(original.pitches[c]!, 2)
      })
    })
    expect(louder.sections.map(({ start }) => start)).toEqual(
      document.sections.map(({ start }) => start),
    )
  })

  it.each([false, true])('streams to the same document, with fingerprints: %s', (fingerprints) => {
    const streamed = new Analyzer({ sampleRate, channels: 1, fingerprints })
    const sizes = [1, 1_000, 8_191, 30_000]
    for (let from = 0, n = 0; from < samples.length; n++) {
      const to = Math.min(samples.length, from + sizes[n % sizes.length]!)
      streamed.push([samples.subarray(from, to)])
      from = to
    }
    const atOnce = analyze({ samples: [samples], sampleRate, fingerprints })
    expect({ ...streamed.finish(), meta: null }).toEqual({ ...atOnce, meta: null })
  })

  it('gives the document and the summary that a file of the same samples gets', () => {
    const examiner = new Examiner({ sampleRate, channels: 1 })
    examiner.push([samples])
    const { document: other } = examiner.finish()
    const printed = analyze({ samples: [samples], sampleRate, fingerprints: true })
    expect({ ...other, meta: null }).toEqual({ ...printed, meta: null })
    expect(Object.keys(other.track)).toEqual(Object.keys(printed.track))
    expect(summarize(other)).toMatchObject({
      duration: document.track.duration,
      tempo: document.track.tempo,
      key: document.track.key,
      loudness: document.track.loudness,
      audioMd5: document.track.sample_md5,
    })
  })

  it('takes fingerprints when it is asked to, and says so by type', () => {
    const plain = analyze({ samples: [samples], sampleRate, fingerprints: false })
    expect(Object.keys(plain.track).filter((name) => /code|echoprint/.test(name))).toEqual([])
    // @ts-expect-error a document without fingerprints has no such field
    expect(plain.track.codestring).toBeUndefined()
    const { track } = analyze({ samples: [samples], sampleRate, fingerprints: true })
    const strings: string[] = [track.codestring, track.echoprintstring]
    for (const text of strings) expect(text).toMatch(/^eJ[\w-]{50,}=*$/)
    const { codestring, code_version, echoprintstring, echoprint_version, ...rest } = track
    expect({ code_version, echoprint_version }).toEqual({
      code_version: 3.15,
      echoprint_version: 4.12,
    })
    expect(rest).toEqual(plain.track)
    const perhaps: AnalysisDocument[] = [plain, { ...plain, track }]
    expect(perhaps.map(({ track }) => track.codestring)).toEqual([undefined, codestring])
  })

  it('names no operating system, so that it is the same everywhere', () => {
    expect(document.meta.platform).toBe('JavaScript')
  })

  it('refuses what is no audio', () => {
    const channel = new Float32Array(100)
    const wrong = [
      { samples: [], sampleRate: RATE },
      { samples: [new Float32Array(0)], sampleRate: RATE },
      { samples: [channel, new Float32Array(99)], sampleRate: RATE },
      { samples: [channel], sampleRate: 0 },
      { samples: [channel], sampleRate: 44_100.5 },
      { samples: [channel], sampleRate: Number.NaN },
    ]
    for (const input of wrong) expect(() => analyze(input)).toThrow(ParameterError)
    const bare = channel as unknown as Float32Array[]
    expect(() => analyze({ samples: bare, sampleRate: RATE })).toThrow(/a Float32Array for each/)
    const numbers = [[0, 0.5]] as unknown as Float32Array[]
    expect(() => analyze({ samples: numbers, sampleRate: RATE })).toThrow(/a Float32Array for each/)
    const misspelt = { samples: [channel], sampleRate: RATE, fingerprint: true }
    expect(() => analyze(misspelt)).toThrow(/fingerprint - .*samples, sampleRate, fingerprints/)
    expect(() => new Analyzer({ sampleRate: RATE, channels: 0 })).toThrow(ParameterError)
    const analyzer = new Analyzer({ sampleRate: RATE, channels: 2 })
    expect(() => analyzer.push([channel])).toThrow(/2 of one length/)
    expect(() => analyzer.finish()).toThrow(ParameterError)
    analyzer.push([channel, channel])
    analyzer.finish()
    expect(() => analyzer.push([channel, channel])).toThrow(/finished/)
    expect(() => analyzer.finish()).toThrow(/finished/)
  })
})

describe('the strings', () => {
  const { samples, sampleRate } = song({ seconds: 40 })
  const { track }: AnalysisDocument = analyze({ samples: [samples], sampleRate })
  const numbersOf = (text: string) => {
    expect(text).toMatch(/^[\w-]+=*$/)
    const bytes = Buffer.from(text.replaceAll('-', '+').replaceAll('_', '/'), 'base64')
    return inflateSync(bytes).toString('latin1').split(' ').map(Number)
  }

  it('gives a synchstring whose crossings are the samples’ own', () => {
    const numbers = numbersOf(track.synchstring)
    expect(numbers.splice(0, 2)).toEqual([22_050, 3])
    const starts: number[] = []
    for (let chunk = 0; chunk < 3; chunk++) {
      const count = numbers.shift()!
      const [first, ...steps] = numbers.splice(0, count)
      starts.push(first!)
      expect(steps.reduce((sum, step) => sum + step, 0)).toBeLessThanOrEqual(22_050)
      let at = first!
      for (const step of [0, ...steps]) {
        at += step
        expect(samples[at - 1]! < 0 && samples[at]! >= 0).toBe(true)
      }
    }
    expect(numbers).toEqual([])
    expect(starts[0]).toBeLessThan(22_050)
    expect(Math.abs(starts[1]! / 22_050 - 20)).toBeLessThan(1.5)
    expect(starts[2]! / 22_050).toBeGreaterThan(33)
  })

  it('gives a rhythmstring of eight bands with rising onsets', () => {
    const numbers = numbersOf(track.rhythmstring)
    expect(numbers.splice(0, 3)).toEqual([11_025, 32, 8])
    let onsets = 0
    for (let band = 0; band < 8; band++) {
      const count = numbers.shift()!
      const [, ...steps] = numbers.splice(0, count)
      expect(steps.every((step) => step > 0)).toBe(true)
      onsets += count
    }
    expect(numbers).toEqual([])
    expect(onsets).toBeGreaterThan(100)
  })
})
