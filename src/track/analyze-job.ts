import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Tags } from '../audio/tags.ts'
import { DecodeError } from '../errors.ts'
import type { ForeignId } from '../ids.ts'
import type { Handler, Running } from '../kernel/jobs/loop.ts'
import type { Job } from '../kernel/jobs/store.ts'
import { ANALYZED, type Analyzed, eachFact } from '../song/facts.ts'
import { type AnalyzedTrack, songChanged, songOfTrack } from '../song/from-track.ts'
import type { AnalyzeResult, AnalyzeTask } from '../workers/analyze-file.ts'
import { release } from './release-audio.ts'
import { ANALYZE_JOB, type TrackRoom } from './room.ts'
import { SOUND_VERSION } from './sound-descriptors.ts'
import type { NewAnalysis, TrackRow } from './store.ts'

/** What the upload saw of the file, so that an unchanged one need not be hashed again. */
type Payload = { size: number; modified: number } | null

/** The job that decodes and analyses one track. */
export function analyzeJob(context: TrackRoom): Handler {
  const { store, changes, emit, song, domain, workers } = context

  async function run(job: Job, { signal, suspect }: Running): Promise<() => void> {
    const track = store.byId(job.subject)
    if (!track) return () => {}
    const { path, size } = await locate(context, track, job.payload as Payload, signal)
    const task = taskOf(track, path, workers.decode)
    const started = Date.now()
    const result = await workers.run('analyze', task, {
      signal,
      isolated: suspect,
      onProgress: (progress) => emit('track', { id: track.id, status: 'pending', progress }),
    })
    context.host.log('debug', `Analysed ${path} in ${Date.now() - started} ms.`)
    return () => {
      store.complete(analysisOf(context, track, result, size))
      store.setSound(track.id, SOUND_VERSION, result.sound)
      // Read anew: its tags and its song may have changed while it was analysed.
      const row = store.byId(track.id)
      if (row) {
        const songId = songOfTrack(song, analyzedOf(context, row, result), result.prints)
        store.setSong(row.id, songId)
        songChanged(song, songId)
        domain.publish('track.analysed', { trackId: row.id, songId })
      }
      letGo(track.id)
    }
  }

  // Kept copies that have served, by track, until the transaction that says so is over.
  const served = new Map<string, string>()

  /** Without `keepAudio`, a copy of the bytes has served when the analysis is settled. */
  function letGo(id: string): void {
    const track = store.byId(id)
    if (context.config.keepAudio || !track?.spooled || track.md5 === null) return
    store.forgetAudio(id)
    served.set(id, track.md5)
  }

  return {
    kind: ANALYZE_JOB,
    concurrency: workers.width,
    isolates: workers.isolates,
    again: 'track.analyze() tries again.',
    run,
    failed(job, error) {
      store.fail(job.subject, error.message, context.now())
      letGo(job.subject)
    },
    settled(job) {
      const md5 = served.get(job.subject)
      served.delete(job.subject)
      if (md5 !== undefined) release(context, md5)
      const row = store.byId(job.subject)
      if (row && row.status !== 'pending') {
        const { id, status, error } = row
        emit('track', { id, status, progress: 1, ...(error !== null && { error }) })
      }
      changes.poke(job.subject)
    },
  }
}

/** The file, if it still holds the bytes that were uploaded. */
async function locate(
  { spool }: TrackRoom,
  track: TrackRow,
  payload: Payload,
  signal: AbortSignal,
): Promise<{ path: string; size: number }> {
  const path = track.spooled && track.md5 !== null ? spool.pathOf(track.md5) : track.path
  if (path === null) {
    throw new DecodeError(`The audio of ${track.id} was not kept; upload it again.`)
  }
  const info = await stat(path).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'the file is gone' : error.message
    throw new DecodeError(`Cannot read ${path}: ${why}; upload it again.`, { cause: error })
  })
  const { size, mtimeMs } = info
  if (payload && size === payload.size && mtimeMs === payload.modified) return { path, size }
  const { md5 } = await spool.hash(path, signal)
  if (md5 !== track.md5) {
    throw new DecodeError(
      `${path} has changed since it was uploaded (its md5 was ${track.md5}, now ${md5}); upload it again.`,
    )
  }
  return { path, size }
}

function taskOf(track: TrackRow, path: string, decode: AnalyzeTask['decode']): AnalyzeTask {
  const tags = JSON.parse(track.tags) as Partial<Tags>
  const meta: AnalyzeTask['meta'] = {}
  const filename = fileNameOf(track)
  if (filename !== undefined) meta.filename = filename
  if (track.artist !== null) meta.artist = track.artist
  if (track.release !== null) meta.album = track.release
  if (track.title !== null) meta.title = track.title
  if (tags.genres?.[0] !== undefined) meta.genre = tags.genres[0]
  if (track.bitrate !== null) meta.bitrate = track.bitrate
  const task: AnalyzeTask = { path, decode, meta }
  if (tags.duration !== undefined) task.expectedSeconds = tags.duration
  return task
}

/** What the file is called, without where it is; a copy of audile's own has no name. */
function fileNameOf({ path, url }: TrackRow): string | undefined {
  if (path !== null) return basename(path)
  if (url === null || !URL.canParse(url)) return undefined
  const { pathname } = new URL(url)
  try {
    return basename(decodeURIComponent(pathname)) || undefined
  } catch {
    // A percent sign that encodes nothing is one of the name's own.
    return basename(pathname) || undefined
  }
}

function analyzedOf(
  { store }: TrackRoom,
  row: TrackRow,
  { summary }: AnalyzeResult,
): AnalyzedTrack {
  const { year, genres = [], moods = [], isrc = [] } = JSON.parse(row.tags) as Partial<Tags>
  const ids = store.foreignIds(row.id).filter(({ catalog }) => catalog === 'musicbrainz')
  const idOf = (type: ForeignId['type']) => {
    const found = ids.filter((one) => one.type === type)
    // Of several it is not known which one it is.
    return found.length === 1 ? (found[0] as ForeignId).id : null
  }
  const { id, songId, title, artist, release, path } = row
  return {
    id,
    songId,
    title,
    artist,
    release,
    path,
    year: year ?? null,
    genres,
    moods,
    isrc,
    musicbrainzId: idOf('track'),
    musicbrainzArtistId: idOf('artist'),
    duration: summary.duration,
  }
}

function analysisOf(
  context: TrackRoom,
  track: TrackRow,
  { summary, report, document }: AnalyzeResult,
  bytes: number,
): NewAnalysis {
  return {
    trackId: track.id,
    analyzerVersion: context.analyzerVersion,
    ...published(summary),
    samplerate: report.sampleRate,
    bitrate: Math.round((bytes * 8) / Math.max(summary.duration, 1) / 1000),
    document,
    now: context.now(),
  }
}

/** Facts with the decimals of the document's text, so that summary and document agree to the digit. */
function published(summary: Analyzed): Analyzed {
  return eachFact(ANALYZED, (name, { decimals }) => {
    const value = summary[name]
    return typeof value === 'number' && decimals !== undefined
      ? Number(value.toFixed(decimals))
      : value
  }) as Analyzed
}
