import { onTestFinished } from 'vitest'
import { artistOf } from '../../src/artist/apply-record.ts'
import { ArtistStore } from '../../src/artist/store.ts'
import { newId } from '../../src/ids.ts'
import { openDatabase } from '../../src/kernel/database/open.ts'
import { nameKey } from '../../src/naming/names.ts'
import type { MatchContext } from '../../src/song/match.ts'
import { SongStore } from '../../src/song/store.ts'

/** A song as a list has it. */
export interface Named {
  artist: string
  title: string
  duration?: number
  release?: string
  isrc?: string
  musicbrainzId?: string
  /** Default: imported. */
  own?: boolean
}

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
  const add = (list: readonly Named[]) => fill(context, list)
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

function fill({ store, artists }: MatchContext, songs: readonly Named[]): void {
  const now = 1_700_000_000_000
  store.atomically(() => {
    const nums = songs.map(({ artist: name, title, own = false, ...facts }) => {
      const { artist, made } = artistOf({ store: artists, now: () => now }, { name }, !own)
      if (made) artists.index([artist.num])
      const credit = nameKey(name) === nameKey(artist.name) ? null : name
      const num = store.add(
        newId('song', now),
        {
          title,
          artist: artist.num,
          credit,
          release: facts.release ?? null,
          duration: facts.duration ?? null,
          year: null,
          hotttnesss: null,
          songType: null,
        },
        own ? 0 : 1,
        now,
      )
      if (facts.isrc !== undefined) store.ids.add('isrc', facts.isrc, num)
      if (facts.musicbrainzId !== undefined) {
        store.ids.add('musicbrainz', facts.musicbrainzId, num)
      }
      return num
    })
    store.index(nums)
  })
}
