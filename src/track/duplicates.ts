import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { inTurns, pause } from '../kernel/scheduler.ts'
import type { ComparableRow } from './analysis-store.ts'
import { type DuplicateEvidence, Duplicates, suspecting } from './duplicate-groups.ts'
import type { TrackRoom } from './room.ts'
import { describe, summary, type TrackProfile } from './track-answer.ts'

/** A track of a group. */
export interface DuplicateTrack extends TrackProfile {
  /** Only on request, and not for the first of the group. */
  evidence?: DuplicateEvidence
}

/** Tracks that hold the same recording, in the order of their upload. */
export interface DuplicateGroup {
  tracks: DuplicateTrack[]
}

/** The duplicates in a part of the library. */
export interface DuplicatePage {
  groups: DuplicateGroup[]
  /** Tracks that were compared. */
  done: number
  /** All analysed tracks. */
  total: number
  /** The `after` of the next page; absent on the last one. */
  after?: number
}

/** Most tracks compared for a page; the codes of a page are read together. */
const PAGE = 1_000

/**
 * `track/duplicates` (ours): files with the same recording, differently encoded or trimmed at their
 * ends, in pages. Other performances, mixes and lengths of a song are not duplicates.
 */
export const duplicates = method({
  name: 'track/duplicates',
  parameters: z.strictObject({
    /** `after` of the page before. */
    after: z.int().min(0).optional(),
    ...summary,
    /** Adds to each track of a group, except the first, the evidence that it belongs there. */
    evidence: z.boolean().optional(),
  }),
  async run(room: TrackRoom, given, { signal }): Promise<DuplicatePage> {
    const { after = 0 } = given
    const suspects = await inTurns(suspecting(room.analyses), signal)
    const due = suspects.filter(([first]) => first!.number > after)
    const page = pageOf(due)
    const search = new Duplicates(room, signal)
    await search.read(page)
    const groups: DuplicateGroup[] = []
    for (const rows of page) {
      for (const members of await search.among(rows)) {
        const tracks = members.flatMap(({ trackId, evidence }): DuplicateTrack[] => {
          const row = room.store.byId(trackId)
          if (!row) return []
          const track = describe(room.store, row, given.bucket)
          return [given.evidence && evidence ? { ...track, evidence } : track]
        })
        if (tracks.length > 1) groups.push({ tracks })
      }
      await pause(signal)
    }
    const total = room.analyses.countAfter(0)
    const left = due.slice(page.length)
    if (left.length === 0) return { groups, done: total, total }
    const done = Math.max(0, total - left.flat().length)
    return { groups, done, total, after: page.at(-1)![0]!.number }
  },
})

function pageOf(groups: readonly ComparableRow[][]): ComparableRow[][] {
  let tracks = 0
  return groups.filter((group, i) => {
    tracks += group.length
    return i === 0 || tracks <= PAGE
  })
}
