import { describe, expect, it } from 'vitest'
import { ForwardPass, type MusicPassage } from '../../src/analysis/forward-pass.ts'
import { beatLengths, STATE_SPACE } from '../../src/analysis/state-space.ts'
import { seeded } from '../support/music.ts'

const FPS = 8
const METRES = [2, 5]
const PASSAGE: MusicPassage = { entering: 0.02, leaving: 0.1, stray: 0.13, unusual: 0.5 }

interface State {
  metre: number
  place: number
  length: number
  position: number
}

/** The chances of the next beat after all frames: each state by itself, without any saving. */
function plainChances(beat: readonly number[], down: readonly number[]) {
  const { shortest, longest, observed } = beatLengths(FPS)
  const states: State[] = METRES.flatMap((metre) =>
    Array.from({ length: metre }, (_, place) => place).flatMap((place) =>
      Array.from(observed, (_, i) => shortest + i).flatMap((length) =>
        Array.from({ length }, (_, position) => ({ metre, place, length, position })),
      ),
    ),
  )
  const nameOf = ({ metre, place, length, position }: State) =>
    [metre, place, length, position].join()
  const indexOf = new Map(states.map((state, i) => [nameOf(state), i]))
  const lengths = Array.from(observed, (_, i) => shortest + i)
  const near = (a: number, b: number) => Math.exp(-STATE_SPACE.lambda * Math.abs(Math.log(b / a)))
  const rates = lengths.reduce((sum, length) => sum + 1 / length, 0) * METRES.length
  let weights = states.map(() => 0)
  let none = 1
  beat.forEach((_, frame) => {
    const moved = states.map(() => 0)
    const likeness = (STATE_SPACE.parts - 1) * Math.exp(Math.max(beat[frame]!, down[frame]!))
    none *= PASSAGE.stray * likeness + 1 - PASSAGE.stray
    let ended = 0
    states.forEach((state, i) => {
      const { metre, place, length, position } = state
      if (position + 1 < length) {
        moved[indexOf.get(nameOf({ ...state, position: position + 1 }))!]! += weights[i]!
        return
      }
      const worth = weights[i]! * (metre > 4 ? Math.exp(-PASSAGE.unusual) : 1)
      const all = lengths.reduce((sum, to) => sum + near(length, to), 0)
      ended += worth
      for (const to of lengths) {
        const next = { metre, place: (place + 1) % metre, length: to, position: 0 }
        moved[indexOf.get(nameOf(next))!]! +=
          (worth * (1 - PASSAGE.leaving) * near(length, to)) / all
      }
    })
    const entered = none * PASSAGE.entering
    states.forEach(({ metre, length, position }, i) => {
      if (position === 0) moved[i]! += entered / length / rates / metre
    })
    none += PASSAGE.leaving * ended - entered
    weights = moved.map((weight, i) => {
      const { place, length, position } = states[i]!
      const isObserved = position < observed[length - shortest]!
      const odds = place === 0 ? down[frame]! : beat[frame]!
      return isObserved ? weight * (STATE_SPACE.parts - 1) * Math.exp(odds) : weight
    })
  })
  const all = none + weights.reduce((sum, weight) => sum + weight, 0)
  const chance = new Array<number>(longest + 1).fill(0)
  const downs = new Array<number>(longest + 1).fill(0)
  states.forEach(({ metre, place, length, position }, i) => {
    chance[length - position]! += weights[i]! / all
    if (place + 1 === metre) downs[length - position]! += weights[i]! / all
  })
  return { chance, downs, beats: 1 - none / all }
}

describe('the forward pass', () => {
  it('has the chances that the plain sum over all states has', () => {
    const random = seeded(3)
    const [beat, down] = [0, 1].map(() => Array.from({ length: 60 }, () => 8 * random() - 5))
    const pass = new ForwardPass(FPS, METRES, PASSAGE)
    for (const times of [1, 60]) {
      pass.reset()
      for (let i = 0; i < times; i++) pass.advance(beat![i]!, down![i]!)
      const plain = plainChances(beat!.slice(0, times), down!.slice(0, times))
      expect(pass.beats).toBeCloseTo(plain.beats, 7)
      plain.chance.forEach((chance, frames) => {
        expect(pass.next.chance[frames]).toBeCloseTo(chance, 7)
        expect(pass.next.down[frames]).toBeCloseTo(plain.downs[frames]!, 7)
      })
    }
  })

  it('stays finite over hours of sure beats, and over hours of none', () => {
    const pass = new ForwardPass(FPS, [4], PASSAGE)
    for (let frame = 0; frame < 50_000; frame++) pass.advance(frame % 4 === 0 ? 8 : -8, -8)
    expect(pass.beats).toBeGreaterThan(0.9)
    for (let frame = 0; frame < 50_000; frame++) pass.advance(-4, -4)
    expect(pass.beats).toBeLessThan(0.2)
  })

  it('knows the metre', () => {
    const pass = new ForwardPass(50, [3, 4], { ...PASSAGE, leaving: 1e-4 })
    for (let frame = 0; frame < 1_500; frame++) {
      const beat = frame % 25 < 2 ? 2 : -4
      pass.advance(frame % 75 < 2 ? -2 : beat, frame % 75 < 2 ? 2 : -4)
    }
    const chances = new Float64Array(2)
    pass.metreChances(chances)
    expect(chances[0]).toBeGreaterThan(0.95)
  })
})
