import type { AnalysisDocument } from '../analysis/document.ts'
import { type BatchResult, batchParameters } from '../artist/import-batch.ts'
import type { Tags } from '../audio/tags.ts'
import { method } from '../kernel/method.ts'
import { callTurn } from '../kernel/scheduler.ts'
import { parseInput } from '../options/validate.ts'
import {
  ANALYZED,
  type AnalyzedFact,
  eachFact,
  type FactName,
  type FactValues,
  IMPORT_ONLY,
  IMPRESSIONS,
  toStored,
} from '../song/facts.ts'
import { type AnalyzedTrack, followTags, songChanged, songOfTrack } from '../song/from-track.ts'
import { storedSummary } from '../song/import.ts'
import { invalidParameter } from '../values/errors.ts'
import { newId } from '../values/ids.ts'
import { known as knownOf } from '../values/known.ts'
import { analyzedTrack } from './analyze-job.ts'
import { correctImported, importNotes } from './import-notes.ts'
import { type PreparedRecord, prepareRecord } from './prepare-record.ts'
import type { TrackRoom } from './room.ts'
import { namedTagsOf, type TrackRow } from './store.ts'
import {
  type CheckedTrack,
  hasSound,
  RECORDED_TAGS,
  selectFields,
  type TrackRecord,
  trackRecord,
} from './track-record.ts'

/**
 * `track/import` (ours): imports tracks with their analyses, without audio. A known track is
 * updated; an analysis that was made here stays.
 */
export const importTracks = method({
  name: 'track/import',
  parameters: batchParameters<TrackRecord>(),
  async run(room: TrackRoom, { records }, { signal }): Promise<BatchResult> {
    const result: BatchResult = { imported: 0, updated: 0, rejected: [] }
    for (const [index, record] of records.entries()) {
      await callTurn(signal)
      try {
        const ready = await prepareRecord(room, parseInput(trackRecord, record, 'record'), signal)
        const { id, isNew } = room.store.atomically(() => importRecord(room, ready))
        const { status } = room.store.byId(id) as TrackRow
        if (status !== 'pending') room.emit('track', { id, status, progress: 1 })
        if (isNew) result.imported++
        else result.updated++
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof Error) || error.name === 'SqliteError') throw error
        result.rejected.push({ index, info: error.message })
      }
    }
    room.library.update()
    return result
  },
})

/** Call it inside a transaction. */
function importRecord(room: TrackRoom, prepared: PreparedRecord): { id: string; isNew: boolean } {
  const { store, song, domain } = room
  const { record, descriptor } = prepared
  const knownTrack = findKnownTrack(room, prepared)
  if (!hasSound(record)) return importNotes(room, prepared, knownTrack)
  const id = knownTrack?.id ?? record.id ?? newId('track', room.now())
  requireFree(room, id, prepared)
  const earlierTrack = knownTrack && analyzedTrack(store, knownTrack, knownTrack.duration ?? 0)
  putTrack(room, id, prepared, knownTrack)
  // An analysis made here from the audio has priority over an imported one.
  const isOwn = knownTrack?.analyzerVersion != null && knownTrack.importedAnalysis !== 1
  // A record without a document keeps the earlier document.
  const documentTrack =
    !prepared.document && room.analyses.document(id) !== undefined ? knownTrack : undefined
  const recordFacts = factsOfRecord(record)
  const factsFromImport: PartialFacts = {
    ...mergeFacts(prepared, recordFacts),
    ...(documentTrack && { keyConfidence: undefined, ...factsOfRow(documentTrack) }),
  }
  // Published impressions have priority over those from a document.
  const published = knownOf(eachFact(IMPRESSIONS, (name) => recordFacts[name]))
  const summary = { ...factsFromImport, ...published }
  if (!isOwn) {
    const isPublished = Object.keys(published).length > 0 || documentTrack?.published === 1
    store.completeAnalysis(
      importedAnalysis(room, id, prepared, { summary, isPublished, documentTrack }),
    )
    if (descriptor) room.analyses.setDescriptor(id, descriptor)
  }
  correctImported(room, id, prepared, isOwn)
  room.cues.set(id, record.cues ?? [])
  store.tell({ trackId: id, ...eachFact(IMPORT_ONLY, (name) => recordFacts[name] ?? null) })
  const row = store.byId(id) as TrackRow
  if (isOwn) {
    if (row.songId !== null) songChanged(song, row.songId)
    return { id, isNew: false }
  }
  const track = analyzedTrack(store, row, summary.duration ?? 0)
  const songId = assignSong(room, prepared, track, documentTrack && earlierTrack)
  store.setSong({ id, songId })
  const num = song.store.numOf(songId)
  if (num !== undefined) {
    song.store.summarize({ song: num, ...storedSummary(recordFacts) })
  }
  songChanged(song, songId)
  domain.publishEvent('track.analysed', { trackId: id, songId })
  return { id, isNew: knownTrack === undefined }
}

/** @param earlierTrack - the track before the import, if its document and fingerprints stay */
function assignSong(
  { song }: TrackRoom,
  { record, fingerprints }: PreparedRecord,
  track: AnalyzedTrack,
  earlierTrack: AnalyzedTrack | undefined,
): string {
  const { songId } = track
  if (earlierTrack && songId !== null) {
    followTags(song, track, earlierTrack)
    return songId
  }
  return songOfTrack(song, { ...track, songId: songId ?? record.songId ?? null }, { fingerprints })
}

