import { describe, expect, it } from 'vitest'
import { analyze } from '../../src/analyzer/analyzer.ts'
import { song } from '../support/music.ts'

const RATE = 22_050

describe('sections', () => {
  // Eight bars of each at 120 BPM: 16 s.
  const verse = song({ seconds: 16, key: 0, drums: false, chords: 'piano', lead: 'clarinet' })
  const chorus = song({ seconds: 16, key: 5, drums: true, chords: 'brass', lead: 'bell' })
  const parts = [verse, chorus, verse, chorus]
  const samples = new Float32Array(4 * 16 * RATE)
  parts.forEach((part, i) => {
    samples.set(part.samples, i * 16 * RATE)
  })
  const { sections, track } = analyze({ samples: [samples], sampleRate: RATE })

  it('change where the music does', () => {
    const starts = sections.map(({ start }) => start)
    for (const boundary of [16, 32, 48]) {
      const nearest = Math.min(...starts.map((start) => Math.abs(start - boundary)))
      expect(nearest, `at ${boundary} s`).toBeLessThan(0.5)
    }
    expect(starts.length).toBeLessThanOrEqual(7)
  })

  it('have their own loudness, tempo and key', () => {
    const at = (seconds: number) =>
      sections.find(({ start, duration }) => start <= seconds && seconds < start + duration)!
    expect(at(24).loudness).toBeGreaterThan(at(8).loudness)
    expect(at(8)).toMatchObject({ key: 0, mode: 1 })
    expect(at(24)).toMatchObject({ key: 5, mode: 1 })
    for (const { tempo } of sections) expect(tempo).toBeCloseTo(track.tempo, -0.5)
  })

  it('are one where nothing changes and time is short', () => {
    const short = analyze({ samples: [verse.samples.subarray(0, 4 * RATE)], sampleRate: RATE })
    expect(short.sections.length).toBe(1)
    expect(short.sections[0]).toMatchObject({ start: 0, confidence: 1 })
  })
})
