import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { inTurns, pause } from '../kernel/scheduler.ts'
import type { ComparableRow } from './analysis-store.ts'
import { type DuplicateEvidence, DuplicateSearch, findSuspects } from './duplicate-groups.ts'
import type { TrackRoom } from './room.ts'
import { describeTrack, summary, type TrackProfile } from './track-answer.ts'

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

/** Of a page, whose codes are read together. */
const MAX_COMPARED_TRACKS = 1_000

/**
 * `track/duplicates` (ours): files with the same recording, differently encoded or trimmed at their
 * ends, in pages. Other performances, mixes and lengths of a song are not duplicates.
 */
export const listDuplicates = method({
  name: 'track/duplicates',
  parameters: z.strictObject({
    /** `after` of the page before. */
    after: z.int().min(0).optional(),
    ...summary,
    /** Adds to each track of a group, except the first, the evidence that it belongs there. */
    evidence: z.boolean().optional(),
  }),
  async run(room: TrackRoom, query, { signal }): Promise<DuplicatePage> {
    const { after = 0 } = query
    const suspects = await inTurns(findSuspects(room.analyses), signal)
    const dueGroups = suspects.filter(([first]) => first!.number > after)
    const pageGroups = firstGroups(dueGroups)
    const search = new DuplicateSearch(room, signal)
    await search.readCodesOf(pageGroups)
    const groups: DuplicateGroup[] = []
    for (const rows of pageGroups) {
      for (const members of await search.groupsAmong(rows)) {
        const tracks = members.flatMap(({ trackId, evidence }): DuplicateTrack[] => {
          const row = room.store.byId(trackId)
          if (!row) return []
          const track = describeTrack(room.store, row, query.bucket)
          return [query.evidence && evidence ? { ...track, evidence } : track]
        })
        if (tracks.length > 1) groups.push({ tracks })
      }
      await pause(signal)
    }
    const total = room.analyses.countAfter(0)
    const remainingGroups = dueGroups.slice(pageGroups.length)
    if (remainingGroups.length === 0) return { groups, done: total, total }
    const done = Math.max(0, total - remainingGroups.flat().length)
    return { groups, done, total, after: pageGroups.at(-1)![0]!.number }
  },
})

function firstGroups(groups: readonly ComparableRow[][]): ComparableRow[][] {
  let tracks = 0
  return groups.filter((group, i) => {
    tracks += group.length
    return i === 0 || tracks <= MAX_COMPARED_TRACKS
  })
}