function requireFree({ store }: TrackRoom, id: string, { md5 }: PreparedRecord): void {
  const holder = md5 === null ? undefined : store.byMd5(md5)
  if (holder === undefined || holder.id === id) return
  throw invalidParameter('md5', `${md5} is that of ${holder.id}; leave the id out, or remove it`)
}

function findKnownTrack(
  { store }: TrackRoom,
  { record, md5, foreignIds, files, summary }: PreparedRecord,
): TrackRow | undefined {
  const trackOfId = record.id === undefined ? undefined : store.byId(record.id)
  const trackOfBytes = trackOfId ?? (md5 === null ? undefined : store.byMd5(md5))
  if (trackOfBytes) return trackOfBytes
  for (const id of foreignIds) {
    const trackOfForeignId = id.type === 'track' ? store.byForeignId(id) : undefined
    if (trackOfForeignId) return trackOfForeignId
  }
  for (const { path } of files) {
    const owner = store.files.byPath(path)
    if (owner) return store.byId(owner.trackId)
  }
  const audioMd5 = summary?.audioMd5
  if (record.id !== undefined || md5 !== null || !audioMd5) return undefined
  return store
    .withSound(audioMd5)
    .find(({ md5, title }) => md5 === null && title === (record.title ?? null))
}

function putTrack(
  { store, now }: TrackRoom,
  id: string,
  { record, md5, files, foreignIds }: PreparedRecord,
  knownTrack: TrackRow | undefined,
): void {
  const recordTags = knownOf(selectFields(record, RECORDED_TAGS)) as Partial<Tags>
  const tags = { ...(knownTrack && namedTagsOf(knownTrack)), ...recordTags, foreignIds }
  const url = record.url ?? knownTrack?.url ?? null
  const track = { id, md5, cached: false, url, tags, now: now() }
  if (knownTrack === undefined) store.addTrack(track)
  // A track with known bytes keeps its tags.
  else if (knownTrack.md5 === null) store.overwriteTrack(track)
  else store.addForeignIds(track)
  for (const { path, present, size, modified } of files) {
    if (store.files.byPath(path)?.trackId === id && size === null) continue
    store.files.put({ path, trackId: id, size, modified })
    if (!present) store.files.setPresent({ path, present: 0 })
  }
}

type PartialFacts = { [K in FactName]?: FactValues<K>[K] | undefined }

/** Facts of the document have priority over those beside it. */
function mergeFacts(
  { document, summary }: PreparedRecord,
  recordFacts: PartialFacts,
): PartialFacts {
  if (!document || !summary) return recordFacts
  const hasKey = document.track.key >= 0
  return {
    ...recordFacts,
    keyConfidence: undefined,
    ...knownOf(toStored(summary)),
    ...(!hasKey && { keyConfidence: 0 }),
  }
}

/** Without values that mean "unknown". */
function factsOfRecord({ audioFeatures, audioSummary = {} }: CheckedTrack) {
  const givenFacts = { ...featureFacts(audioFeatures), ...audioSummary }
  const { duration = 0 } = givenFacts
  const keyConfidence = (givenFacts.key ?? -1) < 0 ? 0 : undefined
  return knownOf({ ...storedSummary(givenFacts), keyConfidence, ...(duration > 0 && { duration }) })
}

function factsOfRow(row: TrackRow): PartialFacts {
  return knownOf(eachFact(ANALYZED, (name) => row[name])) as PartialFacts
}

/** The `meta` of a document was not validated. */
function versionOf(document: AnalysisDocument | undefined): string | undefined {
  const version: unknown = document?.meta.analyzer_version
  return typeof version === 'string' ? version : undefined
}

function roundedOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? Math.round(value) : null
}

function featureFacts(
  features: CheckedTrack['audioFeatures'],
): NonNullable<CheckedTrack['audioSummary']> {
  const { duration_ms = 0, time_signature: timeSignature, ...others } = features ?? {}
  const { tempo, key, mode, loudness, energy, danceability, speechiness } = others
  const { acousticness, instrumentalness, liveness, valence } = others
  return {
    duration: duration_ms / 1000,
    tempo,
    key,
    mode,
    loudness,
    timeSignature,
    energy,
    danceability,
    speechiness,
    acousticness,
    instrumentalness,
    liveness,
    valence,
  }
}

function importedAnalysis(
  { now }: TrackRoom,
  trackId: string,
  { document, deflated, summary: documentSummary }: PreparedRecord,
  {
    summary,
    isPublished,
    documentTrack,
  }: { summary: PartialFacts; isPublished: boolean; documentTrack: TrackRow | undefined },
) {
  // Facts that all music has are 0 where they are unknown.
  const facts = eachFact(ANALYZED, (name, { unknown, analysis }) =>
    name === 'audioMd5' || analysis !== 'analyses'
      ? (documentSummary?.audioMd5 ?? documentTrack?.audioMd5 ?? null)
      : (summary[name] ?? (unknown === 0 || name === 'tempoConfidence' ? 0 : null)),
  ) as FactValues<AnalyzedFact>
  return {
    trackId,
    analyzerVersion: versionOf(document) ?? documentTrack?.analyzerVersion ?? 'unknown',
    imported: 1 as const,
    published: isPublished ? (1 as const) : (0 as const),
    ...facts,
    samplerate: roundedOrNull(document?.meta.sample_rate),
    bitrate: roundedOrNull(document?.meta.bitrate),
    document: deflated,
    now: now(),
  }
}
