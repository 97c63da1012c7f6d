import { findOrAddArtist } from '../../src/artist/apply-record.ts'
import { nameKey } from '../../src/naming/names.ts'
import type { MatchContext } from '../../src/song/match.ts'
import { newId } from '../../src/values/ids.ts'
import { UNKNOWN_FACTS } from './made-recordings.ts'

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

/** Adds songs to stores, as an import would leave them. */
export function addNamed({ store, artists }: MatchContext, songs: readonly Named[]): void {
  const now = 1_700_000_000_000
  store.atomically(() => {
    const nums = songs.map(({ artist: name, title, own = false, ...facts }) => {
      const { artist, made } = findOrAddArtist({ store: artists, now: () => now }, { name }, !own)
      if (made) artists.updateIndex([artist.num])
      const credit = nameKey(name) === nameKey(artist.name) ? null : name
      const num = store.addSong(
        newId('song', now),
        {
          ...UNKNOWN_FACTS,
          title,
          artist: artist.num,
          credit,
          release: facts.release ?? null,
          duration: facts.duration ?? null,
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
    store.updateIndex(nums)
  })
}
