import { basename } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { ANALYZER_VERSION, type AnalysisDocument } from '../analysis/document.ts'
import type { Handler, Running } from '../kernel/jobs/handler.ts'
import type { Job } from '../kernel/jobs/store.ts'
import { toStored } from '../song/facts.ts'
import { type AnalyzedTrack, songChanged, songOfTrack } from '../song/from-track.ts'
import type { ForeignId } from '../values/ids.ts'
import { known } from '../values/known.ts'
import type { AnalyzeResult } from '../workers/tasks.ts'
import type { GivenTask } from '../workers/workers.ts'
import type { TrackCorrections } from './correction-store.ts'
import { correctedSummary, heardValues } from './corrections.ts'
import { MAX_DOCUMENT_BYTES } from './read-document.ts'
import { ANALYZE_JOB, type SeenFile } from './request-analysis.ts'
import { enqueueHearing } from './request-hearing.ts'
import type { TrackRoom } from './room.ts'
import { type NewAnalysis, type TrackRow, type TrackStore, tagsOf } from './store.ts'
import { locateAudio, releaseAudio } from './track-audio.ts'

export class AnalyzeJob implements Handler {
  readonly kind = ANALYZE_JOB
  readonly again = 'track.analyze() tries again.'
  readonly concurrency: number
  readonly isolates: boolean
  readonly #room: TrackRoom
  /** MD5s of copies that no track needs after the transaction, by track id. */
  readonly #unneeded = new Map<string, string>()

  constructor(room: TrackRoom) {
    this.concurrency = room.workers.width
    this.isolates = room.workers.isolates
    this.#room = room
  }

