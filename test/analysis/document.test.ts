import { describe, expect, it } from 'vitest'
import { documentText, stringifyAnalysis } from '../../src/analysis/document.ts'
import { analyze } from '../../src/analyzer/analyzer.ts'
import { brokenInvariants } from '../support/invariants.ts'
import { song } from '../support/music.ts'

describe('stringifyAnalysis', () => {
  const { samples, sampleRate } = song({ seconds: 8 })
  const document = analyze({ samples: [samples], sampleRate })
  const text = stringifyAnalysis(document)

  it('writes five decimals for times and three for other numbers', () => {
    expect(text).toMatch(/"duration":8\.00000/)
    expect(text).toMatch(/"tempo":\d+\.\d{3},/)
    expect(text).toMatch(/"start":0\.00000,/)
    expect(text).toMatch(/"confidence":1\.000/)
    expect(text).toMatch(/"pitches":\[(\d\.\d{3},){11}\d\.\d{3}\]/)
    expect(text).toMatch(/"timbre":\[(-?\d+\.\d{3},){11}-?\d+\.\d{3}\]/)
    expect(text).toContain('"synch_version":1.0,')
    expect(text).not.toMatch(/[:[,]-0\.0+[,\]}]/)
  })

  it('leaves integers whole', () => {
    expect(text).toMatch(/"num_samples":176400,/)
    expect(text).toMatch(/"key":\d+,/)
    expect(text).toMatch(/"mode":[01],/)
    expect(text).toMatch(/"time_signature":\d,/)
    expect(text).toMatch(/"timestamp":\d+,/)
  })

  it('writes meta in the published order, with what the caller adds', () => {
    const meta = { ...document.meta, title: 'A "quoted" title', bitrate: 128, filename: 'a.mp3' }
    const parsed = JSON.parse(stringifyAnalysis({ ...document, meta })) as typeof document
    expect(Object.keys(parsed.meta).slice(0, 7)).toEqual([
      'analyzer_version',
      'platform',
      'detailed_status',
      'filename',
      'title',
      'bitrate',
      'sample_rate',
    ])
    expect(parsed.meta.title).toBe('A "quoted" title')
  })

  it('reads back as the same document, within its decimals', () => {
    const parsed = JSON.parse(text) as typeof document
    expect(Object.keys(parsed)).toEqual(Object.keys(document))
    expect(parsed.segments.length).toBe(document.segments.length)
    parsed.segments.forEach((segment, i) => {
      expect(segment.start).toBeCloseTo(document.segments[i]!.start, 5)
      expect(segment.timbre[3]).toBeCloseTo(document.segments[i]!.timbre[3]!, 2)
    })
    expect(parsed.track.synchstring).toBe(document.track.synchstring)
  })

  it('comes in pieces, which leave their rounded numbers in the document', () => {
    const segments = Array.from({ length: 2_500 }, () => ({ ...document.segments[1]! }))
    const long = { ...structuredClone(document), bars: [], segments }
    const whole = stringifyAnalysis(long)
    const pieces = [...documentText(long, true)]
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(whole.length / 2)
    expect(pieces.join('')).toBe(whole)
    expect(long).toEqual(JSON.parse(whole))
  })

  it('keeps the rules of the document in its decimals', () => {
    for (const seed of [1, 2, 3]) {
      const { samples: other } = song({ seconds: 13.371 + seed / 7, tempo: 97 + 11 * seed })
      const parsed = JSON.parse(stringifyAnalysis(analyze({ samples: [other], sampleRate })))
      expect(brokenInvariants(parsed)).toEqual([])
    }
  })

  it('writes 0 for a number that is none', () => {
    const track = { ...document.track, tempo: Number.NaN, loudness: -0.0001 }
    const parsed = stringifyAnalysis({ ...document, track })
    expect(parsed).toContain('"tempo":0.000')
    expect(parsed).toContain('"loudness":0.000')
  })
})
