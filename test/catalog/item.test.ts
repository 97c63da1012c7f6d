import { describe, expect, it } from 'vitest'
import { type CatalogType, codeOf, parseEntry } from '../../src/catalog/item.ts'
import { encodeCodes } from '../../src/fingerprint/codec.ts'

const pairs = (from: number) => ({
  codes: Uint32Array.from([from + 1, from + 2, from + 3]),
  times: Uint32Array.from([0, 32, 64]),
})
const CODE = encodeCodes('echoprint', pairs(0))
/** Of our own system A. */
const CODE_A = encodeCodes('chroma', pairs(2 ** 30))

/** What is said of an entry that is refused. */
function refusal(input: unknown, type: CatalogType = 'song'): string {
  try {
    parseEntry(type, input)
  } catch (error) {
    return (error as Error).message
  }
  return 'nothing'
}

describe('parseEntry', () => {
  it('takes every field of a song item', () => {
    const item = {
      itemId: 'A-z_0.9',
      fpCode: { version: 4.12, code: CODE },
      songName: 'Help!',
      artistName: 'The Beatles',
      release: 'Help!',
      genre: 'Pop',
      trackNumber: 1,
      discNumber: 2,
      url: '/music/help.mp3',
      favorite: true,
      banned: false,
      playCount: 3,
      skipCount: 0,
      rating: 10,
      itemKeyvalues: { colour: 'red' },
    }
    expect(parseEntry('song', { item })).toEqual({ action: 'update', item })
  })

  it('takes every field of an artist item, and none of a song', () => {
    const item = {
      itemId: 'a',
      artistName: 'The Beatles',
      favorite: true,
      banned: true,
      playCount: 1,
      skipCount: 2,
      rating: 0,
      itemKeyvalues: {},
    }
    expect(parseEntry('artist', { item })).toEqual({ action: 'update', item })
    for (const name of ['songName', 'songId', 'trackId', 'fpCode', 'release', 'genre', 'url']) {
      expect(refusal({ item: { itemId: 'a', [name]: 'x' } }, 'artist')).toContain(`"${name}"`)
    }
  })

  it.each([
    ['songId', 'trackId'],
    ['songId', 'songName'],
    ['trackId', 'songName'],
    ['artistId', 'artistName'],
    ['songId', 'artistId'],
    ['trackId', 'artistId'],
    ['songId', 'artistName'],
    ['trackId', 'artistName'],
  ])('refuses %s beside %s, and names both', (one, other) => {
    const message = refusal({ item: { itemId: 'a', [one]: 'x', [other]: 'y' } })
    expect(message).toContain(one)
    expect(message).toContain(other)
  })

  it('lets null stand beside what it clears', () => {
    const item = { itemId: 'a', songId: null, songName: 'Help!', artistId: null, artistName: 'B' }
    expect(parseEntry('song', { item }).item).toEqual(item)
    const both = { itemId: 'a', artistName: null, artistId: 'AR1' }
    expect(parseEntry('artist', { item: both }).item).toEqual(both)
  })

  it('refuses item ids of other characters, and those that are very long', () => {
    for (const itemId of ['a b', 'é', 'a/b', 'a:b', '', 'a\n', 'a'.repeat(1025)]) {
      expect(refusal({ item: { itemId } })).toMatch(/^item\.itemId - Invalid parameter/)
    }
    expect(refusal({ item: { itemId: 'a'.repeat(1024) } })).toBe('nothing')
  })

  it('refuses an item without an id, and an entry without an item', () => {
    expect(refusal({ item: { songName: 'x' } })).toBe('item.itemId - Missing parameter')
    expect(refusal({ item: { itemId: 7 } })).toContain('itemId')
    expect(refusal({})).toBe('item - Missing parameter')
    expect(refusal({ action: 'play' })).toBe('item - Missing parameter')
    expect(refusal({ action: 'delete', catalogKeyvalues: {} })).toBe('item - Missing parameter')
  })

  it.each([null, undefined, 'text', 7, [], [{ item: { itemId: 'a' } }]])(
    'refuses %j as an entry',
    (input) => {
      expect(refusal(input)).toContain('arameter')
    },
  )

  it.each([
    ['rating', -1],
    ['rating', 11],
    ['rating', 7.5],
    ['rating', 'good'],
    ['rating', ''],
    ['rating', true],
    ['playCount', -1],
    ['playCount', 1.5],
    ['playCount', '1e3'],
    ['skipCount', -1],
    ['trackNumber', 'A1'],
    ['discNumber', -2],
    ['favorite', 'yes'],
    ['favorite', 1],
    ['banned', 'no'],
    ['songName', 7],
    ['songName', '   '],
    ['release', ['x']],
    ['itemKeyvalues', { a: 1 }],
    ['title', 'Help!'],
  ])('refuses %s: %j, and names the field', (name, value) => {
    expect(refusal({ item: { itemId: 'a', [name]: value } })).toContain(name)
  })

  it('reads whole numbers and flags that are written as text', () => {
    const item = {
      itemId: 'a',
      trackNumber: '9',
      discNumber: ' 1 ',
      rating: '10',
      playCount: '+3',
      skipCount: '0',
      favorite: 'true',
      banned: 'false',
    }
    expect(parseEntry('song', { item }).item).toEqual({
      itemId: 'a',
      trackNumber: 9,
      discNumber: 1,
      rating: 10,
      playCount: 3,
      skipCount: 0,
      favorite: true,
      banned: false,
    })
  })

  it.each(['delete', 'play', 'skip', 'favorite', 'unfavorite', 'ban', 'unban'] as const)(
    '%s: takes the id and leaves all else aside',
    (action) => {
      const item = { itemId: 'a', rating: 99, songName: 'x', songId: 'y' }
      expect(parseEntry('song', { action, item })).toEqual({ action, item: { itemId: 'a' } })
    },
  )

  it('takes at most 100 keys and values', () => {
    const pairs = (count: number) =>
      Object.fromEntries([...Array(count).keys()].map((i) => [`k${i}`, '']))
    expect(refusal({ item: { itemId: 'a', itemKeyvalues: pairs(100) } })).toBe('nothing')
    expect(refusal({ item: { itemId: 'a', itemKeyvalues: pairs(101) } })).toContain('100')
    expect(refusal({ catalogKeyvalues: pairs(100) })).toBe('nothing')
    expect(refusal({ catalogKeyvalues: pairs(101) })).toContain('100')
  })

  it('refuses an action that there is not', () => {
    expect(refusal({ action: 'love', item: { itemId: 'a' } })).toMatch(
      /^action - Invalid parameter: "love" is not one of "delete", "update", "play", "skip"/,
    )
  })

  it('takes keys and values of the catalog, alone or beside an item', () => {
    const catalogKeyvalues = { owner: 'me' }
    expect(parseEntry('song', { catalogKeyvalues })).toEqual({ action: 'update', catalogKeyvalues })
    expect(parseEntry('artist', { item: { itemId: 'a' }, catalogKeyvalues })).toEqual({
      action: 'update',
      item: { itemId: 'a' },
      catalogKeyvalues,
    })
  })

  it.each([
    [3.15, CODE_A],
    [4, CODE],
    ['4.0', CODE],
    [4.11, CODE],
    [4.12, CODE],
    ['4.12', CODE],
    [undefined, CODE_A],
  ])('takes an fpCode of version %s', (version, code) => {
    expect(refusal({ item: { itemId: 'a', fpCode: { version, code } } })).toBe('nothing')
  })

  it('takes an fpCode that is a bare text', () => {
    expect(refusal({ item: { itemId: 'a', fpCode: CODE_A } })).toBe('nothing')
  })

  it.each([4.13, 3.14, 0, Number.NaN, 'x'])('refuses an fpCode of version %s', (version) => {
    expect(refusal({ item: { itemId: 'a', fpCode: { version, code: CODE } } })).toContain('fpCode')
  })

  it('refuses an fpCode that cannot be read', () => {
    expect(refusal({ item: { itemId: 'a', fpCode: '%%%' } })).toContain('fpCode')
    expect(refusal({ item: { itemId: 'a', fpCode: {} } })).toContain('fpCode')
    expect(refusal({ item: { itemId: 'a', fpCode: '' } })).toContain('fpCode')
  })
})

describe('codeOf', () => {
  it('takes a bare code for version 3.15', () => {
    expect(codeOf('abc')).toEqual({ code: 'abc', version: 3.15 })
    expect(codeOf({ code: 'abc' })).toEqual({ code: 'abc', version: 3.15 })
    expect(codeOf({ code: 'abc', version: 4 })).toEqual({ code: 'abc', version: 4 })
  })
})
