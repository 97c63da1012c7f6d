/**
 * Music analysis, fingerprints, search and taste profiles over one SQLite file. {@link Audile.open}
 * is where it begins.
 *
 * @module audile
 */

export type { GridAnchor } from './analysis/correction/grid-anchors.ts'
export type { Cue, Cues, Phrase } from './analysis/cues/cues.ts'
export type { OwnCue } from './analysis/cues/own-cues.ts'
export type {
  AnalysisCodes,
  AnalysisDocument,
  AnalysisTrack,
  Interval,
  Section,
  Segment,
  TrackLevels,
} from './analysis/document.ts'
export { stringifyAnalysis } from './analysis/document.ts'
export type { Waveform, WaveformBand } from './analysis/waveform.ts'
export type { ArtistAnswer, ArtistBucket, ArtistBuckets } from './artist/artist-answer.ts'
export type { Cover } from './audio/cover.ts'
export type { FeedItem } from './catalog/feed.ts'
export type { Action, CatalogType, EntryInput as CatalogEntry, ItemInput } from './catalog/item.ts'
export type { CatalogInfo, CatalogPage } from './catalog/list.ts'
export type { CatalogProfile } from './catalog/profile.ts'
export type { CatalogItem, CatalogReading } from './catalog/read.ts'
export type { TicketState, TicketStatus } from './catalog/status.ts'
export type {
  Taste,
  TasteArtist,
  TasteCount,
  TasteDistribution,
  TasteRange,
} from './catalog/taste.ts'
export type { ArtistRecord } from './client/artists.ts'
export { Artists } from './client/artists.ts'
export type { AudioFeatures } from './client/audio-features.ts'
export type { AudioInput, Samples } from './client/audio-input.ts'
export { Catalog } from './client/catalog.ts'
export type { ReadQuery, SavedSearch, UpdateOptions } from './client/catalog-queries.ts'
export type { CatalogReference } from './client/catalogs.ts'
export { Catalogs } from './client/catalogs.ts'
export type { DuplicateOptions, Duplicates } from './client/duplicates.ts'
export type { RefreshOptions } from './client/feeds.ts'
export { Feeds } from './client/feeds.ts'
export { Fleet } from './client/fleet.ts'
export type { IdReference } from './client/id-reference.ts'
export type { ImportOptions, ImportResult, LeftOut } from './client/imports.ts'
export { Keys } from './client/keys.ts'
export type { MixedTrack, MixState } from './client/mix.ts'
export { Mix } from './client/mix.ts'
export type { MixSeed, SeedObject } from './client/mix-seed.ts'
export type { Avoided, Conditions, MixWish } from './client/mix-wish.ts'
export type { PathOptions, PathStep } from './client/mixes.ts'
export { Mixes } from './client/mixes.ts'
export type { ExportOptions } from './client/recordings.ts'
export { Recordings } from './client/recordings.ts'
export type {
  FailedFile,
  FileChange,
  FileKind,
  KnownFile,
  ScanOptions,
  ScanSum,
} from './client/scan.ts'
export { Scan } from './client/scan.ts'
export type { FindOwnTracks } from './client/song.ts'
export { Song } from './client/song.ts'
export type { ForeignSongId, MatchedTrack, SongDescription } from './client/song-match.ts'
export type {
  Excerpt,
  IdentifyOptions,
  IdentifyQuery,
  PartlyIdentified,
  ResolvedSong,
  SongRecord,
} from './client/songs.ts'
export { Songs } from './client/songs.ts'
export { Ticket } from './client/ticket.ts'
export type { SimilarOptions, TrackAnswer, Waiting } from './client/track.ts'
export { Track } from './client/track.ts'
export type { NewCue, TrackCuesCall } from './client/track-cues.ts'
export type { TrackList } from './client/track-library.ts'
export { TrackLibrary } from './client/track-library.ts'
export type { AllTracks, TrackQuery } from './client/track-pages.ts'
export type { TrackReference } from './client/track-reference.ts'
export type { TrackOfEntry, TrackRecord, UploadOptions } from './client/tracks.ts'
export { Tracks } from './client/tracks.ts'
export type { BackupOptions, UpkeepOptions } from './client/upkeep.ts'
export type { FolderOptions, FolderProgress } from './client/upload-folder.ts'
export type { WatchOptions } from './client/watch.ts'
export type { FeedType } from './feed/feed-store.ts'
export type { FeedInfo } from './feed/list.ts'
export type { RefreshStatus } from './feed/refresh.ts'
export type { FleetStatus } from './fleet/status.ts'
export { Audile } from './host/audile.ts'
export type { MethodName, Params, Result } from './host/door.ts'
export { serveEngine } from './host/serve.ts'
export type { AddSoundModel, SoundModel } from './host/sound-models.ts'
export { addSoundModel, removeSoundModel, soundModels } from './host/sound-models.ts'
export type { TrackFile } from './input/file-store.ts'
export type { EventName, Events, Listener, TrackStatus } from './kernel/events.ts'
export type { LogLevel } from './kernel/host.ts'
export type { NewKey } from './key/create.ts'
export type { KeyInfo } from './key/list.ts'
export type { ArcReason } from './mix/arc.ts'
export type { MixEnd } from './mix/ending.ts'
export type { Against, MixReasons } from './mix/reasons.ts'
export type { Rule as MixRule } from './mix/rules.ts'
export type { Seed } from './mix/wish.ts'
export type { Penalty } from './naming/distance.ts'
export type { EngineAddress, Pem, TlsOptions } from './options/engine-address.ts'
export type { FleetDescription } from './options/fleet-options.ts'
export type { AudileOptions, Limits, Logger } from './options/options.ts'
export { personalFolder } from './options/personal-folder.ts'
export type { ServedReferenceOptions } from './options/reference-options.ts'
export type { SoundModelOption } from './options/sound-model-option.ts'
export type { Evidence, Lengths, Names } from './recognition/evidence.ts'
export type { FamilySize } from './recognition/index/merge.ts'
export type { RemoteOptions } from './remote/open-options.ts'
export type { ListenAddress, ServeOptions } from './remote/serve-options.ts'
export type { EngineServer } from './remote/server.ts'
export type { AudioSummary, SongAudioSummary } from './song/audio-summary.ts'
export type { SongBucket } from './song/buckets.ts'
export type { FingerprintQuery } from './song/fingerprint.ts'
export type { Origin } from './song/origins.ts'
export type { OwnTrack } from './song/own-track-store.ts'
export type { NotAsked } from './song/partial-answer.ts'
export type { ComparedSong } from './song/resolve.ts'
export type {
  ArtistLocation,
  ForeignIdBlock,
  SongAnswer,
  TrackBlock,
} from './song/song-answer.ts'
export type { IndexSize } from './song/stat.ts'
export type { SoundStretch, Timeline } from './sounds/timeline.ts'
export type { Instrument } from './sounds/whole.ts'
export type { TagChange } from './tagging/tag-values.ts'
export type { Album, AlbumPage } from './track/albums.ts'
export type { LibraryArtist, LibraryArtistPage } from './track/artists.ts'
export type { Heard, TrackCorrections } from './track/correction-store.ts'
export type { TrackCues } from './track/cues.ts'
export type { DuplicateEvidence } from './track/duplicate-groups.ts'
export type { MatchEvidence } from './track/match.ts'
export type { TrackSounds } from './track/sounds.ts'
export type { TrackProfile } from './track/track-answer.ts'
export type { TaggedFile } from './track/write-tags.ts'
export type { Backup } from './upkeep/backup.ts'
export type { CheckProblem, CheckReport } from './upkeep/check.ts'
export type { Vacuumed } from './upkeep/vacuum.ts'
export type { ByteSource } from './values/byte-stream.ts'
export type { ErrorCode, ErrorKind, PlainError } from './values/errors.ts'
export {
  AudileError,
  ClosedError,
  DatabaseError,
  DecodeError,
  KeyError,
  ParameterError,
} from './values/errors.ts'
export type { FilePath } from './values/file-path.ts'
export type { KeyText, MusicKey } from './values/music-key.ts'
export { camelot, compatibleKeys, keyName, openKey, parseKey } from './values/music-key.ts'
export type { FleetFigures } from './workers/workers.ts'
