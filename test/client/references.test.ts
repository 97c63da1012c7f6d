import { describe, expect, it } from 'vitest'
import { openInline } from '../support/open.ts'

describe('ids and what has one', () => {
  it('are taken alike', async () => {
    const music = await openInline()
    await music.songs.import([{ title: 'Help!', artistName: 'The Beatles' }])
    const [song] = await music.songs.search({ title: 'help' })
    if (!song) throw new Error('no song')
    expect(await music.songs.profile(song.id)).toEqual(await music.songs.profile({ id: song.id }))
    const [artist] = await music.artists.search('beatles')
    if (!artist) throw new Error('no artist')
    expect(await music.artists.get(artist)).toEqual(await music.artists.get(artist.id))
    const catalog = await music.catalogs.create({ name: 'Evenings', type: 'song' })
    for (const reference of [catalog, catalog.id, { id: catalog.id }, { name: 'Evenings' }]) {
      expect((await music.catalogs.get(reference)).id).toBe(catalog.id)
    }
    const key = await music.keys.create()
    expect(await music.keys.revoke(key)).toEqual({ id: key.id })
    const feed = await music.feeds.add({
      url: 'https://a.invalid/feed',
      artistName: 'Nora',
      type: 'news',
    })
    expect(await music.feeds.remove(feed)).toEqual({ id: feed.id })
  })
})
