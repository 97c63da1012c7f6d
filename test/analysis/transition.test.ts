import { describe, expect, it } from 'vitest'
import { type AnalysisDocument, type Transition, transition } from '../../src/analysis-entry.ts'
import { beatsOf, type Made, madeDocument } from '../support/made-documents.ts'

const SECTIONS = [
  { bars: 16, level: -22 },
  { bars: 32, level: -9 },
  { bars: 16, level: -22 },
]
const track = (made: Partial<Made> = {}, about: Made['track'] = {}): AnalysisDocument =>
  madeDocument({ sections: SECTIONS, ...made, track: { ...made.track, ...about } })
/** A tempo that sways by two percent and grows by three. */
const drifting = (bpm: number) => (beat: number) =>
  bpm * (1 + 0.02 * Math.sin(beat / 20) + 0.03 * (beat / 256))

/** Where the path of a transition is in the second track, at a moment of the first. */
function at({ path }: Transition, time: number): number {
  const next = Math.max(
    1,
    path.findIndex(({ from }) => from > time),
  )
  const [a, b] = [path[next - 1]!, path[next]!]
  return a.to + ((time - a.from) * (b.to - a.to)) / (b.from - a.from)
}

/** By how much the beats of the second track sound beside those of the first, seconds at most. */
function worst(made: Transition, a: AnalysisDocument, b: AnalysisDocument, times = 1): number {
  const own = beatsOf(a).filter((time) => time >= made.from.time - 1e-6)
  const met = beatsOf(b).filter((time) => time >= made.to.time - 1e-6)
  const end = made.path.at(-1)!.from
  const heard = own.filter((time) => time < end - 1e-6)
  expect(heard.length).toBe(made.bars * 4)
  const step = times < 1 ? 2 : 1
  return Math.max(
    ...heard
      .filter((_, i) => i % step === 0)
      .map((time, i) => Math.abs(at(made, time) - met[i * step * times]!)),
  )
}

