import type { Steps } from '../../kernel/scheduler.ts'
import type { RecordingStore } from '../recording-store.ts'
import type { SearchedIndex } from '../search/shortlist.ts'
import { ENOUGH_SONGS, type Shard, ShardsView } from '../shards/shards-view.ts'
import type { Lookup } from '../systems/codes.ts'
import { PostingsReader } from '../systems/postings.ts'
import type { Family } from '../systems/version.ts'
import type { CodeIndex } from './code-index.ts'

/** A database with recordings; `name` is absent unless the database is a reference. */
export interface SearchedDatabase {
  recordings: Pick<RecordingStore, 'byId' | 'atomically'>
  index: CodeIndex
  name?: string
}

export interface FoundRecording {
  songId: string
  duration: number | null
  /** Absent for the user's own database. */
  reference?: string | undefined
}

/** Several current indexes as one. Recordings have other numbers here than in their databases. */
export interface JoinedView {
  lookup: (family: Family) => SearchedIndex
  byId: (recording: number) => FoundRecording | undefined
  /**
   * Each step in one read transaction of every database: else SQLite locks the file for each row.
   */
  readInSteps: <T>(steps: Steps<T>) => Steps<T>
}

/** Joins indexes as one, so that scores and leads count all their recordings. */
export function joinIndexes(databases: readonly (SearchedDatabase | Shard)[]): JoinedView {
  let end = 0
  let localEnd = 0
  const locals: LocalIndex[] = []
  const shards: { shard: Shard; base: number }[] = []
  for (const database of databases) {
    const base = end
    if ('shortlist' in database) {
      shards.push({ shard: database, base })
      end += database.songs
      continue
    }
    const { recordings, index, name } = database
    const lookups = index.openLookups()
    locals.push({ recordings, lookups, base, localBase: localEnd, name })
    const { songs } = lookups('triplets')
    end += songs
    localEnd += songs
  }
  const shardsView = new ShardsView(shards)
  const localOf = (localSong: number) => locals.findLast(({ localBase }) => localBase <= localSong)
  return {
    lookup: (family) => {
      const localLookup = joinLookups(
        locals.map(({ lookups, localBase }) => [lookups(family), localBase]),
        localEnd,
      )
      if (shards.length === 0) return localLookup
      const localLookups = locals.map(({ lookups, base }) => ({ lookup: lookups(family), base }))
      const numberOf = (song: number) => {
        const { base, localBase } = localOf(song)!
        return base + song - localBase
      }
      return {
        ...localLookup,
        elsewhere: shardsView.searchWith(family, { songs: end, lookups: localLookups, numberOf }),
      }
    },
    byId: (recording) => {
      const shard = shards.findLast(({ base }) => base <= recording)
      const local = locals.findLast(({ base }) => base <= recording)
      if (shard && shard.base > (local?.base ?? -1)) return shardsView.byId(recording)
      const row = local?.recordings.byId(recording - local.base)
      return row && { songId: row.songId, duration: row.duration, reference: local?.name }
    },
    *readInSteps(steps) {
      for (;;) {
        const step = locals.reduce<() => ReturnType<typeof steps.next>>(
          (inner, { recordings }) =>
            () =>
              recordings.atomically.reading(inner),
          () => steps.next(),
        )
        const { done, value } = step()
        if (done) return value
        yield value
      }
    },
  }
}

/** A local database, with its first number among all recordings and among local ones. */
interface LocalIndex extends Pick<SearchedDatabase, 'recordings'> {
  name: string | undefined
  lookups: (family: Family) => Lookup
  base: number
  localBase: number
}

function joinLookups(lookups: readonly [lookup: Lookup, base: number][], songs: number): Lookup {
  const joinedPostings = new PostingsReader()
  const largest = lookups.map(([lookup]) => lookup).sort((one, other) => other.songs - one.songs)
  return {
    songs,
    frequency: (code) => {
      let count = 0
      let askedSongs = 0
      for (const lookup of largest) {
        if (count > 0 && askedSongs >= ENOUGH_SONGS) break
        count += lookup.frequency(code)
        askedSongs += lookup.songs
      }
      return count === 0 ? 0 : Math.ceil((count * songs) / askedSongs)
    },
    postings: (code) => {
      joinedPostings.clear()
      for (const [lookup, base] of lookups) {
        const postings = lookup.postings(code)
        for (let i = 0; i < postings.length; i++)
          joinedPostings.addPosting(base + postings.songs[i]!, postings.times[i]!)
      }
      return joinedPostings
    },
  }
}
