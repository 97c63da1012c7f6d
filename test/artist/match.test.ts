import { describe, expect, it, onTestFinished } from 'vitest'
import { matchArtist } from '../../src/artist/match.ts'
import { ArtistStore } from '../../src/artist/store.ts'
import { openDatabase } from '../../src/kernel/database/open.ts'
import { newId } from '../../src/values/ids.ts'
import { mistyped } from '../support/corruptions.ts'
import { seeded } from '../support/music.ts'
import { openInline } from '../support/open.ts'

/** A store of artists by name, and who is matched by name. */
function numOf(store: ArtistStore, name: string): number {
  const [artist] = store.findByName(name)
  if (!artist) throw new Error(`There is no artist ${name}.`)
  return artist.num
}

function artists(names: readonly string[]) {
  const db = openDatabase(':memory:')
  onTestFinished(() => {
    db.close()
  })
  const store = new ArtistStore(db)
  const add = (name: string, imported = true) => {
    const { num } = store.addArtist({ id: newId('artist', 1), name, imported, now: 1 })
    store.updateIndex([num])
    return num
  }
  for (const name of names) add(name)
  const match = (artistName: string) => matchArtist(store, artistName)
  return {
    store,
    add,
    match,
    named: (name: string) => {
      const found = match(name)
      return found && store.byNum(found.num)?.name
    },
  }
}

const NAMES = [
  'The Iron Kettles',
  'Nora Vale',
  'A.F.I.',
  'Salt & Pepper',
  'Motörhearse',
  'Fats Casserole',
  'Vale',
  '5 Blind Boys',
  'Сплин Город',
  '학교 밴드',
  '!!!',
  'Earth',
  'Ålesund Kvartett',
]

describe('an artist', () => {
  it.each([
    ['The Iron Kettles', 'the iron kettles'],
    ['The Iron Kettles', 'Iron Kettles'],
    ['The Iron Kettles', 'Iron Kettles, The'],
    ['The Iron Kettles', 'THE IRON-KETTLES'],
    ['The Iron Kettles', 'ironkettles'],
    ['The Iron Kettles', 'The Iron Kettles feat. Nora Vale'],
    ['The Iron Kettles', 'The Iron Kettles (ft. Somebody & Others)'],
    ['Nora Vale', 'The Nora Vale'],
    ['Nora Vale', 'Vale, Nora'],
    ['A.F.I.', 'AFI'],
    ['Salt & Pepper', 'Salt and Pepper'],
    ['Salt & Pepper', 'Salt &amp; Pepper'],
    ['Salt & Pepper', 'Salt + Pepper'],
    ['Motörhearse', 'Motorhearse'],
    ['Motörhearse', 'MotÃ¶rhearse'],
    ['5 Blind Boys', 'Five Blind Boys'],
    ['Сплин Город', 'СПЛИН ГОРОД'],
    ['학교 밴드', '학교밴드'],
    ['!!!', ' !!! '],
    ['Ålesund Kvartett', 'Alesund Kvartett'],
  ])('%s is found by %s', (name, asked) => {
    expect(artists(NAMES).named(asked)).toBe(name)
  })

  it.each([
    ['The Iron Kettles', 'The Iron Ketles'],
    ['The Iron Kettles', 'Iron Kettels'],
    ['The Iron Kettles', 'Teh Iron Kettles'],
    ['Fats Casserole', 'Fats Caserole'],
    ['Fats Casserole', 'Fast Cassrole'],
    ['Motörhearse', 'Motorhaerse'],
    ['Сплин Город', 'Сплин Горрод'],
  ])('%s is found by a slip, %s', (name, asked) => {
    expect(artists(NAMES).named(asked)).toBe(name)
  })

  it.each([
    'Iron',
    'Kettles',
    'The Iron Kettles Tribute Band',
    'A Tribute to Nora Vale',
    'Norma Dale',
    'Cora Vale',
    'Earth & Fire',
    'Unknown Artist',
    'Various Artists',
    '',
    '???',
    'Dale',
    '6 Blind Boys',
  ])('is not guessed from %s', (asked) => {
    expect(artists(NAMES).named(asked)).toBeUndefined()
  })

  it('of two who are as close is neither', () => {
    expect(artists(['Jon Smithers', 'Joan Smithers']).named('Joon Smithers')).toBeUndefined()
  })

  it('who is named first of several is meant, if the others make sure that they are several', () => {
    const { named } = artists([...NAMES, 'Drummer'])
    expect(named('Nora Vale, Somebody Else')).toBe('Nora Vale')
    expect(named('Drummer x Nora Vale')).toBe('Drummer')
    expect(named('Drummer & Bass')).toBeUndefined()
  })

  it('is found by another name, and by that alone', () => {
    const { store, named } = artists(['Nora Vale'])
    const num = numOf(store, 'Nora Vale')
    store.addName(num, 'The Valentine', true)
    store.updateIndex([num])
    expect(named('Valentine')).toBe('Nora Vale')
    expect(named('Valnetine')).toBe('Nora Vale')
  })

  it('who was imported goes before one of one’s own tracks', () => {
    const { add, match } = artists([])
    add('Nora Vale', false)
    const imported = add('Nora Vale')
    expect(match('nora vale')?.num).toBe(imported)
  })

  it('is found by the name it has now', () => {
    const { store, named } = artists(['Nora Vale', 'Fats Casserole'])
    const num = numOf(store, 'Nora Vale')
    store.updateFacts(num, { name: 'Honoria Valentine' })
    store.updateIndex([num])
    expect(named('Honoria Valentin')).toBe('Honoria Valentine')
    expect(named('Nora Vale')).toBe('Honoria Valentine')
  })

  it('is found by most slips in its name, and no other', () => {
    const random = seeded(3)
    const syllables = [
      'ka',
      'lo',
      'mi',
      'ren',
      'tos',
      'ul',
      'vey',
      'zan',
      'bri',
      'chu',
      'da',
      'fen',
    ]
    const word = () =>
      Array.from({ length: 3 }, () => syllables[Math.floor(random() * syllables.length)]).join('')
    const names = [...new Set(Array.from({ length: 300 }, () => `${word()} ${word()}`))]
    const { named } = artists(names)
    let found = 0
    let wrong = 0
    for (const name of names) {
      const answer = named(mistyped(random, name))
      if (answer === name) found++
      else if (answer !== undefined) wrong++
    }
    expect(found / names.length).toBeGreaterThan(0.97)
    expect(wrong).toBe(0)
  })

  it('is found by the search of artists too', async () => {
    const music = await openInline()
    await music.artists.import(NAMES.map((name) => ({ name })))
    const found = await music.artists.search('Fats Caserole')
    expect(found.map(({ name }) => name)).toEqual(['Fats Casserole'])
    expect(await music.artists.search('Fits Cassandra')).toEqual([])
  })
})
