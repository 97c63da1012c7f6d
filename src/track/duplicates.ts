import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { pause } from '../kernel/scheduler.ts'
import { performance } from '../kernel/timers.ts'
import type { TrackRoom } from './room.ts'
import { addMissingSounds } from './sound-descriptors.ts'
import { bucket, describe, type TrackAnswer } from './track-answer.ts'

const parameters = z.strictObject({
  /** `after` of the page before. */
  after: z.int().min(0).optional(),
  /** `audio_summary`: what the analysis says in short. */
  bucket,
})

/** Tracks that hold the same recording, in the order in which they came into the library. */
export interface DuplicateGroup {
  tracks: TrackAnswer[]
}

/** What was found in a part of the library. */
export interface DuplicatePage {
  groups: DuplicateGroup[]
  /** Tracks that were looked at, and all there are. */
  done: number
  total: number
  /** Where the next page begins; absent on the last one. */
  after?: number
}

/** Milliseconds after which a page ends. */
const PAGE = 250

/**
 * `track/duplicates` (ours): the files that hold the same recording, encoded otherwise or trimmed at
 * their ends, in pages. Other performances, mixes and lengths of a song are no duplicates.
 */
export const duplicates = method({
  name: 'track/duplicates',
  parameters,
  async run(context: TrackRoom, given, { signal }): Promise<DuplicatePage> {
    const until = performance.now() + PAGE
    const { after = 0 } = given
    if (after === 0 && !(await addMissingSounds(context, signal, until))) {
      return { groups: [], done: 0, total: context.store.countAnalyses(), after }
    }
    const search = await context.duplicates.at(after, signal)
    const groups: DuplicateGroup[] = []
    const { entries } = search.index
    let place = search.placeAfter(after)
    while (place < entries.length) {
      const ids = await search.groupOf(place++, signal)
      const rows = ids
        .flatMap((id) => context.store.byId(id) ?? [])
        .sort((a, b) => a.createdAt - b.createdAt)
      if (rows.length > 1) {
        groups.push({ tracks: rows.map((row) => describe(context, row, given.bucket)) })
      }
      if (performance.now() >= until) break
      await pause(signal)
    }
    const last = entries[place - 1]
    if (place < entries.length && last) {
      return { groups, done: place, total: entries.length, after: last.id }
    }
    context.duplicates.end()
    return { groups, done: entries.length, total: entries.length }
  },
})
