import { describe, expect, it } from 'vitest'
import {
  camelot,
  compatibleKeys,
  keyName,
  openKey,
  ParameterError,
  parseKey,
} from '../../src/index.ts'

const KEYS = Array.from({ length: 24 }, (_, i) => ({ key: i >> 1, mode: (i & 1) as 0 | 1 }))

// As Mixed In Key and Traktor print their wheels.
const WHEEL = [
  ['1A', '6m', 'G# minor'],
  ['2A', '7m', 'Eb minor'],
  ['3A', '8m', 'Bb minor'],
  ['4A', '9m', 'F minor'],
  ['5A', '10m', 'C minor'],
  ['6A', '11m', 'G minor'],
  ['7A', '12m', 'D minor'],
  ['8A', '1m', 'A minor'],
  ['9A', '2m', 'E minor'],
  ['10A', '3m', 'B minor'],
  ['11A', '4m', 'F# minor'],
  ['12A', '5m', 'C# minor'],
  ['1B', '6d', 'B major'],
  ['2B', '7d', 'F# major'],
  ['3B', '8d', 'Db major'],
  ['4B', '9d', 'Ab major'],
  ['5B', '10d', 'Eb major'],
  ['6B', '11d', 'Bb major'],
  ['7B', '12d', 'F major'],
  ['8B', '1d', 'C major'],
  ['9B', '2d', 'G major'],
  ['10B', '3d', 'D major'],
  ['11B', '4d', 'A major'],
  ['12B', '5d', 'E major'],
] as const

describe('names of keys', () => {
  it.each(WHEEL)('%s is %s is %s', (onCamelot, onOpenKey, name) => {
    const { key, mode } = parseKey(name) ?? {}
    if (key === undefined || mode === undefined) throw new Error(name)
    expect(keyName(key, mode)).toBe(name)
    expect(camelot(key, mode)).toBe(onCamelot)
    expect(openKey(key, mode)).toBe(onOpenKey)
  })

  it('reads back each of its spellings', () => {
    for (const { key, mode } of KEYS) {
      for (const text of [
        keyName(key, mode),
        keyName(key, mode, 'short'),
        camelot(key, mode),
        openKey(key, mode),
      ]) {
        const read = parseKey(text)
        expect([text, read?.key, read?.mode ?? 1]).toEqual([text, key, mode])
      }
    }
  })

  it.each([
    ['C#', 1, undefined],
    ['Db', 1, undefined],
    ['c-sharp', 1, undefined],
    ['C Sharp', 1, undefined],
    ['e-flat', 3, undefined],
    ['bb', 10, undefined],
    ['B', 11, undefined],
    ['Cb', 11, undefined],
    ['B#', 0, undefined],
    ['Am', 9, 0],
    ['am', 9, 0],
    ['AM', 9, 1],
    ['F♯min', 6, 0],
    ['D♭ maj', 1, 1],
    [' g minor ', 7, 0],
    ['c-sharp-minor', 1, 0],
    ['Bbm', 10, 0],
    ['08A', 9, 0],
    ['12b', 4, 1],
    ['10 m', 0, 0],
  ])('reads %j', (text, key, mode) => {
    expect(parseKey(text)).toEqual(mode === undefined ? { key } : { key, mode })
  })

  it.each(['', 'H', 'H#', '0A', '13B', '8C', 'A minority', 'sharp', '9', 'o', 'A##', 'key of C'])(
    'reads no key in %j',
    (text) => {
      expect(parseKey(text)).toBeUndefined()
    },
  )

  it('tells which keys mix', () => {
    expect(compatibleKeys(9, 0).map(({ key, mode }) => camelot(key, mode))).toEqual([
      '8A',
      '8B',
      '9A',
      '7A',
    ])
    expect(compatibleKeys(0, 1).map(({ key, mode }) => camelot(key, mode))).toEqual([
      '8B',
      '8A',
      '9B',
      '7B',
    ])
  })

  it('refuses what is no key', () => {
    for (const make of [keyName, camelot, openKey, compatibleKeys]) {
      expect(() => make(12, 0)).toThrow(ParameterError)
      expect(() => make(1.5, 1)).toThrow('1.5 is no pitch class')
      expect(() => make(0, 2)).toThrow('2 is neither 0 (minor) nor 1 (major)')
    }
  })
})

it('has one spelling in the pages of the examples too', async () => {
  for (const folder of ['report', 'player/page']) {
    const path = new URL(`../../examples/${folder}/words.mjs`, import.meta.url).href
    const words = (await import(path)) as { keyName(...given: unknown[]): string }
    for (let key = 0; key < 12; key++) {
      for (const mode of [0, 1]) {
        const given = folder === 'report' ? [key, mode] : [{ key, mode }]
        expect(words.keyName(...given)).toBe(keyName(key, mode))
      }
    }
  }
})
