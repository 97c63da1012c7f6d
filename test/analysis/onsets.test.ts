import { describe, expect, it } from 'vitest'
import { NOVELTY_BANDS, NoveltyFront } from '../../src/analysis/novelty.ts'
import { pickOnsets } from '../../src/analysis/segments.ts'
import { beatTimes, noveltyOf, play, RATE, ROCK, recall } from './drum-patterns.ts'

describe('novelty', () => {
  const samples = play(ROCK, beatTimes(120, 12), 12)
  const novelty = noveltyOf(samples)

  it('has the same curves at any gain', () => {
    for (const gain of [0.1, 2]) {
      const other = noveltyOf(samples.map((x) => x * gain))
      const loudest = Math.max(...novelty.broad)
      novelty.broad.forEach((value, i) => {
        expect(Math.abs(other.broad[i]! - value)).toBeLessThan(1e-3 * loudest)
      })
    }
  })

  it('is zero in silence and finite after sudden noise', () => {
    expect(Math.max(...noveltyOf(new Float32Array(RATE)).broad)).toBe(0)
    const burst = new Float32Array(2 * RATE)
    burst.fill(1, RATE)
    expect(noveltyOf(burst).broad.every(Number.isFinite)).toBe(true)
  })

  it('is the same for a stretch of music wherever it stands in a longer one', () => {
    const long = new Float32Array(220 * 400 + samples.length)
    long.set(samples, 220 * 400)
    long.set(samples.subarray(0, 220 * 400))
    const later = noveltyOf(long)
    for (let i = 10; i < 700; i++)
      expect(Math.abs(later.broad[400 + i]! - novelty.broad[i]!)).toBeLessThan(0.05)
  })

  it('takes no frames, and many more than it holds', () => {
    expect(new NoveltyFront().finish()).toMatchObject({ frames: 0 })
    const front = new NoveltyFront()
    const bands = new Float64Array(NOVELTY_BANDS.bands.length / 2).fill(1)
    for (let i = 0; i < 9_000; i++) front.push(bands)
    const { frames, broad, spectrum } = front.finish()
    expect(frames).toBe(9_000)
    expect(broad.length).toBe(9_000)
    expect(spectrum.frames).toBe(4_500)
    expect(spectrum.levels.length).toBe(4_500 * spectrum.bands)
  })
})

describe('pickOnsets', () => {
  it('finds every drum stroke and no other', () => {
    const beats = beatTimes(100, 15)
    const strokes = beats.flatMap((t) => [t, t + 0.3])
    const onsets = pickOnsets(noveltyOf(play(ROCK, beats, 15)))
    const times = onsets.map(({ time }) => time)
    expect(recall(strokes, times, 0.03)).toBe(1)
    expect(recall(times, strokes, 0.03)).toBeGreaterThan(0.95)
    expect(onsets.every(({ strength }) => strength > 0)).toBe(true)
  })

  it('finds none in silence', () => {
    expect(pickOnsets(noveltyOf(new Float32Array(5 * RATE))).length).toBe(0)
  })
})
