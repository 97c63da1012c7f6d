/**
 * Importers: reference data and libraries of other programs, as records for `songs.import`,
 * `artists.import` and `tracks.import`, or as entries for `catalog.update`.
 *
 * @module audile/import
 */

export type { GridAnchor } from './analysis/correction/grid-anchors.ts'
export type { OwnCue } from './analysis/cues/own-cues.ts'
export type { ArtistRecord } from './client/artists.ts'
export type { ImportReport, LeftOut } from './client/imports.ts'
export type { SongRecord } from './client/songs.ts'
export type { TrackRecord } from './client/tracks.ts'
export type { CatalogEntry, CatalogItem } from './import/catalog-entry.ts'
export type { CollectionEntry, CollectionImportOptions } from './import/collected-track.ts'
export { type CsvOptions, fromCsv } from './import/csv.ts'
export type { CsvColumn, CsvColumns, CsvPresetName } from './import/csv-columns.ts'
export type { CsvFormat, CsvRow } from './import/csv-rows.ts'
export { fromEchoprintDump } from './import/echoprint-dump.ts'
export type { Imported, Skipped, SkippingOptions } from './import/import-run.ts'
export type { ImportInput } from './import/input.ts'
export { fromITunes, type ITunesOptions } from './import/itunes.ts'
export { fromLastFm } from './import/last-fm.ts'
export { fromListenBrainz, type ListenBrainzOptions } from './import/listenbrainz.ts'
export {
  artistsFromMillionSong,
  fromMillionSong,
  type MillionSongOptions,
} from './import/million-song.ts'
export type { SqliteOptions } from './import/million-song-store.ts'
export { fromMixxx, type MixxxImportOptions } from './import/mixxx.ts'
export { fromMusicBrainz, type MusicBrainzOptions } from './import/musicbrainz.ts'
export { fromPlaylist, type PlaylistOptions } from './import/playlist.ts'
export { fromRekordbox } from './import/rekordbox.ts'
export { fromRhythmbox } from './import/rhythmbox.ts'
export { fromSerato } from './import/serato.ts'
export { fromSpotify, type SpotifyAnswer } from './import/spotify.ts'
export {
  fromSpotifyData,
  type ImportedPlaylist,
  type SpotifyDataOptions,
  spotifyPlaylists,
} from './import/spotify-data.ts'
export type { PlayRules } from './import/spotify-play.ts'
export {
  fromTasteProfile,
  type TasteProfile,
  type TasteProfileOptions,
  tasteProfiles,
} from './import/taste-profile.ts'
export { fromTraktor } from './import/traktor.ts'
