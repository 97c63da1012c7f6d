import { describe, expect, it } from 'vitest'
import { type GridFit, gridMarkers, gridTimes } from '../../src/analysis/grid-markers.ts'
import { seeded } from '../support/music.ts'

const steady = Array.from({ length: 600 }, (_, i) => 0.3 + i * 0.46875)
/** A band that speeds up from 100 to 140 BPM and sways. */
const drifting = (() => {
  const times = [0.5]
  for (let i = 0; i < 500; i++) times.push(times[i]! + 60 / (100 + 0.08 * i + 3 * Math.sin(i / 15)))
  return times
})()
const random = seeded(3)
const jittering = steady.map((time) => time + 0.012 * (random() - 0.5))

const worst = (beats: readonly number[], fit: GridFit) => {
  const times = gridTimes(gridMarkers(beats, fit))
  expect(times).toHaveLength(beats.length)
  return Math.max(...beats.map((beat, i) => Math.abs(beat - times[i]!)))
}

describe('gridMarkers', () => {
  it('is one marker for steady beats, with their tempo', () => {
    const markers = gridMarkers(steady)
    expect(markers).toEqual([{ beat: 0, time: expect.any(Number), bpm: 128, beats: 599 }])
    expect(markers[0]!.time).toBeCloseTo(0.3, 6)
  })

  it.each([
    ['drifting', drifting],
    ['jittering', jittering],
    ['steady', steady],
  ])('keeps every one of %s beats within 10 ms, also as rounded by a format', (_, beats) => {
    expect(worst(beats, {})).toBeLessThanOrEqual(0.01)
    expect(worst(beats, { decimals: { bpm: 2, time: 3 } })).toBeLessThanOrEqual(0.01)
    expect(worst(beats, { tolerance: 0.004 })).toBeLessThanOrEqual(0.004)
  })

  it('has one marker for beats that only jitter, and more for those that drift, but not many', () => {
    expect(gridMarkers(jittering)).toHaveLength(1)
    const many = gridMarkers(drifting).length
    expect(many).toBeGreaterThan(10)
    expect(many).toBeLessThan(80)
  })

  it('is one marker though the first beat is late and the others jitter', () => {
    const beats = steady.map((time, i) => time + (i === 0 ? 0.008 : i % 2 === 0 ? 0.006 : -0.006))
    expect(gridMarkers(beats)).toHaveLength(1)
  })

  it('needs few more markers where a format rounds', () => {
    const counts = [1, 2, 3, 4, 5].map((seed) => {
      const noise = seeded(seed)
      const beats = drifting.map((time) => time + 0.01 * (noise() - 0.5))
      const rounded = gridMarkers(beats, { decimals: { bpm: 2, time: 3 } })
      return rounded.length / gridMarkers(beats).length
    })
    expect(Math.max(...counts)).toBeLessThanOrEqual(1.25)
  })

  it('has no gap: each marker is where the tempo before it leads', () => {
    for (const decimals of [undefined, { bpm: 2, time: 3 }]) {
      const markers = gridMarkers(drifting, { decimals })
      markers.slice(1).forEach(({ time, beat }, i) => {
        const before = markers[i]!
        expect(before.beat + before.beats).toBe(beat)
        expect(before.time + (before.beats * 60) / before.bpm).toBeCloseTo(time, decimals ? 3 : 9)
      })
    }
  })

  it('rounds as a format does', () => {
    for (const { bpm, time } of gridMarkers(drifting, { decimals: { bpm: 2, time: 3 } })) {
      expect(Number(bpm.toFixed(2))).toBe(bpm)
      expect(Number(time.toFixed(3))).toBe(time)
    }
  })

  it('has markers where they must be, and where they should be', () => {
    const beats = gridMarkers(steady, { marked: [7, 100] }).map(({ beat }) => beat)
    expect(beats).toEqual([0, 7, 100])
    const preferred = new Set(drifting.map((_, i) => i).filter((i) => i % 4 === 1))
    const placed = gridMarkers(drifting, { preferred }).map(({ beat }) => beat)
    expect(placed.slice(1).filter((beat) => beat % 4 !== 1)).toEqual([])
    expect(worst(drifting, { preferred })).toBeLessThanOrEqual(0.01)
  })

  it('begins at 0 at the earliest, and has nothing for fewer than two beats', () => {
    const late = Array.from({ length: 20 }, (_, i) => (i === 0 ? 0 : 0.5 * i - 0.009))
    expect(gridMarkers(late)[0]!.time).toBe(0)
    expect(gridMarkers([1])).toEqual([])
    expect(gridMarkers([])).toEqual([])
  })

  it('keeps beats whose tempo is between two that a format can write', () => {
    const beats = Array.from({ length: 1500 }, (_, i) => 0.2 + (i * 60) / 126.005)
    expect(worst(beats, { decimals: { bpm: 2, time: 3 } })).toBeLessThanOrEqual(0.01)
  })

  it('keeps the beats after a pause whose tempo a format rounds too far', () => {
    const beats = [0, 0.5, 1, 1.5, 13.51201, 14.01201, 14.51201, 15.01201]
    const rounded = gridMarkers(beats, { decimals: { bpm: 2, time: 3 } })
    const times = gridTimes(rounded)
    for (const [i, beat] of beats.entries()) expect(Math.abs(times[i]! - beat)).toBeLessThan(0.0101)
  })

  it('keeps beats of any spacing', () => {
    const other = seeded(9)
    const times = [0]
    for (let i = 0; i < 300; i++) times.push(times[i]! + 0.2 + other())
    expect(worst(times, { decimals: { bpm: 2, time: 3 } })).toBeLessThanOrEqual(0.01)
  })
})
