import { songChanged } from '../song/from-track.ts'
import { invalidParameter } from '../values/errors.ts'
import { parseDocumentNow } from './analyze-job.ts'
import { correctedSummary, replacedBy } from './corrections.ts'
import type { PreparedRecord } from './prepare-record.ts'
import type { TrackRoom } from './room.ts'
import type { TrackRow } from './store.ts'

/** For a record that says nothing else of its track. */
export function importNotes(
  room: TrackRoom,
  prepared: PreparedRecord,
  track: TrackRow | undefined,
): { id: string; isNew: false } {
  const { record, files } = prepared
  if (!track) {
    const file = JSON.stringify(files[0]?.path ?? record.id ?? record.md5 ?? null)
    throw invalidParameter('file', `${file} is of no track; upload or scan it first`)
  }
  const { id, songId } = track
  const { corrections = {} } = record
  const mergedCorrections: Record<string, unknown> = { ...room.corrections.of(id) }
  for (const name of replacedBy(corrections)) delete mergedCorrections[name]
  correctImported(
    room,
    id,
    { ...prepared, record: { ...record, corrections: { ...mergedCorrections, ...corrections } } },
    true,
  )
  room.cues.set(id, record.cues ?? [])
  if (songId !== null) songChanged(room.song, songId)
  return { id, isNew: false }
}

/** Without corrections in the record, those that the track has. */
export function correctImported(
  { analyses, corrections }: TrackRoom,
  id: string,
  { record, document }: PreparedRecord,
  isOwn: boolean,
): void {
  const trackCorrections = record.corrections ?? corrections.of(id)
  if (!trackCorrections) return
  const storedDocument = isOwn || !document ? analyses.document(id) : undefined
  const analysis = storedDocument ? parseDocumentNow(storedDocument) : document
  const corrected = analysis && correctedSummary(analysis, trackCorrections)
  corrections.set(id, trackCorrections, corrected?.heard)
  if (corrected) analyses.setSummary(id, corrected.summary)
}
