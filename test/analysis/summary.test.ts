import { describe, expect, it } from 'vitest'
import type { AnalysisSummary } from '../../src/analysis/document-summary.ts'
import { analyze, moodsOf, summarize } from '../../src/analysis-entry.ts'
import { addDrum, seeded, song } from '../support/music.ts'
import { orderedPairs } from '../support/ordered-music.ts'

const RATE = 22_050

function summaryOf(samples: Float32Array): AnalysisSummary {
  return summarize(analyze({ samples: [samples], sampleRate: RATE }))
}

/** Kick and hats at 115 BPM; each stroke off by up to `jitter` seconds. */
function strokes(jitter: number): Float32Array {
  const tempo = 115
  const random = seeded(4)
  const samples = new Float32Array(30 * RATE)
  for (let beat = 0; beat < 29 * (tempo / 60); beat++) {
    const start = 0.1 + (beat * 60) / tempo + jitter * (2 * random() - 1)
    addDrum(samples, RATE, { start, gain: 0.6 }, 'kick', random)
    addDrum(samples, RATE, { start: start + 30 / tempo, gain: 0.15 }, 'hat', random)
  }
  return samples
}

describe('energy', () => {
  it('rises with level and with drums, and falls behind a low pass', () => {
    const plain = song({ seconds: 20, drums: false, gain: 0.5 }).samples
    const energy = summaryOf(plain).energy!
    expect(summaryOf(plain.map((x) => 2 * x)).energy).toBeGreaterThan(energy)
    expect(summaryOf(song({ seconds: 20, drums: true, gain: 0.5 }).samples).energy).toBeGreaterThan(
      energy,
    )
    let low = 0
    expect(summaryOf(plain.map((x) => (low += 0.1 * (x - low)))).energy).toBeLessThan(energy)
  })

  it('is higher for noise than for a sine of the same level, and 0 for silence', () => {
    const random = seeded(6)
    const noise = Float32Array.from({ length: 10 * RATE }, () => 0.5 * (random() - 0.5))
    const sine = Float32Array.from({ length: 10 * RATE }, (_, i) => 0.2 * Math.sin(i * 0.125))
    expect(summaryOf(noise).energy).toBeGreaterThan(summaryOf(sine).energy!)
    expect(summaryOf(new Float32Array(5 * RATE))).toMatchObject({
      ...{ energy: 0, danceability: 0, speechiness: null, acousticness: null, valence: null },
    })
  })
})

describe('danceability', () => {
  it('falls as strokes lose their place', () => {
    const [exact, loose, lost] = [0, 0.03, 0.12].map((j) => summaryOf(strokes(j)).danceability!)
    expect(exact).toBeGreaterThan(loose!)
    expect(loose).toBeGreaterThan(lost!)
  })

  it('does not know the level', () => {
    const samples = strokes(0)
    expect(summaryOf(samples.map((x) => 0.2 * x)).danceability).toBeCloseTo(
      summaryOf(samples).danceability!,
      2,
    )
  })
})

describe('made recordings', () => {
  for (const { name, value, higher, lower } of orderedPairs(0)) {
    it(`give more ${value} to ${name}`, () => {
      const [more, less] = [higher(), lower()].map((samples) => summaryOf(samples)[value]!)
      expect(more).toBeGreaterThan(less! + 0.005)
      if (value === 'speechiness') expect([more! > 0.66, less! < 0.33]).toEqual([true, true])
    })
  }
})

describe('summarize', () => {
  it.each([
    [null, 'bars'],
    [{ track: {}, bars: [], beats: [] }, 'segments'],
    [{ bars: [], beats: [], segments: [] }, 'track'],
    [{ track: null, bars: [], beats: [], segments: [] }, 'track'],
  ])('says which part %j has not', (document, part) => {
    expect(() => summarize(document as unknown as Parameters<typeof summarize>[0])).toThrow(
      new RegExp(`document.*has no ${part};`),
    )
  })

  const { samples, sampleRate } = song({ seconds: 20, drums: true })
  const document = analyze({ samples: [samples], sampleRate })

  it('takes the documents of others, who leave fields out or write others for "none"', () => {
    const { tempo_confidence: _, ...track } = document.track
    const theirs = { ...document, track: { ...track, sample_md5: '', key: -1, mode: -1 } }
    const summary = summarize(theirs as typeof document)
    expect(summary).toMatchObject({ tempoConfidence: 0, audioMd5: null, key: 0, mode: 0 })
    expect(summary.energy).toBe(summarize(document).energy)
    // No mode counts as minor.
    expect(summary.valence).toBeLessThan(summarize(document).valence!)
  })

  it('says nothing of the sound without segments, and gives the checksum of the samples', () => {
    expect(summarize({ ...document, segments: [] })).toMatchObject({
      ...{ energy: null, danceability: null, speechiness: null, acousticness: null, valence: null },
      audioMd5: document.track.sample_md5,
    })
  })

  it('follows a correction of the tempo and the mode', () => {
    const { track } = document
    const off = { ...document, track: { ...track, tempo: 2 * track.tempo, mode: 1 - track.mode } }
    const [before, after] = [summarize(document), summarize(off)]
    expect(after.danceability).toBeLessThan(before.danceability!)
    expect(Math.abs(after.valence! - before.valence!)).toBeGreaterThan(0.05)
    expect(after.energy).toBe(before.energy)
  })
})

describe('moods', () => {
  const names = (energy: number | null, valence: number | null) =>
    moodsOf({ energy, valence }).map(({ name }) => name)

  it('are those of the quadrants of energy and valence, the surest first', () => {
    expect(names(0.95, 0.85)).toEqual(['energetic', 'happy'])
    expect(names(0.9, 0.1)).toEqual(['energetic', 'aggressive'])
    expect(names(0.3, 0.25)).toEqual(['mellow', 'sad'])
    expect(names(0.3, 0.9)).toContain('peaceful')
  })

  it('are none near the middle, or where nothing is known', () => {
    expect(names(0.66, 0.66)).toEqual([])
    expect(names(null, null)).toEqual([])
    expect(names(0.95, null)).toEqual(['energetic'])
  })

  it('have a confidence that rises with the distance from the middle', () => {
    const [near, far] = [0.85, 0.9].map(
      (energy) => moodsOf({ energy, valence: null })[0]!.confidence,
    )
    expect(far).toBeGreaterThan(near!)
  })
})
