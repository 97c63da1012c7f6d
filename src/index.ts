export type { AnalysisDocument } from './analysis/document.ts'
export { stringifyAnalysis } from './analysis/document.ts'
export { Audile } from './audile.ts'
export type { ByteSource } from './byte-stream.ts'
export type { ArtistAnswer, ArtistRecord } from './client/artists.ts'
export { Artists } from './client/artists.ts'
export type { AudioInput } from './client/audio-input.ts'
export type {
  CatalogEntry,
  CatalogItem,
  FeedItem,
  ReadQuery,
  UpdateOptions,
} from './client/catalog.ts'
export { Catalog } from './client/catalog.ts'
export { Catalogs } from './client/catalogs.ts'
export type { FeedInfo, RefreshOptions, RefreshStatus } from './client/feeds.ts'
export { Feeds } from './client/feeds.ts'
export type { ImportOptions, ImportResult } from './client/imports.ts'
export { Keys } from './client/keys.ts'
export type { Samples } from './client/samples.ts'
export { Song } from './client/song.ts'
export type { Excerpt, IdentifyOptions, IdentifyQuery, SongRecord } from './client/songs.ts'
export { Songs } from './client/songs.ts'
export type { TicketStatus } from './client/ticket.ts'
export { Ticket } from './client/ticket.ts'
export type { TrackAnswer, Waiting } from './client/track.ts'
export { Track } from './client/track.ts'
export type {
  DuplicateOptions,
  Duplicates,
  FolderOptions,
  FolderProgress,
  UploadOptions,
} from './client/tracks.ts'
export { Tracks } from './client/tracks.ts'
export type { BackupOptions, UpkeepOptions } from './client/upkeep.ts'
export type { MethodName, Params, Result } from './door.ts'
export type { ErrorCode } from './errors.ts'
export {
  AudileError,
  ClosedError,
  DatabaseError,
  DecodeError,
  KeyError,
  ParameterError,
} from './errors.ts'
export type { EventName, Events, Listener, TrackStatus } from './events.ts'
export type { AudileOptions, Limits, Logger } from './options.ts'
export type { AudioSummary, SongAudioSummary } from './song/audio-summary.ts'
export type { Backup } from './upkeep/backup.ts'
export type { CheckProblem, CheckReport } from './upkeep/check.ts'
export type { Vacuumed } from './upkeep/vacuum.ts'
