import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { rulesOf } from '../../src/recognition/search/rules.ts'
import {
  CHROMA_PROBES,
  type ChromaSegment,
  chromaCodes,
  chromaProbes,
} from '../../src/recognition/systems/chroma.ts'
import { CHROMA_BOOK, CHROMA_BOOK_SHA256 } from '../../src/recognition/systems/chroma-book.ts'
import { encodeCodes } from '../../src/recognition/systems/codes.ts'
import { decodeCode } from '../../src/recognition/systems/decode-code.ts'
import { learn } from '../programs/trainers/chroma-book.ts'
import { indexOf } from '../support/code-index.ts'
import { match } from '../support/match-rules.ts'
import { seeded } from '../support/music.ts'

const BOOK = Buffer.from(CHROMA_BOOK, 'base64')
const OURS = 2 ** 30
const SILENCE = -60

/** A segment every 150 to 450 ms, whose pitches are anything, as music's are. */
function music(seed: number, count: number): ChromaSegment[] {
  const random = seeded(seed)
  let start = 0
  return Array.from({ length: count }, () => {
    const duration = 0.15 + 0.3 * random()
    const pitches = Array.from({ length: 12 }, () => 0.001 + 0.999 * random() ** 3)
    const most = Math.max(...pitches)
    const segment = { start, duration, loudness_max: -12, pitches: pitches.map((p) => p / most) }
    start += duration
    return segment
  })
}

/** The segment whose pitches are just those of a shape in the book. */
function ofSymbol(symbol: number, start: number): ChromaSegment {
  const shape = Array.from({ length: 12 }, (_, i) => (BOOK[12 * symbol + i]! / 255) ** 2)
  const most = Math.max(...shape)
  return { start, duration: 0.25, loudness_max: -12, pitches: shape.map((p) => p / most) }
}

/** Pitches as another codec might leave them. */
function worn(segments: readonly ChromaSegment[], by: number, seed: number): ChromaSegment[] {
  const random = seeded(seed)
  return segments.map((segment) => {
    const pitches = segment.pitches.map((p) => Math.max(0.001, p + by * (random() - 0.5)))
    const most = Math.max(...pitches)
    return { ...segment, pitches: pitches.map((p) => p / most) }
  })
}

describe('the code book', () => {
  test('has 1,024 shapes of twelve pitches, all different', () => {
    expect(BOOK.length).toBe(1_024 * 12)
    const shapes = Array.from({ length: 1_024 }, (_, s) =>
      BOOK.subarray(12 * s, 12 * s + 12).toString('hex'),
    )
    expect(new Set(shapes).size).toBe(1_024)
  })

  test('is the one of its hash: another makes other codes', () => {
    expect(createHash('sha256').update(BOOK).digest('hex')).toBe(CHROMA_BOOK_SHA256)
    expect(CHROMA_BOOK_SHA256).toBe(
      '93a197b3d7bcd393dd61ff8b3a9369473e98f7b643b53d2ae9f32cfdd0270b26',
    )
  })
})

