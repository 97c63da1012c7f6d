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
import { picked, RECORDED_TAGS, type TrackRecord } from './track-record.ts'

/** A page of analysed tracks, as records of `track/import`. */
export interface TrackExportPage {
  records: TrackRecord[]
  /** Tracks that are not exported yet. */
  left: number
  after?: number
}

/** Tracks per page: about 3 MB. */
const PAGE = 16
/** Tracks whose fingerprints are collected together: each collection reads the whole index. */
const COLLECTED = 2_048
/** The fingerprints that a document does not hold. */
const BESIDE: readonly Family[] = ['triplets']

/** `track/export` (ours): analysed tracks in the order they were added, with all that is known of them. */
export const exportTracks = method({
  name: 'track/export',
  parameters: z.strictObject({
    /** `after` of the page before. */
    after: whole.optional(),
  }),
  async run(room: TrackRoom, { after = 0 }, { signal }): Promise<TrackExportPage> {
    const { analyses, song, exported } = room
    const page = analyses.comparable(after, PAGE)
    const numberOf = (trackId: string) => song.recordings.ofTrack(trackId)
    const wanted = page.flatMap(({ trackId }) => numberOf(trackId) ?? [])
    if (!wanted.every((number) => exported.has(number))) {
      const ahead = analyses.comparable(after, COLLECTED)
      const numbers = ahead.flatMap(({ trackId }) => numberOf(trackId) ?? [])
      exported.clear()
      const sorted = numbers.sort((a, b) => a - b)
      const found = await collectCodes(song.recordings, sorted, () => pause(signal), BESIDE)
      for (const [number, codes] of found) exported.set(number, codes)
    }
    const records: TrackRecord[] = []
    for (const { trackId } of page) {
      const row = room.store.byId(trackId)
      const record = row && (await recordOf(room, row, signal))
      if (record) records.push(record)
    }
    const last = page.at(-1)?.number
    const left = last === undefined ? 0 : analyses.countAfter(last)
    if (left > 0 && last !== undefined) return { records, left, after: last }
    exported.clear()
    return { records, left }
  },
})

async function recordOf(room: TrackRoom, row: TrackRow, signal: AbortSignal): Promise<TrackRecord> {
  const { store, corrections, song, exported } = room
  const { id, songId, md5, url } = row
  // What a network heard is no part of a record: an import would take it for a published value.
  const unheard = { ...row, ...store.unheardFacts(id) }
  const owner = songId === null ? undefined : song.store.byId(songId)
  const analysis = await documentOf(room, id, signal)
  const number = song.recordings.ofTrack(id)
  const codes = number === undefined ? undefined : exported.get(number)
  const fingerprints = [...(codes ?? [])].flatMap(([family, one]) => fingerprintOf(family, one))
  return known({
    id,
    songId,
    md5,
    url,
    ...picked(namedTagsOf(row), RECORDED_TAGS),
    file: listOf(store.files.ofTrack(id).map(({ path }) => path)),
    foreignIds: listOf(store.foreignIds(id).map(formatForeignId)),
    analysis,
    audioFeatures: analysis ? undefined : featuresOf(row),
    audioSummary: besideDocument(unheard, {
      song: owner && { ...owner, ...store.importedFacts(id) },
      isDerived: analysis !== undefined && row.published === 0,
    }),
    corrections: corrections.of(id),
    cues: listOf(room.cues.of(id)),
    fingerprints: listOf(fingerprints),
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
 * The facts that no document holds; where the track lacks one, that of its song. Impressions
 * derived from the document are left out: an import takes those beside it for published values.
 */
function besideDocument(
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

function listOf<T>(items: T[]): T[] | undefined {
  return items.length === 0 ? undefined : items
}
