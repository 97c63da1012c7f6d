/**
 * Exports: tracks with their beats, keys and cues as files of DJ programs, players, editors and
 * research tools. Each function takes handles of a library (`Track` of `audile`) or plain data, in a
 * list or as a method of a library yields them. Those that write one text for a list are `toRekordbox`,
 * `toTraktor`, `toM3u`, `toXspf` and `toCsv`. The others write one thing for each track: they take a
 * track and give that, or several and give a list.
 *
 * @module audile/export
 */

export type { Corrections, PartCorrection } from './analysis/correction/corrections.ts'
export type { GridAnchor } from './analysis/correction/grid-anchors.ts'
export type { OwnCue } from './analysis/cues/own-cues.ts'
export type { VoiceStretch } from './analysis/cues/voices.ts'
export type { AnalysisDocument } from './analysis/document.ts'
export type { AudacityLabels, AudacityOptions } from './export/annotations.ts'
export { toAudacity, toJams } from './export/annotations.ts'
export type { CollectionOptions, ExportPlaylist } from './export/collection.ts'
export { toCsv } from './export/csv.ts'
export type {
  ExportHandle,
  ExportNames,
  ExportRecord,
  ExportSounds,
  ExportTrack,
  ExportTracks,
  ListOptions,
} from './export/export-track.ts'
export { toMidi } from './export/midi.ts'
export type { MixxxCue, MixxxTrack } from './export/mixxx.ts'
export { toMixxx } from './export/mixxx.ts'
export { type M3uOptions, toM3u, toXspf } from './export/playlists.ts'
export { toRekordbox } from './export/rekordbox.ts'
export type { SeratoTags } from './export/serato.ts'
export { toSerato } from './export/serato.ts'
export { toTraktor } from './export/traktor.ts'