describe('chromaCodes', () => {
  test('chains three symbols, the newest highest, and sets bit 30', () => {
    const { codes, times } = chromaCodes([1, 700, 1_023, 0].map((s, i) => ofSymbol(s, i / 4)))
    const key = (a: number, b: number, c: number) => OURS + a * 2 ** 20 + b * 2 ** 10 + c
    expect([...codes]).toEqual([key(1_023, 700, 1), key(0, 1_023, 700)])
    // 500 and 750 ms, rounded down to whole steps of 32.
    expect([...times]).toEqual([480, 736])
  })

  test('hands each symbol down, at times that are whole steps and never fall', () => {
    const { codes, times } = chromaCodes(music(1, 400))
    expect(codes.length).toBe(398)
    for (const [i, code] of codes.entries()) {
      expect(code >>> 30).toBe(1)
      expect(times[i]! % 32).toBe(0)
      if (i === 0) continue
      expect(code & 0xfffff).toBe((codes[i - 1]! >>> 10) & 0xfffff)
      expect(times[i]!).toBeGreaterThanOrEqual(times[i - 1]!)
    }
  })

  test('passes over silence', () => {
    const segments = music(2, 20)
    const quiet = { start: 0, duration: 9, loudness_max: SILENCE, pitches: Array(12).fill(1) }
    const start = segments[9]!.start
    const broken = [...segments.slice(0, 9), { ...quiet, start }, ...segments.slice(9)]
    expect(chromaCodes(broken)).toEqual(chromaCodes(segments))
    expect(chromaProbes(broken)).toEqual(chromaProbes(segments))
  })

  test.each([0, 1, 2])('makes none of %i segments', (count) => {
    expect(chromaCodes(music(3, count)).codes.length).toBe(0)
    expect(chromaProbes(music(3, count)).codes.length).toBe(0)
  })

  test('makes the same of the same, and of the same louder', () => {
    const segments = music(4, 50)
    expect(chromaCodes(segments)).toEqual(chromaCodes(structuredClone(segments)))
    expect(chromaCodes(segments.map((s) => ({ ...s, loudness_max: -1 })))).toEqual(
      chromaCodes(segments),
    )
  })

  test('takes another key of the same music for other music', () => {
    const segments = music(5, 50)
    const shifted = segments.map((s) => ({
      ...s,
      pitches: [...s.pitches.slice(1), s.pitches[0]!],
    }))
    const known = new Set(chromaCodes(segments).codes)
    expect(chromaCodes(shifted).codes.filter((code) => known.has(code))).toHaveLength(0)
  })

  test('survives the wire', () => {
    const codes = chromaCodes(music(6, 80))
    expect(decodeCode(encodeCodes('chroma', codes), '3.15')).toEqual({ family: 'chroma', codes })
  })
})

describe('chromaProbes', () => {
  test('holds the codes of the song, and of each three segments a few more', () => {
    const segments = music(7, 60)
    const { codes, times } = chromaCodes(segments)
    const probes = chromaProbes(segments)
    const pairs = new Set([...probes.codes].map((code, i) => `${code} ${probes.times[i]}`))
    expect(pairs.size).toBe(probes.codes.length)
    for (const [i, code] of codes.entries()) expect(pairs).toContain(`${code} ${times[i]}`)
    expect(probes.codes.length).toBeGreaterThan(codes.length)
    expect(probes.codes.length).toBeLessThanOrEqual(CHROMA_PROBES.keys * codes.length)
    expect(probes.codes.every((code) => code >>> 30 === 1)).toBe(true)
  })

  test('finds a song again whose pitches have changed a little, and no other', () => {
    const songs = Array.from({ length: 30 }, (_, i) => music(100 + i, 300))
    const lookup = indexOf(songs.map(chromaCodes))
    const excerpt = worn(songs[11]!.slice(100, 180), 0.1, 1)
    const plain = match(chromaCodes(excerpt), lookup, rulesOf('chroma'))[0]
    const found = match(chromaProbes(excerpt), lookup, rulesOf('chroma'))[0]
    expect(found?.song).toBe(11)
    expect(found!.score).toBeGreaterThan(plain?.score ?? 0)
    expect(match(chromaProbes(music(99, 300)), lookup, rulesOf('chroma'))).toEqual([])
  })
})

describe('the trainer', () => {
  test('learns the same book from the same shapes, sorted', () => {
    const random = seeded(8)
    const shapes = Array.from({ length: 200 }, () => Float64Array.from({ length: 12 }, random))
    const book = learn(shapes, 8, 3)
    expect(book).toEqual(learn(shapes, 8, 3))
    expect(book).toHaveLength(8)
    const firsts = book.map((centre) => centre[0]!)
    expect(firsts).toEqual([...firsts].sort((a, b) => a - b))
  })
})
