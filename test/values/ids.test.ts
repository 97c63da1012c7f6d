import { describe, expect, it } from 'vitest'
import { formatForeignId, isId, newId, newTicket, parseForeignId } from '../../src/values/ids.ts'

describe('ids', () => {
  it('have the service’s form: type, five letters, the time in hexadecimal', () => {
    const time = Date.UTC(2013, 7, 4, 21, 41, 59, 426)
    expect(newId('catalog', time)).toMatch(/^CA[A-Z]{5}1404B479E02$/)
    expect(newId('track', 0)).toMatch(/^TR[A-Z]{5}00000000000$/)
    expect(newId('song', time)).toHaveLength(18)
  })

  it('are never alike within a millisecond', () => {
    const ids = new Set(Array.from({ length: 200_000 }, () => newId('song', 1)))
    expect(ids.size).toBe(200_000)
  })

  it('come in the order of making, so that their index grows at one place', () => {
    const letters = Array.from({ length: 100 }, (_, i) => newId('song', 100 - i).slice(2, 7))
    // The letters begin anew after `ZZZZZ`.
    const first = letters.indexOf('AAAAA')
    const counted = first < 0 ? letters : [...letters.slice(first), ...letters.slice(0, first)]
    expect([...letters].sort()).toEqual(counted)
  })

  it('are told apart by type', () => {
    expect(isId('track', 'TRTLKZV12E5AC92E11')).toBe(true)
    expect(isId('song', 'TRTLKZV12E5AC92E11')).toBe(false)
    expect(isId('track', 'TRTLKZV12E5AC92E1')).toBe(false)
    expect(isId('artist', 'ARJERLY11E2835D7DC')).toBe(true)
  })

  it('make tickets of 32 characters', () => {
    expect(newTicket()).toMatch(/^[0-9a-f]{32}$/)
    expect(newTicket()).not.toBe(newTicket())
  })
})

describe('foreign ids', () => {
  it.each([
    ['musicbrainz:track:8f3471b5', { catalog: 'musicbrainz', type: 'track', id: '8f3471b5' }],
    [
      'CAJTFEO131216286ED:song:Kings Of: Leon',
      { catalog: 'CAJTFEO131216286ED', type: 'song', id: 'Kings Of: Leon' },
    ],
    ['7digital-US:release:123', { catalog: '7digital-US', type: 'release', id: '123' }],
  ] as const)('%s', (text, parts) => {
    expect(parseForeignId(text)).toEqual(parts)
    expect(formatForeignId(parts)).toBe(text)
  })

  it.each(['TRTLKZV12E5AC92E11', 'a:planet:1', ':track:1', 'a:track:', ''])('not %j', (text) => {
    expect(parseForeignId(text)).toBeUndefined()
  })
})
