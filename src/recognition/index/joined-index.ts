import type { RecordingStore } from '../recording-store.ts'
import type { Lookup } from '../systems/codes.ts'
import { PostingsReader } from '../systems/postings.ts'
import type { Family } from '../systems/version.ts'
import type { CodeIndex } from './code-index.ts'

/** A database with recordings, and the reference that it is, unless it is one's own. */
export interface Place {
  recordings: Pick<RecordingStore, 'byId' | 'atomically'>
  index: CodeIndex
  name?: string
}

/** A recording of one of several databases. */
export type Found = NonNullable<ReturnType<RecordingStore['byId']>> & {
  reference?: string | undefined
}

/** Several indexes as one, as they are now. Recordings have other numbers than in their database. */
export interface JoinedView {
  lookup: (family: Family) => Lookup
  byId: (recording: number) => Found | undefined
  /**
   * The same computation, each step in one read transaction of every database: without it SQLite locks
   * the file for each row, which takes longer than to read the row.
   */
  reading: <T>(steps: Generator<void, T>) => Generator<void, T>
}

/**
 * Joins indexes as if all their recordings were in one: what a score must be grows with all of them,
 * and the next recording that a song must lead may be in any of them.
 */
export function joinedView(places: readonly Place[]): JoinedView {
  let end = 0
  const parts = places.map(({ recordings, index, name }) => {
    const lookups = index.lookups()
    const base = end
    // Alike for all families: numbers of recordings are below it.
    end += lookups('landmarks').songs
    return { recordings, lookups, base, name }
  })
  return {
    lookup: (family) =>
      joined(
        parts.map(({ lookups, base }) => [lookups(family), base]),
        end,
      ),
    byId: (recording) => {
      const part = parts.findLast(({ base }) => base <= recording)
      const row = part?.recordings.byId(recording - part.base)
      return row && { ...row, reference: part?.name }
    },
    *reading(steps) {
      for (;;) {
        const step = places.reduce<() => ReturnType<typeof steps.next>>(
          (inner, { recordings }) =>
            () =>
              recordings.atomically.reading(inner),
          () => steps.next(),
        )
        const { done, value } = step()
        if (done) return value
        yield
      }
    },
  }
}

/**
 * Indexes that hold so many recordings together tell how frequent a code is in the others too: a search
 * asks for the frequencies of all its codes, and each costs a read in every index.
 */
const ENOUGH = 50_000

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
