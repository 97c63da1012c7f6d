import { describe, expect, it } from 'vitest'
import {
  createWalk,
  pieceOf,
  seededWalk,
  songFrom,
  songOf,
  type Tune,
  tuned,
  whyNone,
} from '../support/jukebox.ts'
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

/** A piece with the branches that it has when nobody tunes it, or under a tune. */
function branchesOf(analysis: object, tune: Partial<Tune> = {}) {
  const piece = pieceOf(analysis)
  const whole: Tune = { threshold: piece.threshold, jumps: 'both', last: true, ...tune }
  return { ...piece, tune: whole, branches: tuned(piece, whole).branches }
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

  it('are found in a loop, whose beats all differ little, and where no bars are known', () => {
    const loop = branchesOf(analysisOf('AAAA', 0.3))
    expect(new Set(loop.branches.map(({ beat }) => beat)).size).toBeGreaterThan(32)
    const barless = branchesOf({ ...analysisOf('AABA'), bars: [] })
    expect(barless.branches.length).toBeGreaterThan(32)
    for (const { beat, twin } of barless.branches) expect(Math.abs(beat - twin) % 32).toBe(0)
  })

  it('grow in number with the threshold, and lead where the tune lets them', () => {
    const rough = analysisOf('AABACA', 0.5)
    const counts = [0.1, 0.3, 0.6, 0.9].map(
      (threshold) => branchesOf(rough, { threshold }).branches.length,
    )
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    expect(counts[3]).toBeGreaterThan(counts[0]!)
    for (const { beat, twin } of branchesOf(rough, { jumps: 'back' }).branches)
      expect(twin).toBeLessThan(beat)
    for (const { beat, twin } of branchesOf(rough, { jumps: 'on' }).branches)
      expect(twin).toBeGreaterThan(beat)
    // Without the last branch, jumps past it are open too.
    const free = branchesOf(analysisOf('AABA'), { last: false })
    expect(free.branches.length).toBeGreaterThan(piece.branches.length)
  })

  it('are missing for a reason that is told', () => {
    const few = { ...analysisOf('A'), beats: analysisOf('A').beats.slice(0, 8) }
    const short = branchesOf(few)
    expect(short.branches).toEqual([])
    expect(whyNone(short, short.tune)).toBe('A jump spans 2 bars, and this piece has 2.')
    const strict = branchesOf(analysisOf('AABA', 0.5), { threshold: 0.05 })
    expect(strict.branches).toEqual([])
    expect(whyNone(strict, strict.tune)).toMatch(/differ by 0\.\d\d: raise the threshold/)
  })
})

describe('colours', () => {
  const { beats } = branchesOf(analysisOf('AABA'))
  const apart = (a: number, b: number) =>
    Math.hypot(...[0, 1].map((i) => (beats[a]?.colour[i] ?? 0) - (beats[b]?.colour[i] ?? 0)))

  it('are alike where the timbre is', () => {
    const mean = (pairs: number[][]) =>
      pairs.reduce((sum, [a, b]) => sum + apart(a ?? 0, b ?? 0), 0) / pairs.length
    const all = Array.from({ length: 32 }, (_, i) => i)
    const same = mean(all.map((i) => [i, i + 32]))
    const other = mean(all.map((i) => [i, i + 64]))
    expect(same).toBeLessThan(other / 3)
  })

  it('are a lightness, a chroma and a hue that screens show', () => {
    for (const { colour } of beats) {
      const [light, chroma, hue] = colour as [number, number, number]
      expect(light).toBeGreaterThanOrEqual(0)
      expect(light).toBeLessThanOrEqual(1)
      expect(chroma).toBeGreaterThan(0.04)
      expect(chroma).toBeLessThanOrEqual(0.14)
      expect(hue).toBeGreaterThanOrEqual(0)
      expect(hue).toBeLessThan(360)
    }
    expect(new Set(beats.map(({ colour }) => Math.floor((colour[2] ?? 0) / 60))).size).toBe(6)
  })
})

describe('a saved jukebox', () => {
  const document = analysisOf('AABA')
  const analysis = {
    ...document,
    meta: {},
    track: { ...document.track, key: 0, mode: 1, tempo: 120 },
  }
  const song = songOf({ ...analysis, meta: { sample_rate: 44_100 } }, 'A piece.mp3')

  it('is the same when it is opened', () => {
    expect(song.title).toBe('A piece')
    expect(songFrom(JSON.stringify(song))).toEqual(song)
  })

  it.each([
    ['something else', '{"format": "other"}', 'no saved jukebox'],
    ['no JSON', 'RIFF', 'no saved jukebox'],
    ['no beats', JSON.stringify({ ...song, beats: [] }), 'damaged'],
    ['no rate', JSON.stringify({ ...song, sampleRate: '<b>' }), 'damaged'],
    [
      'a branch to nowhere',
      JSON.stringify({ ...song, candidates: [{ beat: 3, twin: 9999, distance: 0 }] }),
      'damaged',
    ],
  ])('is refused with %s', (_, text, why) => {
    expect(() => songFrom(text)).toThrow(why)
  })
})

describe('a walk', () => {
  const piece = branchesOf(analysisOf('AABA'))
  const allowed = new Set(
    [...piece.branches, piece.last].map(({ beat, twin }) => `${beat} ${twin}`),
  )
  const walkOf = (random?: () => number, tune: Tune = piece.tune) => {
    const walk = createWalk(piece.beats.length, random)
    walk.retune(tuned(piece, tune))
    return walk
  }

  it.each([1, 2, 3, 99])('of seed %i never ends, and jumps by branches alone', (seed) => {
    const walk = walkOf(seededWalk(seed))
    let beat = -1
    let jumps = 0
    const heard = new Set<number>()
    for (let i = 0; i < 3000; i++) {
      const step = walk.next(beat)!
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
      const walk = walkOf(seededWalk(seed))
      let beat = -1
      return Array.from({ length: 500 }, () => {
        beat = walk.next(beat)!.beat
        return beat
      })
    }
    expect(steps(5)).toEqual(steps(5))
    expect(steps(5)).not.toEqual(steps(6))
  })

  it('goes back from the end when someone went there', () => {
    const walk = walkOf()
    const end = piece.beats.length - 1
    expect(walk.next(end)).toEqual({ beat: piece.last.twin, from: end + 1 })
    expect(walk.next(piece.last.beat)).toEqual({ beat: piece.last.beat + 1 })
  })

  it('ends with the piece when the last branch is closed', () => {
    const walk = walkOf(() => 0.99, { ...piece.tune, last: false })
    let beat = -1
    for (const _ of piece.beats) beat = walk.next(beat)!.beat
    expect(beat).toBe(piece.beats.length - 1)
    expect(walk.next(beat)).toBeUndefined()
  })
})
