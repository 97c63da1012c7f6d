import { describe, expect, it } from 'vitest'
import { fromRhythmbox } from '../../src/import-entry.ts'
import { bytes, gzipped, readAll, readItems } from './read-all.ts'

const library = (...entries: string[]) =>
  `<?xml version="1.0" standalone="yes"?>\n<rhythmdb version="2.0">\n${entries.join('\n')}\n</rhythmdb>`

const song = (elements: string, type = 'song') => `<entry type="${type}">${elements}</entry>`
const FULL = song(`
    <title>A &amp; B</title><genre>Folk</genre><artist>Somebody</artist><album>An Album</album>
    <track-number>3</track-number><disc-number>1</disc-number><duration>201</duration>
    <location>file:///home/me/Music/a%20b.ogg</location><rating>4</rating><play-count>12</play-count>
    <last-played>1474707231</last-played>`)

describe('fromRhythmbox', () => {
  it.each([
    ['plain', bytes],
    ['gzipped', gzipped],
  ])('reads songs, %s', async (_, as) => {
    expect(await readItems(fromRhythmbox(as(library(FULL))))).toEqual([
      {
        itemId: expect.stringMatching(/^[0-9a-f]{32}$/),
        songName: 'A & B',
        artistName: 'Somebody',
        release: 'An Album',
        genre: 'Folk',
        trackNumber: 3,
        discNumber: 1,
        url: 'file:///home/me/Music/a%20b.ogg',
        playCount: 12,
        rating: 8,
      },
    ])
  })

  it('leaves out radio, podcasts and what is ignored', async () => {
    const others = ['iradio', 'podcast-feed', 'podcast-post', 'ignore', 'import-error']
    const text = library(...others.map((type) => song('<title>X</title>', type)), FULL)
    expect(await readItems(fromRhythmbox(bytes(text)))).toHaveLength(1)
  })

  it('doubles ratings, of which 0 is none', async () => {
    const rated = ['5', '2.5', '0', '0.000000', '-1', '7'].map((rating, i) =>
      song(`<title>X</title><location>file:///${i}</location><rating>${rating}</rating>`),
    )
    const items = await readItems(fromRhythmbox(bytes(library(...rated))))
    expect(items.map(({ rating }) => rating)).toEqual([
      10,
      5,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  it('gives the same item id at every import, and leaves out what has no tag', async () => {
    const one = song('<title>One</title><artist>Unknown</artist><location>file:///1</location>')
    const [first] = await readItems(fromRhythmbox(bytes(library(one))))
    const items = await readItems(fromRhythmbox(bytes(library(FULL, one))))
    expect(items[1]).toEqual(first)
    expect(first).toEqual({ itemId: first?.itemId, songName: 'One', url: 'file:///1' })
  })

  it('refuses what is no such library', async () => {
    await expect(readAll(fromRhythmbox(bytes('<plist/>')))).rejects.toThrow(
      'is not a Rhythmbox library',
    )
    await expect(readAll(fromRhythmbox(bytes(library(FULL).slice(0, 90))))).rejects.toThrow(
      'cannot be read as a Rhythmbox library',
    )
  })
})
