import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { pause } from '../kernel/scheduler.ts'
import { performance } from '../kernel/timers.ts'
import type { TrackRoom } from './room.ts'
import { addMissingSounds } from './sound-descriptors.ts'
import { bucket, describe, type TrackProfile } from './track-answer.ts'

const parameters = z.strictObject({
  /** `after` of the page before. */
  after: z.int().min(0).optional(),
  /** `audio_summary`: what the analysis says in short. */
  bucket,
})

/** Tracks that hold the same recording, in the order of their upload. */
export interface DuplicateGroup {
  tracks: TrackProfile[]
}

/** The duplicates in a part of the library. */
export interface DuplicatePage {
  groups: DuplicateGroup[]
  /** Tracks that were compared. */
  done: number
  /** All analysed tracks. */
  total: number
  /** Asks for the next page; absent on the last one. */
  after?: number
}

/** Milliseconds after which a page ends. */
const PAGE = 250

/**
 * `track/duplicates` (ours): files with the same recording, differently encoded or trimmed at their
 * ends, in pages. Other performances, mixes and lengths of a song are not duplicates.
 */
export const duplicates = method({
  name: 'track/duplicates',
  parameters,
  async run(room: TrackRoom, given, { signal }): Promise<DuplicatePage> {
    const until = performance.now() + PAGE
    const { after = 0 } = given
    if (after === 0 && !(await addMissingSounds(room, signal, until))) {
      return { groups: [], done: 0, total: room.analyses.countAnalyses(), after }
    }
    const search = await room.duplicates.at(after, signal)
    const groups: DuplicateGroup[] = []
    const { entries } = search.index
    let place = search.placeAfter(after)
    while (place < entries.length) {
      const ids = await search.groupOf(place++, signal)
      const rows = ids
        .flatMap((id) => room.store.byId(id) ?? [])
        .sort((a, b) => a.createdAt - b.createdAt)
      if (rows.length > 1) {
        groups.push({ tracks: rows.map((row) => describe(room.store, row, given.bucket)) })
      }
      if (performance.now() >= until) break
      await pause(signal)
    }
    const last = entries[place - 1]
    if (place < entries.length && last) {
      return { groups, done: place, total: entries.length, after: last.id }
    }
    room.duplicates.end()
    return { groups, done: entries.length, total: entries.length }
  },
})
