import { songChanged } from '../song/from-track.ts'
import { invalidParameter } from '../values/errors.ts'
import { inflated } from './analyze-job.ts'
import { correctedSummary, replacedBy } from './corrections.ts'
import type { Prepared } from './prepare-record.ts'
import type { TrackRoom } from './room.ts'
import type { TrackRow } from './store.ts'

/** Takes the corrections and cues of a record that says nothing else of its track. */
export function takeNotes(
  room: TrackRoom,
  ready: Prepared,
  track: TrackRow | undefined,
): { id: string; isNew: false } {
  const { record, files } = ready
  if (!track) {
    const file = JSON.stringify(files[0]?.path ?? record.id ?? record.md5 ?? null)
    throw invalidParameter('file', `${file} is of no track; upload or scan it first`)
  }
  const { id, songId } = track
  const { corrections = {} } = record
  const kept: Record<string, unknown> = { ...room.corrections.of(id) }
  for (const name of replacedBy(corrections)) delete kept[name]
  correctImported(
    room,
    id,
    { ...ready, record: { ...record, corrections: { ...kept, ...corrections } } },
    true,
  )
  room.cues.set(id, record.cues ?? [])
  if (songId !== null) songChanged(room.song, songId)
  return { id, isNew: false }
}

/** Sets the corrections of a record, or those that the track has, and the summary that follows. */
export function correctImported(
  { analyses, corrections }: TrackRoom,
  id: string,
  { record, document }: Prepared,
  isOwn: boolean,
): void {
  const given = record.corrections ?? corrections.of(id)
  if (!given) return
  const held = isOwn || !document ? analyses.document(id) : undefined
  const analysis = held ? inflated(held) : document
  const now = analysis && correctedSummary(analysis, given)
  corrections.set(id, given, now?.heard)
  if (now) analyses.setSummary(id, now.summary)
}
