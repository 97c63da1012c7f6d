import { describe, expect, it } from 'vitest'
import type { Codes } from '../../src/recognition/systems/codes.ts'
import { findRepeated } from '../../src/recognition/whole-files/loops.ts'
import { indexOf } from '../support/code-index.ts'

const SECOND = 20

/** A turn of eight codes a second, from a number on, over and over for some seconds. */
function loop(first: number, seconds: number, turn = 2, later = 0): Codes {
  const count = 8 * seconds
  return {
    codes: Uint32Array.from({ length: count }, (_, i) => first + (i % (8 * turn))),
    times: Uint32Array.from({ length: count }, (_, i) => Math.round((i / 8 + later) * SECOND)),
  }
}

const find = (file: Codes, recordings: readonly Codes[], durations = recordings.map(() => 20)) =>
  findRepeated(
    file,
    { perSecond: SECOND, duration: 20 },
    indexOf(recordings),
    (recording) => durations[recording],
  )

describe('music that repeats itself', () => {
  it('is found though it agrees at many offsets', () => {
    const found = find(loop(100, 20), [loop(500, 20), loop(100, 20), loop(900, 20)])
    expect(found).toMatchObject({ recording: 1, held: 16 })
    expect(found?.alignment).toMatchObject({ offset: 0, overlap: 1, weakest: 1 })
  })

  it('is found when it begins a little later', () => {
    const late = find(loop(100, 20), [loop(100, 20, 2, 0.5)])
    expect(late?.alignment.offset).toBeCloseTo(0.5, 1)
  })

  it('is not another loop, nor one with half of its codes', () => {
    expect(find(loop(100, 20), [loop(500, 20)])).toBeUndefined()
    const half = loop(100, 20)
    const other = half.codes.map((code) => ((code - 100) % 16 < 11 ? code + 400 : code))
    expect(find(half, [{ ...half, codes: other }])).toBeUndefined()
  })

  it('is not a much longer recording that holds it', () => {
    expect(find(loop(100, 20), [loop(100, 40)], [40])).toBeUndefined()
    expect(find(loop(100, 20), [loop(100, 28)], [28])).toBeDefined()
  })

  it('is not music that does not repeat itself: other searches find that', () => {
    const once = loop(100, 20, 20)
    expect(find(once, [once])).toBeUndefined()
    expect(find(loop(100, 20, 10), [loop(100, 20, 10)])).toBeDefined()
  })
})
