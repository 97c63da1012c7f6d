import { z } from 'zod'
import type { AnalysisDocument } from '../analysis/document.ts'
import { method } from '../kernel/method.ts'
import { pause } from '../kernel/scheduler.ts'
import { whole } from '../options/parameter-types.ts'
import { collectCodes } from '../recognition/index/collect-codes.ts'
import type { Family } from '../recognition/systems/version.ts'
import { fingerprintOf } from '../song/export.ts'
import { eachFact, IMPORT_ONLY, IMPRESSIONS } from '../song/facts.ts'
import type { SongRow } from '../song/store.ts'
import { formatForeignId } from '../values/ids.ts'
import { known } from '../values/known.ts'
import { readDocument } from './read-document.ts'
import type { TrackRoom } from './room.ts'
import { namedTagsOf, type TrackRow } from './store.ts'
import { RECORDED_TAGS, selectFields, type TrackRecord } from './track-record.ts'

/** A page of analysed tracks, as records of `track/import`. */
export interface TrackExportPage {
  records: TrackRecord[]
  /** Tracks that are not exported yet. */
  left: number
  after?: number
}

/** About 3 MB. */
const EXPORTED_PER_PAGE = 16
/** Each collection reads the whole index. */
const TRACKS_PER_COLLECTION = 2_048
const FAMILIES_BESIDE_DOCUMENT: readonly Family[] = ['triplets']

/**
 * `track/export` (ours): analysed tracks with all that is known of them, in the order of adding.
 */
export const exportTracks = method({
  name: 'track/export',
  parameters: z.strictObject({
    /** `after` of the page before. */
    after: whole.optional(),
  }),
  async run(room: TrackRoom, { after = 0 }, { signal }): Promise<TrackExportPage> {
    const { analyses, song, exported } = room
    const page = analyses.comparable(after, EXPORTED_PER_PAGE)
    const numberOf = (trackId: string) => song.recordings.ofTrack(trackId)
    const numbersOfPage = page.flatMap(({ trackId }) => numberOf(trackId) ?? [])
    if (!numbersOfPage.every((number) => exported.has(number))) {
      const collectedTracks = analyses.comparable(after, TRACKS_PER_COLLECTION)
      const numbers = collectedTracks.flatMap(({ trackId }) => numberOf(trackId) ?? [])
      exported.clear()
      const sorted = numbers.sort((a, b) => a - b)
      const codesByNumber = await collectCodes(
        song.recordings,
        sorted,
        () => pause(signal),
        FAMILIES_BESIDE_DOCUMENT,
      )
      for (const [number, codes] of codesByNumber) exported.set(number, codes)
    }
    const records: TrackRecord[] = []
    for (const { trackId } of page) {
      const row = room.store.byId(trackId)
      const record = row && (await exportRecord(room, row, signal))
      if (record) records.push(record)
    }
    const last = page.at(-1)?.number
    const remaining = last === undefined ? 0 : analyses.countAfter(last)
    if (remaining > 0 && last !== undefined) return { records, left: remaining, after: last }
    exported.clear()
    return { records, left: remaining }
  },
})

async function exportRecord(
  room: TrackRoom,
  row: TrackRow,
  signal: AbortSignal,
): Promise<TrackRecord> {
  const { store, corrections, song, exported } = room
  const { id, songId, md5, url } = row
  // An import would take what a network heard for a published value.
  const unheard = { ...row, ...store.unheardFacts(id) }
  const songRow = songId === null ? undefined : song.store.byId(songId)
  const analysis = await documentOf(room, id, signal)
  const number = song.recordings.ofTrack(id)
  const codes = number === undefined ? undefined : exported.get(number)
  const fingerprints = [...(codes ?? [])].flatMap(([family, familyCodes]) =>
    fingerprintOf(family, familyCodes),
  )
  return known({
    id,
    songId,
    md5,
    url,
    ...selectFields(namedTagsOf(row), RECORDED_TAGS),
    file: undefinedIfEmpty(store.files.ofTrack(id).map(({ path }) => path)),
    foreignIds: undefinedIfEmpty(store.foreignIds(id).map(formatForeignId)),
    analysis,
    audioFeatures: analysis ? undefined : featuresOf(row),
    audioSummary: factsBesideDocument(unheard, {
      song: songRow && { ...songRow, ...store.importedFacts(id) },
      isDerived: analysis !== undefined && row.published === 0,
    }),
    corrections: corrections.of(id),
    cues: undefinedIfEmpty(room.cues.of(id)),
    fingerprints: undefinedIfEmpty(fingerprints),
  })
}

async function documentOf(
  { analyses, host }: TrackRoom,
  id: string,
  signal: AbortSignal,
): Promise<AnalysisDocument | undefined> {
  const stored = analyses.document(id)
  if (!stored) return undefined
  try {
    return await readDocument(stored, signal)
  } catch (error) {
    signal.throwIfAborted()
    host.log('warn', `The stored analysis of ${id} is damaged; its summary is exported.`, error)
    return undefined
  }
}

/**
 * Where the track lacks one, that of its song. An import takes impressions beside a document for
 * published values.
 */
function factsBesideDocument(
  row: TrackRow,
  { song, isDerived }: { song: SongRow | undefined; isDerived: boolean },
): NonNullable<TrackRecord['audioSummary']> {
  const impressions = eachFact(IMPRESSIONS, (name) =>
    isDerived && row[name] !== null ? null : (row[name] ?? song?.[name]),
  )
  return known({ ...impressions, ...eachFact(IMPORT_ONLY, (name) => row[name] ?? song?.[name]) })
}

function featuresOf(row: TrackRow): NonNullable<TrackRecord['audioFeatures']> {
  const { duration, keyConfidence, timeSignature, tempo, key, mode, loudness } = row
  const { energy, danceability } = row
  return known({
    // 0 means unknown.
    duration_ms: duration ? duration * 1000 : undefined,
    // Only an import without a key gives a summary this confidence.
    key: keyConfidence === 0 ? -1 : key,
    tempo,
    mode,
    time_signature: timeSignature,
    loudness,
    energy,
    danceability,
  })
}

function undefinedIfEmpty<T>(items: T[]): T[] | undefined {
  return items.length === 0 ? undefined : items
}
