import { describe, expect, it } from 'vitest'
import { keyName as nameOfPackage, camelot as ofPackage } from '../../src/index.ts'
import {
  camelot,
  isNext,
  joinOf,
  keyName,
  lasting,
  levelOf,
  reasonsOf,
  secondsLeft,
} from '../support/player-modules.ts'

describe('the words of the player', () => {
  it('names keys as audile does', () => {
    for (const mode of [0, 1] as const) {
      for (let key = 0; key < 12; key++) {
        expect(camelot({ key, mode })).toBe(ofPackage(key, mode))
        expect(keyName({ key, mode })).toBe(nameOfPackage(key, mode))
      }
    }
    expect([camelot({ key: -1, mode: 0 }), keyName({ key: -1, mode: 0 })]).toEqual(['', '–'])
  })

  it('says why a track follows', () => {
    const step = { fromLast: 4, fromSeeds: 5, keyRelation: 'same', tempoRatio: 1.03 }
    expect(reasonsOf(step)).toBe(
      'sounds like the track before, sounds like what you asked for, same key, 3 % faster',
    )
    const first = { fromLast: null, fromSeeds: 12, keyRelation: 'unknown', tempoRatio: null }
    expect(reasonsOf(first)).toBe('unlike what you asked for')
  })

  it('tells how long a scan takes', () => {
    const began = { time: 0, done: 4 }
    expect(secondsLeft({ done: 5, total: 20 }, began, 9000)).toBeUndefined()
    // Two files in six seconds, and ten to go.
    expect(secondsLeft({ done: 7, total: 17 }, began, 6000)).toBe(30)
    expect([1, 89, 150, 7200].map(lasting)).toEqual([
      '1 second',
      '89 seconds',
      '3 minutes',
      '2 hours',
    ])
  })
})

describe('the joins of the player, as they are planned', () => {
  const voice = { end: 200, duration: 100, timeOf: (seconds: number) => 100 + seconds }
  const cut = { kind: 'cut', from: { time: 90 }, to: { time: 2 } }

  it('goes on from track to track of an album alone', () => {
    const track = (release: string | undefined, trackNumber: number) => ({ release, trackNumber })
    expect(isNext(track('A', 1), track('A', 2))).toBe(true)
    expect(isNext(track('A', 1), track('A', 3))).toBe(false)
    expect(isNext(track('A', 1), track('B', 2))).toBe(false)
    expect(isNext(track(undefined, 1), track(undefined, 2))).toBe(false)
  })

  it('cuts where the sound ends, and lets play on what was skipped over', () => {
    expect(joinOf(voice, cut, 0)).toMatchObject({ kind: 'cut', at: 190 })
    expect(joinOf(voice, cut, 195)).toMatchObject({ kind: 'gapless', at: 200 })
    expect(joinOf(voice, undefined, 0)).toMatchObject({ kind: 'gapless', at: 200 })
  })

  it('makes tracks equally loud, and none louder than it is', () => {
    expect(levelOf({ loudness: -8 }) / levelOf({ loudness: -11 })).toBeCloseTo(10 ** (-3 / 20), 6)
    expect(levelOf({ loudness: -20 })).toBe(1)
  })
})
