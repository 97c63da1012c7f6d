import { expect, it } from 'vitest'
import { madeLibrary } from '../support/made-library.ts'
import { openInline } from '../support/open.ts'
import { recallOf, typedQueries } from '../support/typed-queries.ts'

it('finds songs as people type their names', async () => {
  const tracks = madeLibrary(3000)
  const music = await openInline()
  await music.songs.import(
    tracks.map(({ title, artist: artistName, release }) => ({ title, artistName, release })),
  )
  const recalls = await recallOf(typedQueries(tracks, 40), async (combined) =>
    (await music.songs.search({ combined, results: 10 })).map(({ title, artistName }) => ({
      title,
      artist: artistName ?? '',
    })),
  )
  for (const [category, { ten, count }] of recalls) {
    // A slip in a word that is only begun leaves few letters.
    const least = category === 'all' ? 0.95 : 0.8
    expect([category, ten / count >= least], `${ten} of ${count}`).toEqual([category, true])
  }
})
