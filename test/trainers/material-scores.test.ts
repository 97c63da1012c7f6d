import { describe, expect, it } from 'vitest'
import type { Piece } from '../programs/trainers/material-piece.ts'
import type { Score } from '../programs/trainers/material-score.ts'
import { isStroke } from '../programs/trainers/material-score.ts'
import { bookOf } from '../programs/trainers/material-scores.ts'
import { seeded } from '../support/chance.ts'

/** A tune of eight bars in a metre, one note a step, its first note of each bar a C. */
function tune(kind: string, metre: string, more: Partial<Piece>): Piece {
  const beatsPerBar = more.beatsPerBar ?? 2
  const steps = beatsPerBar * (more.unit === 1.5 ? 3 : 2)
  const step = beatsPerBar / steps
  const notes = Array.from({ length: 8 * steps }, (_, i) => {
    return [i * step, step, i % steps === 0 ? 60 : 64 + 3 * (i % 2), 0] as const
  })
  return {
    id: `${kind} ${metre}`,
    title: kind,
    kind,
    metre,
    unit: 1,
    beatsPerBar,
    bars: 8,
    pickup: 0,
    key: { tonic: 0, mode: 1 },
    sharps: 0,
    tempo: [100, 100],
    parts: 1,
    notes,
    ...more,
  }
}

function scores(piece: Piece, count = 40): Score[] {
  const random = seeded(7)
  const make = bookOf([piece])
  return Array.from({ length: count }, () => make(30, random))
}

/** Sounds that the tune alone makes, of a score without a second voice or graces. */
function starts({ sounds }: Score): number[] {
  return sounds.map(({ start }) => start)
}

const onGrid = (place: number, step: number) =>
  Math.abs(place / step - Math.round(place / step)) < 1e-6

describe('bookOf', () => {
  it('counts a jig in dotted quarters, three notes a beat', () => {
    const jig = tune('jig', '6/8', { unit: 1.5 })
    for (const { beatsPerBar, accepted, bpm, family } of scores(jig)) {
      expect([beatsPerBar, family, Math.round(bpm)]).toEqual([2, 'score jig', 100])
      expect(accepted).toEqual([2, 3, 6])
    }
    const plain = scores(jig).find(({ style }) => style.includes('alone'))!
    const off = starts(plain).filter((start) => !onGrid(start, 1))
    // Two of three notes are between beats, at thirds of them; graces are few.
    expect(off.length / plain.sounds.length).toBeGreaterThan(0.5)
    expect(off.filter((start) => onGrid(start, 1 / 3)).length / off.length).toBeGreaterThan(0.7)
  })

  it('counts compound beats that are slow in three each', () => {
    const [slow] = scores(tune('song', '6/8', { unit: 1.5, tempo: [40, 40] }), 1)
    expect(slow).toMatchObject({ beatsPerBar: 6, bpm: 120, accepted: [6, 3, 2] })
  })

  it('counts a reel in halves where they are fast enough, else in quarters', () => {
    const at = (tempo: number) =>
      scores(tune('reel', '4/4', { beatsPerBar: 4, tempo: [tempo, tempo] }), 1)[0]
    expect(at(200)).toMatchObject({ beatsPerBar: 2, accepted: [2, 4] })
    expect(at(200)!.bpm).toBeCloseTo(100, 6)
    expect(at(120)).toMatchObject({ beatsPerBar: 4, accepted: [4, 2] })
    expect(at(120)!.bpm).toBeCloseTo(120, 6)
    // Eight notes a bar, of two beats: four notes a beat.
    const alone = scores(tune('reel', '4/4', { beatsPerBar: 4, tempo: [200, 200] })).find(
      ({ style }) => style.includes('alone'),
    )!
    expect(starts(alone).filter((start) => onGrid(start - 0.25, 0.5)).length).toBeGreaterThan(
      0.3 * alone.sounds.length,
    )
  })

  it('swings hornpipes between beats, never on them', () => {
    const hornpipe = tune('hornpipe', '4/4', { beatsPerBar: 4, tempo: [120, 120] })
    const swung = scores(hornpipe).filter(
      ({ style, sounds }) =>
        style.includes('alone') && sounds.some(({ start }) => start % 1 > 0.55 && start % 1 < 0.68),
    )
    expect(swung.length).toBeGreaterThan(0)
    for (const { sounds, beats } of swung) {
      const on = new Set(sounds.map(({ start }) => Math.round(1000 * start)))
      for (let beat = 0; beat < beats; beat++) expect(on.has(1000 * beat), `${beat}`).toBe(true)
    }
  })

  it('lays chords of the key under a tune, and strokes, within its beats', () => {
    const all = scores(tune('waltz', '3/4', { beatsPerBar: 3 }), 120)
    const chords = all.filter(({ style }) => style.includes('with chords'))
    expect(chords.length).toBeGreaterThan(10)
    for (const { sounds, key, beats } of all) {
      const outside = sounds.filter(
        ({ start, duration, pitch, voice }) =>
          !(start >= 0 && start < beats && duration > 0 && (isStroke(voice) || pitch > 20)),
      )
      expect(outside).toEqual([])
      expect(key).toBeDefined()
    }
    const tones = [0, 2, 4, 5, 7, 9, 11]
    for (const { sounds, key } of chords) {
      const low = sounds.filter(({ gain }) => gain < 0.07)
      const inside = low.filter(({ pitch }) => tones.includes((pitch - key!.tonic + 120) % 12))
      expect(inside.length).toBeGreaterThan(0.9 * low.length)
    }
    expect(all.some(({ sounds }) => sounds.some(({ voice }) => isStroke(voice)))).toBe(true)
  })

  it('gives parts that are written to voices of their own', () => {
    const chorale = tune('chorale', '4/4', { beatsPerBar: 4, parts: 4 })
    const parted = {
      ...chorale,
      notes: [0, 1, 2, 3].flatMap((part) =>
        chorale.notes.map(([start, duration, pitch]) => {
          return [start, duration, pitch - 5 * part, part] as const
        }),
      ),
    }
    const voices = scores(parted).map(
      ({ sounds }) => new Set(sounds.map(({ voice }) => voice).filter((voice) => !isStroke(voice))),
    )
    expect(
      voices.some((some) => some.has('violin') && some.has('viola') && some.has('cello')),
    ).toBe(true)
  })
})
