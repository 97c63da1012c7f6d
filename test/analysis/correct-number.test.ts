import { describe, expect, it } from 'vitest'
import { type AnalysisDocument, analyze, correct } from '../../src/analysis-entry.ts'
import { toRekordbox } from '../../src/export-entry.ts'
import { brokenInvariants } from '../support/invariants.ts'
import { beatTimes, play, RATE, ROCK } from './drum-patterns.ts'

const heardAt = (bpm: number): AnalysisDocument =>
  analyze({ samples: [play(ROCK, beatTimes(bpm, 24), 25)], sampleRate: RATE })
const gapsOf = ({ beats }: AnalysisDocument) => beats.slice(0, -1).map(({ duration }) => duration)

describe('a number of BPM', () => {
  const heard = heardAt(138)

  it.each([126, 190.5, 100.25, 151])(
    '%d is the tempo of the grid, whatever was heard',
    async (tempo) => {
      const after = correct(heard, { tempo })
      expect(after.track).toMatchObject({ tempo, tempo_confidence: 1 })
      for (const gap of gapsOf(after)) expect(Math.abs(gap - 60 / tempo)).toBeLessThan(1e-5)
      expect(after.beats.length).toBeGreaterThan((22 * tempo) / 60)
      expect(brokenInvariants(after)).toEqual([])
      const xml = await toRekordbox([{ file: '/a.mp3', title: 'A', analysis: after }])
      expect([...xml.matchAll(/<TEMPO [^>]*Bpm="([^"]*)"/g)].map(([, bpm]) => Number(bpm))).toEqual(
        [tempo],
      )
    },
  )

  it('is in the phase of the most onsets', () => {
    // Every fifth quaver of 138 BPM is every second beat of 110.4.
    const { beats } = correct(heard, { tempo: 110.4 })
    const quavers = beatTimes(276, 24)
    const isOn = ({ start }: { start: number }) =>
      quavers.some((quaver) => Math.abs(quaver - start) < 0.02)
    expect(beats.filter(isOn).length).toBeGreaterThan(0.45 * beats.length)
  })

  it('goes through a downbeat that is given too', () => {
    const { beats, bars } = correct(heard, { tempo: 126, downbeat: 5.2 })
    expect(beats.some(({ start }) => Math.abs(start - 5.2) < 1e-5)).toBe(true)
    expect(bars.some(({ start }) => Math.abs(start - 5.2) < 1e-5)).toBe(true)
  })

  it('near what was heard is that of the exported grid, if its beats allow it', async () => {
    const tempo = 138.03
    const after = correct(heard, { tempo })
    expect(after.beats).toBe(heard.beats)
    const xml = await toRekordbox([{ file: '/a.mp3', title: 'A', analysis: after }])
    expect(xml).toMatch(/<TEMPO [^>]*Bpm="138.03"/)
    const beside = correct(heard, { tempo: 139 })
    const other = await toRekordbox([{ file: '/a.mp3', title: 'A', analysis: beside }])
    expect(other).toMatch(/<TEMPO [^>]*Bpm="138.00"/)
  })

  it('of a part holds for the part', () => {
    const after = correct(heard, { from: 8, to: 16, tempo: 126 })
    const inside = after.beats.filter(({ start }) => start > 9 && start < 14.5)
    for (const { duration } of inside) expect(Math.abs(duration - 60 / 126)).toBeLessThan(1e-5)
    expect(after.beats[3]).toEqual(heard.beats[3])
  })
})