  async run({ subject, payload }: Job, { signal, suspect }: Running): Promise<() => void> {
    const { store, corrections, workers, emit, host } = this.#room
    const track = store.byId(subject)
    if (!track) return () => {}
    const { path, size } = await locateAudio(this.#room, track, payload as SeenFile, signal)
    const started = Date.now()
    const usedCorrections = corrections.of(subject)
    const task = {
      ...analysisTask(this.#room, track, path),
      ...(usedCorrections && { corrections: usedCorrections }),
    }
    const options = {
      signal,
      isolated: suspect,
      subject,
      ...(track.md5 !== null && { audio: { md5: track.md5, bytes: size } }),
      onProgress: (progress: number) =>
        emit('track', { id: track.id, status: 'pending', progress }),
    }
    this.#room.analysing.add(subject)
    const result = await workers
      .run('analyze', task, options)
      .finally(() => this.#room.analysing.delete(subject))
    host.log('debug', `Analysed ${path} in ${Date.now() - started} ms.`)
    return () =>
      this.#completeTrack(track, { result, size, usedCorrections, seenFile: payload as SeenFile })
  }

  #completeTrack(
    track: TrackRow,
    {
      result,
      size,
      usedCorrections,
      seenFile,
    }: {
      result: AnalyzeResult
      size: number
      usedCorrections: TrackCorrections | undefined
      seenFile: SeenFile
    },
  ): void {
    const { store, analyses, song, domain } = this.#room
    store.completeAnalysis(newAnalysis(this.#room, track, result, size))
    this.#correctSummary(track.id, result, usedCorrections)
    analyses.setDescriptor(track.id, result.descriptor)
    analyses.setWaveform(track.id, result.waveform)
    // Its tags and its song may have changed while it was analysed.
    const row = store.byId(track.id)
    if (!row) return
    const { duration } = result.summary
    const songId = songOfTrack(song, analyzedTrack(store, row, duration), {
      heard: () => song.recognizer.songOfWholeFile(result.prints, duration)?.songId,
      fingerprints: result.prints,
    })
    store.setSong({ id: row.id, songId })
    songChanged(song, songId)
    domain.publishEvent('track.analysed', { trackId: row.id, songId })
    this.#room.library.update()
    if (!enqueueHearing(this.#room, row.id, seenFile)) this.#forgetCopy(row.id)
  }

  /** @param usedCorrections - the corrections when the analysis began */
  #correctSummary(
    id: string,
    result: AnalyzeResult,
    usedCorrections: TrackCorrections | undefined,
  ): void {
    const { analyses, corrections } = this.#room
    const current = corrections.of(id)
    if (!current) return
    const isSame = JSON.stringify(current) === JSON.stringify(usedCorrections)
    // With both a tempo and a hint, the summary with the hint alone is not known.
    const isKnown = isSame && (current.tempo === undefined || current.tempoRange === undefined)
    const { summary, heard } =
      isKnown && result.corrected
        ? { summary: result.corrected, heard: heardValues(result.summary) }
        : correctedSummary(parseDocumentNow(result.document), current)
    corrections.set(id, current, heard)
    analyses.setSummary(id, summary)
  }

  failed({ subject }: Job, error: Error): void {
    const { store, now } = this.#room
    store.setError({ id: subject, error: error.message, now: now() })
    this.#forgetCopy(subject)
  }

  #forgetCopy(id: string): void {
    const md5 = forgetCopy(this.#room, id)
    if (md5 !== undefined) this.#unneeded.set(id, md5)
  }

  settled({ subject }: Job): void {
    const { store, emit, changes } = this.#room
    const md5 = this.#unneeded.get(subject)
    this.#unneeded.delete(subject)
    this.#room.workers.stored?.(subject)
    if (md5 !== undefined) releaseAudio(this.#room, md5)
    const row = store.byId(subject)
    if (row && row.status !== 'pending') {
      const { id, status, error } = row
      emit('track', { id, status, progress: 1, ...(error !== null && { error }) })
    }
    changes.wakeWaits(subject)
  }
}

/**
 * Without `keepAudio`, a copy is kept only until the last job on it has ended.
 *
 * @returns the MD5 of a copy that no track needs after the transaction
 */
export function forgetCopy(
  { store, config }: Pick<TrackRoom, 'store' | 'config'>,
  id: string,
): string | undefined {
  const track = store.byId(id)
  if (config.keepAudio || !track?.cached || track.md5 === null) return undefined
  store.setCached({ id, cached: 0 })
  return track.md5
}

/** For transactions; elsewhere, use `readDocument`. */
export function parseDocumentNow(document: Uint8Array): AnalysisDocument {
  const text = inflateRawSync(document, { maxOutputLength: MAX_DOCUMENT_BYTES })
  return JSON.parse(text.toString('utf8')) as AnalysisDocument
}

function analysisTask({ store }: TrackRoom, track: TrackRow, path: string): GivenTask<'analyze'> {
  const { artist, release: album, title, bitrate } = track
  const { genres: [genre] = [], duration: expectedSeconds } = tagsOf(track)
  const filename = fileNameOf(store, track)
  const meta = known({ filename, artist, album, title, genre, bitrate })
  return known({ path, meta, expectedSeconds })
}

/** A file in the upload cache has none. */
function fileNameOf({ files }: TrackStore, { id, url }: TrackRow): string | undefined {
  const [file] = files.ofTrack(id)
  if (file) return basename(file.path)
  if (url === null || !URL.canParse(url)) return undefined
  const { pathname } = new URL(url)
  try {
    return basename(decodeURIComponent(pathname)) || undefined
  } catch {
    // A percent sign that encodes nothing belongs to the name.
    return basename(pathname) || undefined
  }
}

/** @param duration - seconds */
export function analyzedTrack(store: TrackStore, row: TrackRow, duration: number): AnalyzedTrack {
  const { year = null, genres = [], moods = [], isrc = [] } = tagsOf(row)
  const ids = store.foreignIds(row.id).filter(({ catalog }) => catalog === 'musicbrainz')
  const idOf = (type: ForeignId['type']) => {
    const [first, second] = ids.filter((foreignId) => foreignId.type === type)
    // With several ids, it is unknown which one is right.
    return first && !second ? first.id : null
  }
  const { id, songId, title, artist, release } = row
  return {
    id,
    songId,
    title,
    artist,
    release,
    duration,
    year,
    genres,
    moods,
    isrc,
    path: store.files.ofTrack(id)[0]?.path ?? null,
    musicbrainzId: idOf('track'),
    musicbrainzArtistId: idOf('artist'),
  }
}

function newAnalysis(
  room: TrackRoom,
  track: TrackRow,
  { summary, report, document }: AnalyzeResult,
  bytes: number,
): NewAnalysis {
  return {
    trackId: track.id,
    analyzerVersion: ANALYZER_VERSION,
    imported: 0,
    published: 0,
    ...toStored(summary),
    samplerate: report.sampleRate,
    bitrate: Math.round((bytes * 8) / Math.max(summary.duration, 1) / 1000),
    document,
    now: room.now(),
  }
}
