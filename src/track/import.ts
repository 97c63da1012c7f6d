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
import { analyzedOf } from './analyze-job.ts'
import { correctImported, takeNotes } from './import-notes.ts'
import { type Prepared, prepared } from './prepare-record.ts'
import type { TrackRoom } from './room.ts'
import { namedTagsOf, type TrackRow } from './store.ts'
import {
  type CheckedTrack,
  hasSound,
  picked,
  RECORDED_TAGS,
  type TrackRecord,
  trackRecord,
} from './track-record.ts'

/**
 * `track/import` (ours): imports tracks with their analyses, without audio. A track that is known
 * by its id, md5, foreign id or file is updated; an analysis that was made here from its audio
 * stays. A bad record is rejected.
 */
export const importTracks = method({
  name: 'track/import',
  parameters: batchParameters<TrackRecord>(),
  async run(room: TrackRoom, { records }, { signal }): Promise<BatchResult> {
    const result: BatchResult = { imported: 0, updated: 0, rejected: [] }
    for (const [index, record] of records.entries()) {
      await callTurn(signal)
      try {
        const ready = await prepared(room, parseInput(trackRecord, record, 'record'), signal)
        const { id, isNew } = room.store.atomically(() => take(room, ready))
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

/** Writes a record. Call it inside a transaction. */
function take(room: TrackRoom, ready: Prepared): { id: string; isNew: boolean } {
  const { store, song, domain } = room
  const { record, descriptor } = ready
  const known = knownTrack(room, ready)
  if (!hasSound(record)) return takeNotes(room, ready, known)
  const id = known?.id ?? record.id ?? newId('track', room.now())
  requireFree(room, id, ready)
  const before = known && analyzedOf(store, known, known.duration ?? 0)
  putTrack(room, id, ready, known)
  // An analysis made here from the audio has priority over an imported one.
  const isOwn = known?.analyzerVersion != null && known.importedAnalysis !== 1
  // A record without a document keeps the earlier document.
  const kept = !ready.document && room.analyses.document(id) !== undefined ? known : undefined
  const beside = besideDocument(record)
  const told: Known = {
    ...summaryOf(ready, beside),
    ...(kept && { keyConfidence: undefined, ...factsOfRow(kept) }),
  }
  // Impressions that others published have priority over those from a document.
  const published = knownOf(eachFact(IMPRESSIONS, (name) => beside[name]))
  const summary = { ...told, ...published }
  if (!isOwn) {
    const isPublished = Object.keys(published).length > 0 || kept?.published === 1
    store.complete(analysisOf(room, id, ready, { summary, isPublished, kept }))
    if (descriptor) room.analyses.setDescriptor(id, descriptor)
  }
  correctImported(room, id, ready, isOwn)
  room.cues.set(id, record.cues ?? [])
  store.tell({ trackId: id, ...eachFact(IMPORT_ONLY, (name) => beside[name] ?? null) })
  const row = store.byId(id) as TrackRow
  if (isOwn) {
    if (row.songId !== null) songChanged(song, row.songId)
    return { id, isNew: false }
  }
  const track = analyzedOf(store, row, summary.duration ?? 0)
  const songId = putSong(room, ready, track, kept && before)
  store.setSong({ id, songId })
  const num = song.store.numOf(songId)
  if (num !== undefined) {
    song.store.summarize({ song: num, ...storedSummary(beside) })
  }
  songChanged(song, songId)
  domain.publishEvent('track.analysed', { trackId: id, songId })
  return { id, isNew: known === undefined }
}

/** @param before - the track before the import, if its document and fingerprints stay */
function putSong(
  { song }: TrackRoom,
  { record, fingerprints }: Prepared,
  track: AnalyzedTrack,
  before: AnalyzedTrack | undefined,
): string {
  const { songId } = track
  if (before && songId !== null) {
    followTags(song, track, before)
    return songId
  }
  return songOfTrack(song, { ...track, songId: songId ?? record.songId ?? null }, { fingerprints })
}

function requireFree({ store }: TrackRoom, id: string, { md5 }: Prepared): void {
  const holder = md5 === null ? undefined : store.byMd5(md5)
  if (holder === undefined || holder.id === id) return
  throw invalidParameter('md5', `${md5} is that of ${holder.id}; leave the id out, or remove it`)
}

function knownTrack(
  { store }: TrackRoom,
  { record, md5, foreignIds, files, summary }: Prepared,
): TrackRow | undefined {
  const named = record.id === undefined ? undefined : store.byId(record.id)
  const held = named ?? (md5 === null ? undefined : store.byMd5(md5))
  if (held) return held
  for (const id of foreignIds) {
    const found = id.type === 'track' ? store.byForeignId(id) : undefined
    if (found) return found
  }
  for (const { path } of files) {
    const owner = store.files.byPath(path)
    if (owner) return store.byId(owner.trackId)
  }
  const sound = summary?.audioMd5
  if (record.id !== undefined || md5 !== null || !sound) return undefined
  return store
    .withSound(sound)
    .find(({ md5, title }) => md5 === null && title === (record.title ?? null))
}

function putTrack(
  { store, now }: TrackRoom,
  id: string,
  { record, md5, files, foreignIds }: Prepared,
  known: TrackRow | undefined,
): void {
  const given = knownOf(picked(record, RECORDED_TAGS)) as Partial<Tags>
  const tags = { ...(known && namedTagsOf(known)), ...given, foreignIds }
  const url = record.url ?? known?.url ?? null
  const track = { id, md5, cached: false, url, tags, now: now() }
  if (known === undefined) store.add(track)
  // A track with known bytes keeps its tags.
  else if (known.md5 === null) store.overwrite(track)
  else store.addForeignIds(track)
  for (const { path, present, size, modified } of files) {
    if (store.files.byPath(path)?.trackId === id && size === null) continue
    store.files.put({ path, trackId: id, size, modified })
    if (!present) store.files.setPresent({ path, present: 0 })
  }
}

type Known = { [K in FactName]?: FactValues<K>[K] | undefined }

/** The facts of the track: those of the document have priority over those beside it. */
function summaryOf({ document, summary }: Prepared, beside: Known): Known {
  if (!document || !summary) return beside
  const hasKey = document.track.key >= 0
  return {
    ...beside,
    keyConfidence: undefined,
    ...knownOf(toStored(summary)),
    ...(!hasKey && { keyConfidence: 0 }),
  }
}

/** The facts beside the document, without values that mean "unknown". */
function besideDocument({ audioFeatures, audioSummary = {} }: CheckedTrack) {
  const given = { ...factsOf(audioFeatures), ...audioSummary }
  const { duration = 0 } = given
  const keyConfidence = (given.key ?? -1) < 0 ? 0 : undefined
  return knownOf({ ...storedSummary(given), keyConfidence, ...(duration > 0 && { duration }) })
}

function factsOfRow(row: TrackRow): Known {
  return knownOf(eachFact(ANALYZED, (name) => row[name])) as Known
}

/** The analyzer version in a document, whose `meta` was not validated. */
function versionOf(document: AnalysisDocument | undefined): string | undefined {
  const version: unknown = document?.meta.analyzer_version
  return typeof version === 'string' ? version : undefined
}

function wholeOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? Math.round(value) : null
}

function factsOf(
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

function analysisOf(
  { now }: TrackRoom,
  trackId: string,
  { document, deflated, summary: found }: Prepared,
  {
    summary,
    isPublished,
    kept,
  }: { summary: Known; isPublished: boolean; kept: TrackRow | undefined },
) {
  // Facts that all music has are 0 where they are unknown.
  const facts = eachFact(ANALYZED, (name, { unknown, analysis }) =>
    name === 'audioMd5' || analysis !== 'analyses'
      ? (found?.audioMd5 ?? kept?.audioMd5 ?? null)
      : (summary[name] ?? (unknown === 0 || name === 'tempoConfidence' ? 0 : null)),
  ) as FactValues<AnalyzedFact>
  return {
    trackId,
    analyzerVersion: versionOf(document) ?? kept?.analyzerVersion ?? 'unknown',
    imported: 1 as const,
    published: isPublished ? (1 as const) : (0 as const),
    ...facts,
    samplerate: wholeOf(document?.meta.sample_rate),
    bitrate: wholeOf(document?.meta.bitrate),
    document: deflated,
    now: now(),
  }
}
