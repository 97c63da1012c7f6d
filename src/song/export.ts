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

const COLLECTED_RECORDINGS = 2048
/** About 2 MB. */
const PAGE_RECORDS = 64

/** As MusicBrainz writes them, because imports require both. */
const UNKNOWN_NAMES = { title: '[untitled]', artistName: '[unknown]' } as const

/** `song/export` (ours): every recording with known fingerprints, as a record of `song/import`. */
export const exportRecordings = method({
  name: 'song/export',
  parameters: z.strictObject({
    /** `after` of the page before. */
    after: whole.optional(),
  }),
  async run(room: SongRoom, { after = 0 }, { signal }): Promise<ExportPage> {
    const { recordings, exported } = room
    const page = recordings.after(after, PAGE_RECORDS)
    if (!page.every(({ id }) => exported.has(id))) {
      const numbers = recordings.after(after, COLLECTED_RECORDINGS).map(({ id }) => id)
      const collectedCodes = await collectCodes(recordings, numbers, () => pause(signal))
      exported.clear()
      for (const [id, codes] of collectedCodes) exported.set(id, codes)
    }
    const lastId = page.at(-1)?.id
    const left = lastId === undefined ? 0 : recordings.countAfter(lastId)
    const records = page.flatMap(({ id, songId, duration }) => {
      const record = songRecordOf(room, songId, duration)
      const codes = exported.get(id) ?? new Map<Family, Codes>()
      const fingerprints = [...codes].flatMap(([family, familyCodes]) =>
        // With system A codes, every search of the importing database would use system A too,
        // slowly.
        family === 'chroma' && codes.has('triplets') ? [] : fingerprintOf(family, familyCodes),
      )
      return record && fingerprints.length > 0 ? [{ ...record, fingerprints }] : []
    })
    if (left > 0 && lastId !== undefined) return { records, left, after: lastId }
    exported.clear()
    return { records, left }
  },
})

/** @param length - of the recording, seconds */
export function songRecordOf(
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
    title: row.title || UNKNOWN_NAMES.title,
    artistName: row.artistName ?? UNKNOWN_NAMES.artistName,
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
  const wireFamily = family as WireFamily
  const code = encodeCodes(wireFamily, codes)
  return code === '' ? [] : [{ version: WIRE_VERSIONS[wireFamily], code }]
}
