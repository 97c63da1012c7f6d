import { describe, expect, it } from 'vitest'
import { branchesOf, createWalk, seededWalk } from '../support/jukebox.ts'
import { seeded } from '../support/music.ts'

const BEAT = 0.5
const METRE = 4

/**
 * An analysis of parts, eight bars each, that are alike where their letters are: each beat of a part
 * has a sound of its own, in two segments; `blur` makes no two of them quite the same.
 */
function analysisOf(parts: string, blur = 0.05) {
  const random = seeded(3)
  const sounds = new Map<string, number[]>()
  const soundOf = (name: string) => {
    const known = sounds.get(name) ?? Array.from({ length: 25 }, () => random() * 2 - 1)
    sounds.set(name, known)
    return known.map((value) => value + blur * (random() * 2 - 1))
  }
  const count = parts.length * 8 * METRE
  const at = (i: number) => ({ start: 0.3 + i * BEAT, duration: BEAT, confidence: 1 })
  const segments = Array.from({ length: 2 * count }, (_, i) => {
    const beat = i >> 1
    const sound = soundOf(`${parts[Math.floor(beat / (8 * METRE))]} ${i % (16 * METRE)}`)
    return {
      start: 0.3 + (i * BEAT) / 2,
      duration: BEAT / 2,
      confidence: i % 2 === 0 ? 1 : 0.5,
      loudness_start: -40,
      loudness_max: -20 + 5 * (sound[24] ?? 0),
      loudness_max_time: 0.02,
      timbre: sound.slice(0, 12).map((value) => 50 * value),
      pitches: sound.slice(12, 24).map((value) => Math.abs(value)),
    }
  })
  return {
    track: { time_signature: METRE, duration: 0.3 + count * BEAT },
    beats: Array.from({ length: count }, (_, i) => at(i)),
    bars: Array.from({ length: count / METRE }, (_, i) => ({
      ...at(i * METRE),
      duration: METRE * BEAT,
    })),
    sections: [...parts].map((_, i) => ({ ...at(i * 32), duration: 32 * BEAT })),
    segments,
  }
}

describe('branches', () => {
  const piece = branchesOf(analysisOf('AABA'))
  const partOf = (beat: number) => 'AABA'[Math.floor(beat / 32)]

  it('join beats that return, and those alone', () => {
    const returning = piece.beats.flatMap((_, i) =>
      partOf(i) === 'A' && i < piece.last.beat ? i : [],
    )
    const joined = new Set(piece.branches.map(({ beat }) => beat))
    expect(returning.filter((i) => joined.has(i)).length / returning.length).toBeGreaterThan(0.9)
    for (const { beat, twin } of piece.branches) {
      expect([partOf(beat), partOf(twin)]).toEqual(['A', 'A'])
      expect(Math.abs(beat - twin) % 32).toBe(0)
    }
  })

  it('keep the place in the bar', () => {
    for (const { beat, twin } of [...piece.branches, piece.last]) {
      expect(piece.beats[beat]?.place).toBe(beat % METRE)
      expect(piece.beats[twin]?.place).toBe(piece.beats[beat]?.place)
    }
  })

  it('lead no beat past the last one, which leads far back', () => {
    expect(piece.last.beat).toBeGreaterThanOrEqual(120)
    expect(piece.last.beat - piece.last.twin).toBeGreaterThanOrEqual(32)
    for (const { beat, twin } of piece.branches) {
      expect(beat).toBeLessThanOrEqual(piece.last.beat)
      expect(twin).toBeLessThan(piece.last.beat)
    }
  })

  it('are found in a rougher piece too, under a threshold that adapts', () => {
    const rough = branchesOf(analysisOf('AABACA', 0.5))
    expect(rough.threshold).toBeGreaterThan(piece.threshold)
    const joined = new Set(rough.branches.map(({ beat }) => beat)).size
    expect(joined / rough.beats.length).toBeGreaterThan(0.2)
    for (const { distance } of rough.branches) expect(distance).toBeLessThanOrEqual(rough.threshold)
  })

  it('are few where nothing returns, but there is always a last one', () => {
    const { branches, last, beats } = branchesOf(analysisOf('ABCD'))
    expect(branches.length).toBeLessThan(beats.length / 10)
    expect(last.beat).toBeGreaterThan(beats.length / 2)
  })

  it('are not looked for without beats', () => {
    const { beats: _, ...rest } = analysisOf('A')
    expect(() => branchesOf({ ...rest, beats: [] })).toThrow('no beats')
  })
})

describe('a walk', () => {
  const piece = branchesOf(analysisOf('AABA'))
  const allowed = new Set(
    [...piece.branches, piece.last].map(({ beat, twin }) => `${beat} ${twin}`),
  )

  it.each([1, 2, 3, 99])('of seed %i never ends, and jumps by branches alone', (seed) => {
    const walk = createWalk(piece, seededWalk(seed))
    let beat = -1
    let jumps = 0
    const heard = new Set<number>()
    for (let i = 0; i < 3000; i++) {
      const step = walk.next(beat)
      expect(step.beat).toBeLessThan(piece.last.beat)
      if (step.from === undefined) expect(step.beat).toBe(beat + 1)
      else {
        expect(step.from).toBe(beat + 1)
        expect(allowed).toContain(`${step.from} ${step.beat}`)
        jumps++
      }
      beat = step.beat
      heard.add(beat)
    }
    expect(jumps).toBeGreaterThan(100)
    expect(jumps).toBeLessThan(500)
    // What was heard least is preferred: nearly all of the piece comes round.
    expect(heard.size / piece.last.beat).toBeGreaterThan(0.95)
  })

  it('is the same for the same seed', () => {
    const steps = (seed: number) => {
      const walk = createWalk(piece, seededWalk(seed))
      let beat = -1
      return Array.from({ length: 500 }, () => {
        beat = walk.next(beat).beat
        return beat
      })
    }
    expect(steps(5)).toEqual(steps(5))
    expect(steps(5)).not.toEqual(steps(6))
  })

  it('goes back from the end when someone went there', () => {
    const walk = createWalk(piece)
    const end = piece.beats.length - 1
    expect(walk.next(end)).toEqual({ beat: piece.last.twin, from: end + 1 })
    expect(walk.next(piece.last.beat)).toEqual({ beat: piece.last.beat + 1 })
  })
})
