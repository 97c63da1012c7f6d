import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { pause } from '../kernel/scheduler.ts'
import { whole } from '../options/parameter-types.ts'
import { collectCodes } from '../recognition/index/collect-codes.ts'
import {
  type Codes,
  encodeCodes,
  WIRE_VERSIONS,
  type WireFamily,
} from '../recognition/systems/codes.ts'
import { encodeLandmarks, landmarkVersionOf } from '../recognition/systems/landmark-string.ts'
import type { Family } from '../recognition/systems/version.ts'
import { known } from '../values/known.ts'
import type { SongRecord } from './record.ts'
import type { SongRoom } from './room.ts'

/** A page of recordings, as records of `song/import`. */
export interface ExportPage {
  records: SongRecord[]
  /** Recordings that are not exported yet. */
  left: number
  /** Asks for the next page; absent on the last one. */
  after?: number
}

const COLLECTED = 2048
/** Records of a page: about 2 MB. */
const PAGE = 64

/** Names for a song without title or artist, as MusicBrainz writes them: imports require both. */
const UNKNOWN = { title: '[untitled]', artistName: '[unknown]' } as const

/**
 * `song/export` (ours): every recording whose fingerprints are known, by ascending number, with its
 * song's names and ids, as records that `song/import` takes.
 */
export const exportRecordings = method({
  name: 'song/export',
  parameters: z.strictObject({
    /** `after` of the page before. */
    after: whole.optional(),
  }),
  async run(room: SongRoom, { after = 0 }, { signal }): Promise<ExportPage> {
    const { recordings, exported } = room
    const page = recordings.after(after, PAGE)
    if (!page.every(({ id }) => exported.has(id))) {
      const numbers = recordings.after(after, COLLECTED).map(({ id }) => id)
      const collected = await collectCodes(recordings, numbers, () => pause(signal))
      exported.clear()
      for (const [id, codes] of collected) exported.set(id, codes)
    }
    const last = page.at(-1)?.id
    const left = last === undefined ? 0 : recordings.countAfter(last)
    const records = page.flatMap(({ id, songId, duration }) => {
      const record = recordOf(room, songId, duration)
      const codes = exported.get(id) ?? new Map<Family, Codes>()
      const fingerprints = [...codes].flatMap(([family, one]) =>
        // With system A codes, every search of the importing database would also use system A:
        // slower, and without more songs.
        family === 'chroma' && codes.has('triplets') ? [] : fingerprintOf(family, one),
      )
      return record && fingerprints.length > 0 ? [{ ...record, fingerprints }] : []
    })
    if (left > 0 && last !== undefined) return { records, left, after: last }
    exported.clear()
    return { records, left }
  },
})

/** @param length - of the recording, seconds */
export function recordOf(
  { store }: Pick<SongRoom, 'store'>,
  songId: string,
  length: number | null,
): SongRecord | undefined {
  const row = store.byId(songId)
  if (!row) return undefined
  const { id, artistId, release, year } = row
  const foreignIds = store.ids.allOfSong(row.num)
  return known({
    id,
    title: row.title || UNKNOWN.title,
    artistName: row.artistName ?? UNKNOWN.artistName,
    artistId,
    release,
    year,
    duration: length ?? row.songDuration,
    foreignIds: foreignIds.length > 0 ? foreignIds : undefined,
  })
}

/** Empty when there are too few codes for a text. */
export function fingerprintOf(family: Family, codes: Codes): { version: string; code: string }[] {
  const version = landmarkVersionOf(family)
  if (version !== undefined) return [{ version, code: encodeLandmarks(codes) }]
  const wire = family as WireFamily
  const code = encodeCodes(wire, codes)
  return code === '' ? [] : [{ version: WIRE_VERSIONS[wire], code }]
}
