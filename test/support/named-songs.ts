import { onTestFinished } from 'vitest'
import { ArtistStore } from '../../src/artist/store.ts'
import { openDatabase } from '../../src/kernel/database/open.ts'
import type { MatchContext } from '../../src/song/match.ts'
import { SongStore } from '../../src/song/store.ts'
import { addNamed, type Named } from './stored-songs.ts'

/** Stores that hold songs, as an import would leave them; closed when the running test is done. */
export function named(songs: readonly (Named | readonly [artist: string, title: string])[]): {
  context: MatchContext
  /** `Artist – Title` of a song. */
  show: (song: { num: number } | undefined) => string | undefined
  add: (songs: readonly Named[]) => void
} {
  const db = openDatabase(':memory:')
  onTestFinished(() => {
    db.close()
  })
  const context = { store: new SongStore(db), artists: new ArtistStore(db) }
  const add = (list: readonly Named[]) => addNamed(context, list)
  add(songs.map((song) => ('title' in song ? song : { artist: song[0], title: song[1] })))
  return {
    context,
    add,
    show: (song) => {
      const row = song && context.store.byNum(song.num)
      return row && `${row.artistName} – ${row.title}`
    },
  }
}
