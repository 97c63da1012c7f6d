import { describe, expect, it } from 'vitest'
import { evenStretches } from '../../src/analysis/even-stretches.ts'
import { tempoOfBeats, tempoSteadiness } from '../../src/analysis/tempo.ts'
import { seeded } from '../support/music.ts'

const random = seeded(11)
/** Of mean 0 and deviation 1, nearly normal. */
const normal = () => Array.from({ length: 12 }, random).reduce((sum, one) => sum + one, -6)
/** Beats each heard about 8 ms beside a grid. */
const heardAt = (bpm: number, count: number, start = 0.3) =>
  Array.from({ length: count }, (_, i) => start + (60 / bpm) * i + 0.008 * normal())
const stretchesOf = (times: readonly number[]) =>
  evenStretches(
    times,
    times.map(() => 1),
  ).map(({ from, to, grid }) => ({ from, to, bpm: Number((60 / grid.period).toFixed(2)) }))
const walking = (count: number, bpmAt: (beat: number) => number) => {
  const times = [0.3]
  for (let i = 0; i < count; i++) times.push(times[i]! + 60 / bpmAt(i))
  return times.map((time) => time + 0.005 * normal())
}

describe('evenStretches', () => {
  it.each([140, 127.5, 93.37, 174.03])('finds the tempo of beats at %d BPM', (bpm) => {
    for (const count of [120, 500])
      expect(stretchesOf(heardAt(bpm, count))).toEqual([
        { from: 0, to: count, bpm: expect.closeTo(bpm, 1) },
      ])
    expect(stretchesOf(heardAt(bpm, 500))[0]!.bpm).toBe(bpm)
  })

  const even = heardAt(128, 400)
  const moved = (from: number, to: number, by: () => number) =>
    even.map((time, i) => (i >= from && i < to ? time + by() : time)).sort((a, b) => a - b)
  it.each([
    ['early in a part, as soft sounds are heard', moved(100, 200, () => -0.018)],
    ['on the off-beat in a part', moved(100, 180, () => 0.234)],
    ...[25, 35, 45, 55, 65].map((count): [string, number[]] => [
      `lost for ${count}`,
      moved(100, 100 + count, () => 0.1 * normal()),
    ]),
    [
      'doubled here and there',
      [...even, even[50]! + 0.23, even[200]! + 0.23].sort((a, b) => a - b),
    ],
    ['missing here and there', even.filter((_, i) => i % 97 !== 50)],
  ])('finds one grid where beats are %s', (_, times) => {
    expect(stretchesOf(times)).toEqual([{ from: 0, to: times.length, bpm: 128 }])
  })

  it.each([
    ['tempo', 126, 0.5],
    ['phase', 120, 0.7],
  ])('finds two grids and their bound where the %s changes', (_, bpm, gap) => {
    const before = heardAt(120, 150)
    const [one, other, ...more] = stretchesOf([
      ...before,
      ...heardAt(bpm, 170, before.at(-1)! + gap),
    ])
    expect(more).toEqual([])
    expect(one).toEqual({ from: 0, to: other!.from, bpm: 120 })
    expect(other).toEqual({ from: expect.any(Number), to: 320, bpm })
    expect(Math.abs(other!.from - 150)).toBeLessThanOrEqual(2)
  })

  it('finds a new tempo near the end too', () => {
    const before = heardAt(120, 400)
    const both = [...before, ...heardAt(124, 48, before.at(-1)! + 0.5)]
    expect(stretchesOf(both).map(({ bpm }) => bpm)).toEqual([120, expect.closeTo(124, 1)])
  })

  it.each([1, 2, 3, 4, 5, 6])('finds none in music of people without a click: %d', (seed) => {
    const chance = seeded(seed)
    let walk = 0
    const times = walking(400, () => {
      walk += 0.004 * (chance() - 0.5)
      return 120 / (1 + walk + 0.02 * (chance() - 0.5))
    })
    expect(stretchesOf(times)).toEqual([])
  })

  it('begins anew after a pause', () => {
    const before = heardAt(120, 24)
    const after = heardAt(120, 24, before.at(-1)! + 60.2)
    const both = [...before, ...after]
    expect(stretchesOf(both).map(({ from, to }) => [from, to])).toEqual([
      [0, 24],
      [24, 48],
    ])
    expect(tempoSteadiness(both, 120)).toBeGreaterThan(0.9)
  })

  it.each([
    ['gets faster a little', walking(300, (beat) => 120 + beat / 300)],
    ['gets faster', walking(300, (beat) => 100 + beat / 8)],
    ['sways', walking(300, (beat) => 120 + 1.2 * Math.sin(beat / 25))],
    ['sways long', walking(2000, (beat) => 120 + 4 * Math.sin(beat / 100))],
  ])('finds none in music that %s', (_, times) => {
    expect(stretchesOf(times)).toEqual([])
  })

  it('takes a tempo for a whole one only where the beats tell it', () => {
    for (let piece = 0; piece < 20; piece++)
      expect(Number.isInteger(tempoOfBeats(heardAt(127.5, 17)))).toBe(false)
    expect(tempoOfBeats(heardAt(140, 140))).toBe(140)
    expect(tempoOfBeats(heardAt(93.37, 600))).toBe(93.37)
  })

  it('finds none in fewer than 16 beats', () => {
    expect(stretchesOf(even.slice(0, 15))).toEqual([])
    expect(stretchesOf([])).toEqual([])
  })
})
