import type { Door } from '../host/door.ts'
import { Track, type Waiting } from './track.ts'

/** Files that hold the same recording. */
export interface Duplicates {
  /**
   * Two or more, in the order they were uploaded. With `evidence`, `answer.evidence` of each track
   * but the first says why the track is in the group.
   */
  tracks: Track[]
}

/** Options of the search for duplicates. */
export interface DuplicateOptions extends Waiting {
  /** Adds to each track of a group, except the first, the evidence that it belongs there. */
  evidence?: boolean | undefined
  /** Called a few times a second. */
  onProgress?:
    | ((progress: {
        /** Tracks compared so far. */
        done: number
        /** All analysed tracks. */
        total: number
      }) => void)
    | undefined
}

/** See {@link Tracks.duplicates}. */
export async function findDuplicates(door: Door, options: DuplicateOptions): Promise<Duplicates[]> {
  const { signal, onProgress, evidence } = options
  const groups: Duplicates[] = []
  let after: number | undefined
  do {
    const page = await door.call('track/duplicates', { after, evidence }, { signal })
    for (const { tracks } of page.groups) {
      groups.push({ tracks: tracks.map((answer) => new Track(door, answer)) })
    }
    onProgress?.({ done: page.done, total: page.total })
    after = page.after
  } while (after !== undefined)
  return groups
}
