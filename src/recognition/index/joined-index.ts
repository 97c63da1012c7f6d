import type { RecordingStore } from '../recording-store.ts'
import type { Lookup } from '../systems/codes.ts'
import { PostingsReader } from '../systems/postings.ts'
import type { Family } from '../systems/version.ts'
import type { CodeIndex } from './code-index.ts'

/** A database with recordings, and the reference that it is, unless it is one's own. */
export interface Place {
  recordings: Pick<RecordingStore, 'byId'>
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
  }
}

function joined(parts: readonly [lookup: Lookup, base: number][], songs: number): Lookup {
  const all = new PostingsReader()
  return {
    songs,
    frequency: (code) => parts.reduce((sum, [lookup]) => sum + lookup.frequency(code), 0),
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
