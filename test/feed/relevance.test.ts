import { describe, expect, it } from 'vitest'
import { KnownNames } from '../../src/feed/known-names.ts'
import { HIGH_RELEVANCE, ownRelevance, referencesOf } from '../../src/feed/relevance.ts'
import { artistKey } from '../../src/naming/names.ts'

const ARTISTS = ['Nora Vale', 'The Iron Kettles', 'Os Sóis', 'Zutons', 'Radiohead']
const known = new KnownNames()
for (const name of ARTISTS) known.addName(artistKey(name))
const names = {
  known,
  find(name: string) {
    const num = ARTISTS.findIndex((artist) => artistKey(artist) === artistKey(name))
    return num < 0 ? undefined : { num, name: ARTISTS[num] as string }
  },
}
const filler = 'word and word '.repeat(30)

describe('relevance', () => {
  it('is made of where an artist is named, and how often', () => {
    const of = (headline: string, text: string) =>
      referencesOf({ headline, text }, names, []).find(({ artist }) => artist === 0)?.relevance
    expect(of('On Nora Vale', '')).toBe(0.5)
    expect(of('On Nora Vale', 'So Nora Vale said.')).toBe(0.7)
    expect(of('On her', 'So Nora Vale said.')).toBe(0.2)
    expect(of('On her', `${filler} so Nora Vale said.`)).toBe(0)
    expect(of('On her', `So Nora Vale said. ${filler} Then Nora Vale went.`)).toBe(0.3)
    expect(of('On Nora Vale', 'So Nora Vale did. '.repeat(9))).toBe(0.9)
    expect(of('On her', 'So she did.')).toBeUndefined()
  })

  it('is shared by the many that an item names', () => {
    const headline = 'With Nora Vale, The Iron Kettles, Os Sóis and Radiohead'
    const all = referencesOf({ headline, text: '' }, names, [])
    expect(all.map(({ relevance }) => relevance)).toEqual([0.375, 0.375, 0.375, 0.375])
  })

  it('is higher for whom the feed is about, whether it names them or not', () => {
    const own = [{ num: 1, name: 'The Iron Kettles' }]
    expect(referencesOf({ headline: 'Hello', text: '' }, names, own)).toEqual([
      { artist: 1, relevance: 0.3 },
    ])
    const spoken = { headline: 'Nora Vale was here', text: 'with the iron kettles' }
    expect(referencesOf(spoken, names, own)).toEqual([
      { artist: 0, relevance: 0.5 },
      { artist: 1, relevance: 0.5 },
    ])
    expect(ownRelevance({ headline: 'Iron Kettles', text: '' }, 'The Iron Kettles')).toBe(0.8)
    expect(ownRelevance({ headline: 'Weather', text: '' }, 'The Iron Kettles')).toBeLessThan(
      HIGH_RELEVANCE,
    )
  })
})