describe('transition', () => {
  it('blends from the outro with the intro, at a speed that makes the tempi one', () => {
    const [a, b] = [track({ bpm: 126 }), track({ bpm: 122, lead: 2 }, { loudness: -13 })]
    const made = transition(a, b)
    expect(made).toMatchObject({ kind: 'blend', bars: 16, keyRelation: 'same', gain: 4 })
    expect(made.from).toMatchObject({ bar: 48, time: a.bars[48]!.start })
    expect(made.to).toMatchObject({ bar: 0, time: 2 })
    expect(made.tempoRatio).toBeCloseTo(126 / 122, 3)
    expect(made.why).toEqual(['tempo', 'outro', 'intro'])
    expect(made.beats).toHaveLength(65)
    expect(made.beats[5]).toEqual({ from: beatsOf(a)[48 * 4 + 5], to: beatsOf(b)[5] })
    expect(worst(made, a, b)).toBeLessThan(0.0101)
  })

  it('lets no two sing at once: it is shorter, or a cut, and says so', () => {
    const [a, b] = [track({ bpm: 120 }), track({ bpm: 120 })]
    expect(transition(a, b)).toMatchObject({ kind: 'blend', bars: 16 })
    const start = a.bars[48]!.start
    // The one sings until the end, the other from the ninth bar on.
    const from = [{ start: 0, duration: start + 200 }]
    const to = [{ start: b.bars[8]!.start, duration: 100 }]
    const shorter = transition(a, b, { from, to })
    expect(shorter).toMatchObject({ kind: 'blend', bars: 8 })
    expect(shorter.why).toContain('voices')
    const cut = transition(a, b, { from, to: [{ start: 0, duration: 100 }] })
    expect(cut).toMatchObject({ kind: 'cut', why: ['voices'] })
    // One of them may.
    expect(transition(a, b, { to: from })).toMatchObject({ kind: 'blend', bars: 16 })
    expect(transition(a, b, { from })).toMatchObject({ bars: 16, why: ['tempo', 'outro', 'intro'] })
  })

  it('keeps the beats of two drifting tracks together', () => {
    const [a, b] = [track({ bpm: drifting(124) }), track({ bpm: drifting(126) })]
    const made = transition(a, b)
    expect(made).toMatchObject({ kind: 'blend', bars: 16 })
    expect(made.path.length).toBeGreaterThan(2)
    expect(worst(made, a, b)).toBeLessThan(0.0101)
  })

  it.each([
    [120, 62, 0.5, 'half-tempo'],
    [62, 120, 2, 'double-tempo'],
    [100, 105.9, 1, 'tempo'],
    [100, 94.5, 1, 'tempo'],
  ])('meets %d with %d BPM: %d beats for each', (one, other, times, why) => {
    const [a, b] = [track({ bpm: one }), track({ bpm: other })]
    const made = transition(a, b)
    expect(made.kind).toBe('blend')
    expect(made.why[0]).toBe(why)
    expect(made.tempoRatio).toBeGreaterThanOrEqual(0.94)
    expect(made.tempoRatio).toBeLessThanOrEqual(1.06)
    expect(worst(made, a, b, times)).toBeLessThan(0.0101)
  })

  it.each([
    ['tempo-differs', 'tempi further apart', track({ bpm: 120 }), track({ bpm: 112 })],
    [
      'tempo-differs',
      'tempi further apart than an octave',
      track({ bpm: 60 }),
      track({ bpm: 128 }),
    ],
    ['bars-differ', 'bars of other beats', track(), track({ metre: 3 })],
    [
      'too-short',
      'an intro of two bars',
      track(),
      track({ sections: [{ bars: 2, level: -22 }, ...SECTIONS.slice(1)] }),
    ],
    [
      'too-short',
      'music of three bars',
      track(),
      madeDocument({
        sections: [
          { bars: 8, level: -60, noise: true },
          { bars: 3, level: -9 },
        ],
      }),
    ],
    ['no-mix-out', 'no bars to leave by', { ...track(), bars: [] }, track()],
    ['no-mix-in', 'no bars to enter by', track(), { ...track(), bars: [] }],
    [
      'tempo-drifts',
      'a tempo that runs away on the way',
      track({ bpm: 120 }),
      track({ bpm: (beat) => 120 * (1 + 0.16 * Math.sin((2 * Math.PI * beat) / 14)) }),
    ],
  ])('cuts for %s: %s', (why, _, a, b) => {
    const made = transition(a, b)
    expect(made).toMatchObject({ kind: 'cut', bars: 0, tempoRatio: 1, why: [why] })
    expect([made.beats, made.path]).toEqual([[], []])
    expect(Math.abs(made.from.time - a.track.duration)).toBeLessThan(0.2)
    expect(made.to.time).toBe(b.segments.find(({ loudness_max }) => loudness_max > -60)!.start)
  })

  it.each([
    [0, 1, 0, 1, 'same'],
    [0, 1, 9, 0, 'relative'],
    [9, 0, 0, 1, 'relative'],
    [0, 1, 7, 1, 'fifth-up'],
    [0, 1, 5, 1, 'fifth-down'],
    [9, 0, 4, 0, 'fifth-up'],
    [0, 1, 2, 1, 'clash'],
    [0, 1, 0, 0, 'clash'],
    [-1, 1, 0, 1, 'unknown'],
  ])('from key %d/%d to %d/%d is %s', (key, mode, key2, mode2, relation) => {
    const made = transition(track({}, { key, mode }), track({}, { key: key2, mode: mode2 }))
    expect(made.keyRelation).toBe(relation)
  })

  it('is short where keys surely clash', () => {
    const clash = (confidence: number) =>
      transition(track(), track({}, { key: 1, key_confidence: confidence }))
    expect(clash(0.9)).toMatchObject({ bars: 4, why: expect.arrayContaining(['key-clash']) })
    expect(clash(0.3)).toMatchObject({ bars: 16, keyRelation: 'clash' })
    expect(clash(0.3).why).not.toContain('key-clash')
  })

  it('is no longer than intro and outro, and 8 bars where neither is known', () => {
    const other = (intro: number) =>
      track({ sections: [{ bars: intro, level: -22 }, ...SECTIONS.slice(1)] })
    expect(transition(track(), other(8))).toMatchObject({ bars: 8, why: ['tempo', 'intro'] })
    const even = track({ sections: SECTIONS.map((one) => ({ ...one, level: -10 })) })
    expect(transition(even, even)).toMatchObject({ bars: 8, why: ['tempo'] })
    expect(transition(track(), even)).toMatchObject({ bars: 16, why: ['tempo', 'outro'] })
  })

  it('is no longer than the outro, if that is the shorter', () => {
    const a = track({ sections: [...SECTIONS.slice(0, 2), { bars: 8, level: -22 }] })
    expect(transition(a, track())).toMatchObject({ bars: 8, why: ['tempo', 'outro'] })
  })

  it('is no longer than the last phrase', () => {
    const sections = [...SECTIONS.slice(0, 2), { bars: 8, level: -22 }]
    const a = track({ sections: sections.map((one) => ({ ...one, level: -10 })) })
    expect(transition(a, track())).toMatchObject({ bars: 8, why: ['tempo', 'intro'] })
    // Bars that were counted on into the silence do not count.
    const silence = { bars: 8, level: -60, noise: true }
    const even = sections.map((one) => ({ ...one, level: -10 }))
    const b = track({ sections: [...even, silence] })
    expect(transition(b, track())).toMatchObject({ bars: 8, from: { bar: 48 } })
  })

  it('is a cut where bars of other lengths would meet, though all their beats are as many', () => {
    const b = track()
    const line = b.bars[3]!.start + 2 * b.beats[0]!.duration
    b.bars[3]!.duration = line - b.bars[3]!.start
    b.bars[4] = { ...b.bars[4]!, start: line, duration: b.bars[5]!.start - line }
    expect(transition(track(), b)).toMatchObject({ kind: 'cut', why: ['bars-differ'] })
  })

  it('begins before an outro of two bars, which is left to sound', () => {
    const a = track({ sections: [...SECTIONS.slice(0, 2), { bars: 2, level: -22 }] })
    expect(transition(a, track())).toMatchObject({ kind: 'blend', bars: 16, from: { bar: 32 } })
    const even = track({ sections: SECTIONS.map((one) => ({ ...one, level: -10 })) })
    expect(transition(a, even)).toMatchObject({ bars: 8, why: ['tempo'], from: { bar: 32 } })
  })

  it('has no gain where a loudness is not known', () => {
    expect(transition(track({}, { loudness: -60 }), track()).gain).toBe(0)
    expect(transition(track({}, { loudness: -7 }), track({}, { loudness: -5 })).gain).toBe(-2)
  })
})
