import { describe, expect, it } from 'vitest'
import { type CatalogType, fpCodeParts, parseEntry } from '../../src/catalog/item.ts'
import { encodeCodes } from '../../src/recognition/systems/codes.ts'

const pairs = (from: number) => ({
  codes: Uint32Array.from([from + 1, from + 2, from + 3]),
  times: Uint32Array.from([0, 32, 64]),
})
const CODE = encodeCodes('echoprint', pairs(0))
/** Of our own system A. */
const CODE_A = encodeCodes('chroma', pairs(2 ** 30))

/** What is kept of an item, and what is said of the rest. */
function taken(item: unknown, type: CatalogType = 'song') {
  const { item: kept, faults } = parseEntry(type, { item })
  // Without what is not given.
  return { item: JSON.parse(JSON.stringify(kept)) as unknown, faults }
}

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
    expect(parseEntry('song', { item })).toEqual({ action: 'update', item, faults: [] })
  })

  it('takes every field of an artist item, and leaves out those of a song', () => {
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
    expect(parseEntry('artist', { item })).toEqual({ action: 'update', item, faults: [] })
    for (const name of ['songName', 'songId', 'trackId', 'fpCode', 'release', 'genre', 'url']) {
      expect(taken({ ...item, [name]: 'x' }, 'artist')).toEqual({
        item,
        faults: [
          `${name} - Unknown field of an artist item: it was left out; itemKeyvalues takes fields of your own`,
        ],
      })
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

  const TEXTS = [
    'songName',
    'artistName',
    'songId',
    'trackId',
    'artistId',
    'release',
    'genre',
    'url',
  ] as const
  const COUNTS = ['playCount', 'skipCount'] as const
  const PLACES = ['trackNumber', 'discNumber'] as const
  const FLAGS = ['favorite', 'banned'] as const
  const ALL = [...TEXTS, ...COUNTS, ...PLACES, ...FLAGS, 'rating'] as const
  const cases = <F extends string>(fields: readonly F[], values: readonly unknown[]) =>
    fields.flatMap((field) => values.map((value): [F, unknown] => [field, value]))

  it.each(cases(ALL, ['', '   ', '\t\n', '\u00a0', undefined]))(
    'takes %s: %j for a field that is not given',
    (field, value) => {
      expect(taken({ itemId: 'a', [field]: value })).toEqual({ item: { itemId: 'a' }, faults: [] })
    },
  )

  const LISTS = [[], [''], [null], [CODE]]
  it.each([...ALL, 'fpCode'].flatMap((field) => LISTS.map((list) => [field, list] as const)))(
    'reads the list %s: %j by its only value, and says so',
    (field, value) => {
      const alone = taken({ itemId: 'a', [field]: value[0] })
      const { item, faults } = taken({ itemId: 'a', [field]: value })
      expect(item).toEqual(alone.item)
      const said = value.length === 0 ? /empty list.*it was left out$/ : /only value was taken$/
      expect(faults).toEqual([expect.stringMatching(said), ...alone.faults])
      expect(faults[0]).toContain(`${field} - Invalid parameter: `)
    },
  )

  it.each(cases(ALL, [null]))('takes %s: %j for a field to be cleared', (field, value) => {
    expect(taken({ itemId: 'a', [field]: value })).toEqual({
      item: { itemId: 'a', [field]: null },
      faults: [],
    })
  })

  it.each([
    ...cases(TEXTS, [1999, '1999']).map((one) => [...one, '1999']),
    ...cases([...COUNTS, 'rating'], [' 3 ', '+3', '03', '3.0', '3.', '3.00']).map((one) => [
      ...one,
      3,
    ]),
    ...cases([...COUNTS, ...PLACES, 'rating'], [3, 3.0]).map((one) => [...one, 3]),
    ...cases([...COUNTS, 'rating'], [0, '0', '-0']).map((one) => [...one, 0]),
    ...cases(FLAGS, [true, 1, '1', 'true', 'True', ' TRUE ', 'yes', 'Y', 't', 'on']).map((one) => [
      ...one,
      true,
    ]),
    ...cases(FLAGS, [false, 0, '0', 'false', 'False', 'no', 'N', 'f', 'off']).map((one) => [
      ...one,
      false,
    ]),
  ] as [string, unknown, unknown][])('reads %s: %j as %j', (field, value, read) => {
    expect(taken({ itemId: 'a', [field]: value })).toEqual({
      item: { itemId: 'a', [field]: read },
      faults: [],
    })
  })

  it.each([
    ...cases(TEXTS, [' 1999 ', 'Creep\n']),
    ...cases(PLACES, [' 3 ', '+3', '03', '3.0', '3.', '0', '-0']),
    ...cases(PLACES, ['3/12', ' 3 / 12 ', '03/12', '3/', '3 of 12', '3 OF 12']),
  ])('keeps %s: %j as it was submitted', (field, value) => {
    expect(taken({ itemId: 'a', [field]: value })).toEqual({
      item: { itemId: 'a', [field]: value },
      faults: [],
    })
    expect(taken({ itemId: 'a', [field]: [value] }).item).toEqual({ itemId: 'a', [field]: value })
  })

  it('leaves out a name of more than 512 characters, and says so', () => {
    for (const field of ['songName', 'artistName', 'release', 'genre']) {
      const { item, faults } = taken({ itemId: 'a', [field]: 'x'.repeat(513) })
      expect(item).toEqual({ itemId: 'a' })
      expect(faults).toEqual([
        expect.stringMatching(/has 513 characters; give at most 512; it was left out$/),
      ])
      expect(taken({ itemId: 'a', [field]: 'x'.repeat(512) }).faults).toEqual([])
    }
  })

  it.each([
    ...cases(ALL, [{}, { no: 1, of: 12 }, ['x', 'y'], { toString: 1 }]),
    ...cases(TEXTS, [true, false]),
    ...cases(
      [...COUNTS, ...PLACES, 'rating'],
      ['many', '1e3', '1,000', -1, '-1', 1.5, '1.5', true],
    ),
    ...cases([...COUNTS, 'rating'], ['3/12']),
    ...cases(PLACES, ['A1', '1-3', '/12', '3/12/1', 1_000_001, 'one of 12']),
    ...cases(COUNTS, [2 ** 53, '99999999999999999999']),
    ...cases(FLAGS, ['loved', 2, -1, '11', 'null']),
    ['rating', 11],
    ['rating', '8/10'],
    ['itemKeyvalues', 'x'],
    ['itemKeyvalues', 7],
    ['itemKeyvalues', ['x']],
  ])('leaves out %s: %j, says so, and keeps the rest', (field, value) => {
    const rest = { itemId: 'a', ...(field === 'rating' ? { playCount: 7 } : { rating: 7 }) }
    const { item, faults } = taken({ ...rest, [field]: value })
    expect(item).toEqual(rest)
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(
      new RegExp(`^${field} - Invalid parameter: .+ (must be|has|is) .+; it was left out$`),
    )
  })

  it('leaves out each of many that are wrong', () => {
    const item = { itemId: 'a', songName: 'Creep', trackNumber: 'A1', rating: 11, genre: {}, x: 1 }
    const { item: kept, faults } = taken(item)
    expect(kept).toEqual({ itemId: 'a', songName: 'Creep' })
    expect(faults.map((fault) => fault.split(' ')[0]).sort()).toEqual([
      'genre',
      'rating',
      'trackNumber',
      'x',
    ])
  })

  it('leaves out fields that there are not, and says what may have been meant', () => {
    const item = { itemId: 'a', songName: 'Creep' }
    const told = (more: object) => {
      const { item: kept, faults } = taken({ ...item, ...more })
      expect(kept).toEqual(item)
      expect(faults).toHaveLength(1)
      expect(faults[0]).not.toContain('method')
      return faults[0]
    }
    expect(told({ track_number: 3 })).toBe(
      'track_number - Unknown field of a song item: it was left out; did you mean trackNumber?',
    )
    expect(told({ bpm: 120 })).toBe(
      'bpm - Unknown field of a song item: it was left out; itemKeyvalues takes fields of your own',
    )
    expect(told({ bpm: 120, relase: 'x' })).toBe(
      'bpm, relase - Unknown fields of a song item: they were left out; did you mean release?',
    )
    expect(told({ 'a b': 1 })).toMatch(/^"a b" - Unknown field/)
    const many = Object.fromEntries([...Array(5000).keys()].map((i) => [`f${i}`, i]))
    expect(told(many)).toMatch(/^f0, f1, f2, f3, f4 and 4995 more - Unknown fields/)
    expect(told({ ['x'.repeat(100_000)]: 1 })?.length).toBeLessThan(300)
  })

  it('leaves out fields of an entry that there are not', () => {
    const entry = { item: { itemId: 'a' }, date: 'today', catalog_keyvalues: {} }
    expect(parseEntry('song', entry)).toEqual({
      action: 'update',
      item: { itemId: 'a' },
      faults: [
        'date, catalog_keyvalues - Unknown fields of an entry: they were left out; did you mean catalogKeyvalues?',
      ],
    })
    expect(refusal({ itemId: 'a', rating: 3 })).toMatch(/^itemId, rating - Unknown fields/)
  })

  it('keeps keys and values that are no text as JSON, and takes null for one to be removed', () => {
    const itemKeyvalues = {
      class: ['Primary', 'Gold'],
      n: 3,
      yes: true,
      o: { a: [1] },
      t: '',
      x: null,
    }
    const read = {
      class: '["Primary","Gold"]',
      n: '3',
      yes: 'true',
      o: '{"a":[1]}',
      t: '',
      x: null,
    }
    expect(taken({ itemId: 'a', itemKeyvalues })).toEqual({
      item: { itemId: 'a', itemKeyvalues: read },
      faults: [],
    })
    expect(parseEntry('song', { catalogKeyvalues: itemKeyvalues }).catalogKeyvalues).toEqual(read)
  })

  it.each(['delete', 'play', 'skip', 'favorite', 'unfavorite', 'ban', 'unban'] as const)(
    '%s: takes the id and leaves all else aside',
    (action) => {
      const item = { itemId: 'a', rating: 99, songName: 'x', songId: 'y' }
      const entry = { action, item: { itemId: 'a' }, faults: [] }
      expect(parseEntry('song', { action, item })).toEqual(entry)
    },
  )

  it('takes at most 100 keys and values', () => {
    const pairs = (count: number) =>
      Object.fromEntries([...Array(count).keys()].map((i) => [`k${i}`, '']))
    expect(taken({ itemId: 'a', itemKeyvalues: pairs(100) }).faults).toEqual([])
    const { item, faults } = taken({ itemId: 'a', itemKeyvalues: pairs(101) })
    expect(item).toEqual({ itemId: 'a' })
    expect(faults[0]).toContain('100')
    expect(refusal({ catalogKeyvalues: pairs(100) })).toBe('nothing')
    expect(refusal({ catalogKeyvalues: pairs(101) })).toContain('100')
  })

  it('refuses an action that there is not', () => {
    expect(refusal({ action: 'love', item: { itemId: 'a' } })).toMatch(
      /^action - Invalid parameter: "love" is not one of "delete", "update", "play", "skip"/,
    )
    for (const action of ['', null, undefined]) {
      expect(parseEntry('song', { action, item: { itemId: 'a' } }).action).toBe('update')
    }
  })

  it('takes keys and values of the catalog, alone or beside an item', () => {
    const catalogKeyvalues = { owner: 'me' }
    expect(parseEntry('song', { catalogKeyvalues })).toEqual({
      action: 'update',
      catalogKeyvalues,
      faults: [],
    })
    expect(parseEntry('artist', { item: { itemId: 'a' }, catalogKeyvalues })).toEqual({
      action: 'update',
      item: { itemId: 'a' },
      catalogKeyvalues,
      faults: [],
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
    [null, CODE_A],
    ['', CODE_A],
  ])('takes an fpCode of version %s', (version, code) => {
    expect(taken({ itemId: 'a', fpCode: { version, code } }).faults).toEqual([])
  })

  it('takes an fpCode that is a bare text, or as a generator writes it', () => {
    const { item, faults } = taken({ itemId: 'a', fpCode: CODE_A })
    expect({ item, faults }).toEqual({ item: { itemId: 'a', fpCode: CODE_A }, faults: [] })
    const written = { metadata: { artist: '', version: 4.12 }, code: CODE, code_count: 3, tag: 0 }
    expect(taken({ itemId: 'a', fpCode: written })).toEqual({
      item: { itemId: 'a', fpCode: { code: CODE } },
      faults: [],
    })
  })

  const BAD = [4.13, 3.14, 0, '5.0', 'x', 'ANN 4.12'].map((version) => ({ version, code: CODE }))
  it.each(['', ' ', 'rubbish', '%%%', CODE.slice(0, 20), 7, {}, { code: '' }, { code: 7 }, ...BAD])(
    'leaves out the fpCode %j, says so, and keeps the names',
    (fpCode) => {
      const names = { itemId: 'a', songName: 'Creep', artistName: 'Radiohead' }
      const { item, faults } = taken({ ...names, fpCode })
      expect(item).toEqual(names)
      expect(faults).toHaveLength(1)
      expect(faults[0]).toMatch(/^fpCode.*; it was left out$/)
    },
  )

  it.each([null])('takes the fpCode %j for one to be cleared', (fpCode) => {
    expect(taken({ itemId: 'a', fpCode })).toEqual({
      item: { itemId: 'a', fpCode: null },
      faults: [],
    })
  })
})

describe('codeOf', () => {
  it('takes a bare code for version 3.15', () => {
    expect(fpCodeParts('abc')).toEqual({ code: 'abc', version: 3.15 })
    expect(fpCodeParts({ code: 'abc' })).toEqual({ code: 'abc', version: 3.15 })
    expect(fpCodeParts({ code: 'abc', version: 4 })).toEqual({ code: 'abc', version: 4 })
  })
})
