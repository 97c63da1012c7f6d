import { describe, expect, it } from 'vitest'
import { openInline } from '../support/open.ts'

async function library() {
  const music = await openInline()
  await music.songs.import([
    { artistName: 'Nora Vale', title: 'Cellar Door', duration: 200, isrc: 'GBAYE7700531' },
    { artistName: 'Fats Casserole', title: 'Gravy (Over Everything)' },
    { artistName: 'Fats Casserole', title: 'Gravy (Under Everything)' },
  ])
  return music
}

describe('the song that names mean', () => {
  it('is answered with its distance, and why only on request', async () => {
    const { songs } = await library()
    const found = await songs.resolve({ title: '07 - Celar Door.mp3', artist: 'Vale, Nora' })
    expect(Object.keys(found).sort()).toEqual(['distance', 'song'])
    expect(found.song?.title).toBe('Cellar Door')
    expect((await found.song?.profile())?.artistName).toBe('Nora Vale')
    const why = await songs.resolve(
      { title: '07 - Celar Door.mp3', artist: 'Vale, Nora' },
      { explain: true },
    )
    expect(why.distance).toBe(found.distance)
    expect(why.penalties?.map(({ name }) => name)).toEqual([
      'reading.cleaned',
      'reading.sorted',
      'title.letters',
    ])
    expect(why.candidates?.[0]?.song).toMatchObject({ title: 'Cellar Door' })
    expect(why.candidates?.[0]?.penalties).toEqual(why.penalties)
  })

  it('is none if another one is nearly as near', async () => {
    const music = await openInline()
    await music.songs.import([
      { artistName: 'Nora Vale', title: 'Long Waltz (Over the Hill)', release: 'Hills' },
      { artistName: 'Nora Vale', title: 'Long Waltz (Under the Hill)', release: 'Dales' },
    ])
    const asked = { title: 'Long Waltz', artist: 'Nora Vale', release: 'Hills' }
    const { refused, candidates } = await music.songs.resolve(asked, { explain: true })
    expect(refused).toBe('ambiguous')
    expect(candidates?.map(({ distance }) => distance)).toEqual([0.08, 0.09])
    const { song } = await music.songs.resolve({ ...asked, title: 'Long Waltz (Over the Hill)' })
    expect(song?.title).toBe('Long Waltz (Over the Hill)')
  })

  it('is none, and it is said why', async () => {
    const { songs } = await library()
    const two = await songs.resolve({ title: 'Gravy', artist: 'Fats Casserole' }, { explain: true })
    expect(two).toMatchObject({ refused: 'ambiguous' })
    expect(two.candidates?.map(({ distance }) => distance)).toEqual([
      two.candidates?.[0]?.distance,
      two.candidates?.[0]?.distance,
    ])
    expect(two.song ?? two.distance).toBeUndefined()
    const far = await songs.resolve({ title: 'Cellar Door (Live)', artist: 'Nora Vale' })
    expect(far).toEqual({ refused: 'far' })
    const none = await songs.resolve({ title: 'Zzz', artist: 'Qqq' }, { explain: true })
    expect(none).toMatchObject({ refused: 'unknown', penalties: [], candidates: [] })
  })

  it('is that of an id, whatever the names', async () => {
    const { songs } = await library()
    const found = await songs.resolve(
      { title: 'Gravy', isrc: 'gb-aye-77-00531' },
      { explain: true },
    )
    expect(found.song?.title).toBe('Cellar Door')
    expect(found.limit).toBe(1)
  })

  it('may be of an artist that is known by id', async () => {
    const { songs, artists } = await library()
    const [vale] = await artists.search('Nora Vale')
    const found = await songs.resolve({ title: 'Cellar Door', artistId: vale?.id ?? '' })
    expect(found).toMatchObject({ distance: 0, song: { title: 'Cellar Door' } })
    await expect(
      songs.resolve({ title: 'Cellar Door', artistId: 'ARNOBODY0000000000' }),
    ).rejects.toMatchObject({ code: 'unknown_identifier' })
  })
})
