import { describe, expect, it } from 'vitest'
import { extendHash, HASH_START, KnownNames } from '../../src/feed/known-names.ts'
import {
  countMentions,
  lowerCaseWords,
  mentionsIn,
  type NameLookup,
} from '../../src/feed/mentions.ts'
import { artistKey } from '../../src/naming/names.ts'

/** Names to be found, and what a text names of them. */
function finder(...artists: string[]): (text: string) => string[] {
  const known = new KnownNames()
  const byKey = new Map<string, { num: number; name: string }>()
  artists.forEach((name, num) => {
    known.addName(artistKey(name))
    byKey.set(artistKey(name), { num, name })
  })
  const names: NameLookup = { known, find: (name) => byKey.get(artistKey(name)) }
  return (text) => mentionsIn(text, names).map(({ artist }) => artists[artist] as string)
}

describe('names in a text', () => {
  it('are found in any spelling, as whole words', () => {
    const find = finder('AC/DC', 'Beyoncé', 'Simon & Garfunkel', 'The Zutons', 'U2', 'blink-182')
    expect(find('Last night AC/DC met Beyonce.')).toEqual(['AC/DC', 'Beyoncé'])
    expect(find('So Simon and Garfunkel came, and Simon & Garfunkel left.')).toHaveLength(2)
    expect(find('A song by Zutons; The Zutons; the ZUTONS')).toHaveLength(3)
    expect(find('He saw U2, then blink-182 and Blink 182.')).toEqual([
      'U2',
      'blink-182',
      'blink-182',
    ])
    expect(find('Beyonceful u22 ACDC Simonetta')).toEqual([])
  })

  it('are found in the genitive, and at the end of sentences', () => {
    const find = finder('Radiohead', 'The Zutons', 'Guns N’ Roses')
    expect(find("It is Radiohead's best. It is the Zutons' worst.")).toEqual([
      'Radiohead',
      'The Zutons',
    ])
    expect(find('They heard Guns N’ Roses, and Guns N Roses’s singer.')).toHaveLength(2)
  })

  it('are the longest that begin there, and do not overlap', () => {
    const find = finder('Florence', 'Florence and the Machine', 'The Machine Works', 'Works')
    expect(find('She likes Florence and the Machine.')).toEqual(['Florence and the Machine'])
    expect(find('She likes Florence and the Machine Works.')).toEqual([
      'Florence and the Machine',
      'Works',
    ])
    expect(find('He likes The Machine Works, and Florence.')).toEqual([
      'The Machine Works',
      'Florence',
    ])
  })

  it('need their capitals, unless nothing has any', () => {
    const find = finder('Arctic Fox', 'Radiohead', 'deadmau5', 'clipping.')
    expect(find('He fed an arctic fox on the Radiohead stage.')).toEqual(['Radiohead'])
    expect(find('Some radiohead of a Machine')).toEqual([])
    expect(find('arctic fox is on tour with radiohead, the band')).toEqual([
      'Arctic Fox',
      'Radiohead',
    ])
    expect(find('We heard deadmau5 play.')).toEqual(['deadmau5'])
    expect(find('A clipping of a Paper.')).toEqual([])
  })

  it('need more evidence if they are common words', () => {
    const find = finder(
      'Yes',
      'Love',
      'The Who',
      'The Band',
      'Talk Talk',
      'Air',
      'Queen',
      '1975',
      'X',
    )
    expect(find('Yes, love is in the air. Who knows? The queen. In 1975 X said so.')).toEqual([])
    expect(find('Yes. Love. Air. Queen! Talk, talk.')).toEqual([])
    expect(find('The new album by Yes is out.')).toEqual(['Yes'])
    expect(find('They are fans of Love and saw Love twice.')).toEqual(['Love', 'Love'])
    expect(find('He once played with The Who.')).toEqual(['The Who'])
    expect(find('He asked Who it was.')).toEqual([])
    expect(find('It was recorded by The Band, the band.')).toEqual(['The Band'])
    expect(find('She prefers Talk Talk to all else.')).toEqual(['Talk Talk'])
    expect(find('Queen on stage again with new songs')).toEqual([])
    expect(find('A concert of Queen fills the hall')).toEqual(['Queen'])
  })

  it('take a word for common that the text also has in small letters', () => {
    const find = finder('Placebo')
    expect(find('The drug did no better than a placebo. Placebo effects are real.')).toEqual([])
    expect(find('The singer of Placebo said that no placebo helps.')).toEqual(['Placebo'])
  })

  it('tell nothing by their capitals where every word has one', () => {
    const find = finder('Garbage', 'Air', 'Radiohead')
    expect(find('Why The Air In Paris Is So Bad')).toEqual([])
    expect(find('Radiohead Announce New Dates For Next Year')).toEqual(['Radiohead'])
    expect(find('THE AIR IN PARIS IS BAD')).toEqual([])
  })

  it('are found where no spaces are written', () => {
    const find = finder('宇多田ヒカル', 'くるり')
    expect(find('昨日は宇多田ヒカルのコンサートだった。')).toEqual(['宇多田ヒカル'])
    expect(find('くるりの新曲')).toEqual(['くるり'])
  })

  it('cannot be made to take long', () => {
    // Every beginning compared with all that follows would outlast the test.
    const find = finder('a a a a a a a a a a a b', 'aa')
    expect(find('a '.repeat(200_000))).toEqual([])
    expect(find(`${'a'.repeat(400_000)}'s`)).toEqual([])
  })
})

describe('the names of all artists', () => {
  it('are told from others by their hashes', () => {
    const known = new KnownNames()
    const names = Array.from({ length: 20_000 }, (_, i) => `name ${i.toString(36)} ${i % 7}`)
    for (const name of names) known.addName(name)
    expect(known.size).toBeGreaterThan(19_990)
    const { size } = known
    for (const name of names.slice(0, 100)) known.addName(name)
    expect(known.size).toBe(size)
    const hash = (name: string) => name.split(' ').reduce(extendHash, HASH_START)
    expect(names.filter((name) => !known.mayHave(hash(name)))).toEqual([])
    expect(names.filter((name) => !known.goesOn(hash(name.slice(0, -2))))).toEqual([])
    const others = names.map((name) => `no${name}`)
    expect(others.filter((name) => known.mayHave(hash(name))).length).toBeLessThan(5)
  })
})

describe('sayings', () => {
  it('count a name however it is written', () => {
    expect(countMentions('yes, YES and Yes’s; yesterday', 'Yes')).toEqual({ count: 3, first: 0 })
    expect(countMentions('Here are the iron kettles', 'The Iron Kettles')).toEqual({
      count: 1,
      first: 3,
    })
    expect(countMentions('la la la', 'La La')).toEqual({ count: 1, first: 0 })
    expect(countMentions('', 'Yes')).toEqual({ count: 0, first: -1 })
  })

  it('know the words of a text in small letters', () => {
    expect([...lowerCaseWords('The cat’s Hat, a hat')]).toEqual(['cat', 'a', 'hat'])
  })
})
