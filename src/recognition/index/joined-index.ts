import type { Steps } from '../../kernel/scheduler.ts'
import type { RecordingStore } from '../recording-store.ts'
import type { Searched } from '../search/shortlist.ts'
import { ENOUGH, type Shard, ShardsView } from '../shards/shards-view.ts'
import type { Lookup } from '../systems/codes.ts'
import { PostingsReader } from '../systems/postings.ts'
import type { Family } from '../systems/version.ts'
import type { CodeIndex } from './code-index.ts'

/** A database with recordings; `name` is absent unless the database is a reference. */
export interface Place {
  recordings: Pick<RecordingStore, 'byId' | 'atomically'>
  index: CodeIndex
  name?: string
}

/** A recording of one of several databases. */
export interface Found {
  songId: string
  /** Seconds. */
  duration: number | null
  /** The name of the reference that has it; absent for the user's own database. */
  reference?: string | undefined
}

/** Several current indexes as one. Recordings have other numbers here than in their databases. */
export interface JoinedView {
  lookup: (family: Family) => Searched
  byId: (recording: number) => Found | undefined
  /**
   * The same computation, each step in one read transaction of every database: without it SQLite locks
   * the file for each row, which takes longer than to read the row.
   */
  reading: <T>(steps: Steps<T>) => Steps<T>
}

/**
 * Joins indexes as if all their recordings were in one: the score that is required grows with all
 * of them, and the next recording that a song must lead may be in any of them.
 */
export function joinedView(places: readonly (Place | Shard)[]): JoinedView {
  let end = 0
  let endHere = 0
  const parts: Here[] = []
  const shards: { shard: Shard; base: number }[] = []
  for (const place of places) {
    const base = end
    if ('shortlist' in place) {
      shards.push({ shard: place, base })
      end += place.songs
      continue
    }
    const { recordings, index, name } = place
    const lookups = index.lookups()
    parts.push({ recordings, lookups, base, baseHere: endHere, name })
    // The same for all families: all numbers of recordings are below it.
    const { songs } = lookups('triplets')
    end += songs
    endHere += songs
  }
  const elsewhere = new ShardsView(shards)
  const partOf = (here: number) => parts.findLast(({ baseHere }) => baseHere <= here)
  return {
    lookup: (family) => {
      const here = joined(
        parts.map(({ lookups, baseHere }) => [lookups(family), baseHere]),
        endHere,
      )
      if (shards.length === 0) return here
      const own = parts.map(({ lookups, base }) => ({ lookup: lookups(family), base }))
      const numberOf = (song: number) => {
        const { base, baseHere } = partOf(song)!
        return base + song - baseHere
      }
      return { ...here, elsewhere: elsewhere.of(family, { songs: end, own, numberOf }) }
    },
    byId: (recording) => {
      const shard = shards.findLast(({ base }) => base <= recording)
      const part = parts.findLast(({ base }) => base <= recording)
      if (shard && shard.base > (part?.base ?? -1)) return elsewhere.byId(recording)
      const row = part?.recordings.byId(recording - part.base)
      return row && { songId: row.songId, duration: row.duration, reference: part?.name }
    },
    *reading(steps) {
      for (;;) {
        const step = parts.reduce<() => ReturnType<typeof steps.next>>(
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

/** A local database, with the first number of its recordings among all and among local ones. */
interface Here extends Pick<Place, 'recordings'> {
  name: string | undefined
  lookups: (family: Family) => Lookup
  base: number
  baseHere: number
}

function joined(parts: readonly [lookup: Lookup, base: number][], songs: number): Lookup {
  const all = new PostingsReader()
  const largest = parts.map(([lookup]) => lookup).sort((one, other) => other.songs - one.songs)
  return {
    songs,
    frequency: (code) => {
      let found = 0
      let asked = 0
      for (const lookup of largest) {
        if (found > 0 && asked >= ENOUGH) break
        found += lookup.frequency(code)
        asked += lookup.songs
      }
      return found === 0 ? 0 : Math.ceil((found * songs) / asked)
    },
    postings: (code) => {
      all.clear()
      for (const [lookup, base] of parts) {
        const found = lookup.postings(code)
        for (let i = 0; i < found.length; i++) all.add(base + found.songs[i]!, found.times[i]!)
      }
      return all
    },
  }
}
