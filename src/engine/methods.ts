import type { z } from 'zod'
import type { AnalysisDocument } from '../analysis/document.ts'
import type { ArtistAnswer } from '../artist/artist-answer.ts'
import type { ArtistContext } from '../artist/context.ts'
import * as artistImport from '../artist/import.ts'
import * as artistProfile from '../artist/profile.ts'
import * as artistSearch from '../artist/search.ts'
import type { Call } from '../call.ts'
import type { CatalogContext } from '../catalog/context.ts'
import * as catalogCreate from '../catalog/create.ts'
import * as catalogDelete from '../catalog/delete.ts'
import * as catalogFeed from '../catalog/feed.ts'
import * as catalogList from '../catalog/list.ts'
import * as catalogProfile from '../catalog/profile.ts'
import * as catalogRead from '../catalog/read.ts'
import * as catalogSettled from '../catalog/settled.ts'
import * as catalogStatus from '../catalog/status.ts'
import * as catalogUpdate from '../catalog/update.ts'
import * as feedAdd from '../feed/add.ts'
import type { FeedContext } from '../feed/context.ts'
import * as feedList from '../feed/list.ts'
import * as feedRefresh from '../feed/refresh.ts'
import * as feedRemove from '../feed/remove.ts'
import * as feedSettled from '../feed/settled.ts'
import type { FeedInfo } from '../feed/sources.ts'
import type { KeyContext } from '../key/context.ts'
import * as keyCreate from '../key/create.ts'
import * as keyList from '../key/list.ts'
import * as keyRevoke from '../key/revoke.ts'
import type { SongContext } from '../song/context.ts'
import * as songFingerprint from '../song/fingerprint.ts'
import * as songIdentify from '../song/identify.ts'
import * as songImport from '../song/import.ts'
import * as songProfile from '../song/profile.ts'
import * as songSearch from '../song/search.ts'
import type { SongAnswer } from '../song/song-answer.ts'
import * as trackAnalysis from '../track/analysis.ts'
import * as trackAnalyze from '../track/analyze.ts'
import type { TrackContext } from '../track/context.ts'
import * as trackDuplicates from '../track/duplicates.ts'
import * as trackList from '../track/list.ts'
import * as trackProfile from '../track/profile.ts'
import * as trackRemove from '../track/remove.ts'
import * as trackScan from '../track/scan.ts'
import * as trackSettled from '../track/settled.ts'
import * as trackSimilar from '../track/similar.ts'
import type { TrackAnswer } from '../track/track-answer.ts'
import * as trackUpload from '../track/upload.ts'
import * as upkeepBackup from '../upkeep/backup.ts'
import * as upkeepCheck from '../upkeep/check.ts'
import type { UpkeepContext } from '../upkeep/context.ts'
import * as upkeepVacuum from '../upkeep/vacuum.ts'

/** The contexts of the rooms, as the engine wires them. */
export interface Rooms {
  artist: ArtistContext
  catalog: CatalogContext
  feed: FeedContext
  key: KeyContext
  song: SongContext
  track: TrackContext
  upkeep: UpkeepContext
}

/** One method: how its parameters are checked, and what it does with them. */
export interface Method<S extends z.ZodType, R> {
  parameters: S
  run(rooms: Rooms, params: z.output<S>, call: Call): R | Promise<R>
}

// These functions bind a room's function to the room's context and keep its types.
function ofTracks<S extends z.ZodType, R>(
  parameters: S,
  run: (context: TrackContext, params: z.output<S>, call: Call) => R | Promise<R>,
): Method<S, R> {
  return { parameters, run: (rooms, params, call) => run(rooms.track, params, call) }
}

function ofArtists<S extends z.ZodType, R>(
  parameters: S,
  run: (context: ArtistContext, params: z.output<S>) => R | Promise<R>,
): Method<S, R> {
  return { parameters, run: (rooms, params) => run(rooms.artist, params) }
}

function ofCatalogs<S extends z.ZodType, R>(
  parameters: S,
  run: (context: CatalogContext, params: z.output<S>, call: Call) => R | Promise<R>,
): Method<S, R> {
  return { parameters, run: (rooms, params, call) => run(rooms.catalog, params, call) }
}

function ofFeeds<S extends z.ZodType, R>(
  parameters: S,
  run: (context: FeedContext, params: z.output<S>, call: Call) => R | Promise<R>,
): Method<S, R> {
  return { parameters, run: (rooms, params, call) => run(rooms.feed, params, call) }
}

function ofSongs<S extends z.ZodType, R>(
  parameters: S,
  run: (context: SongContext, params: z.output<S>, call: Call) => R | Promise<R>,
): Method<S, R> {
  return { parameters, run: (rooms, params, call) => run(rooms.song, params, call) }
}

function ofKeys<S extends z.ZodType, R>(
  parameters: S,
  run: (context: KeyContext, params: z.output<S>) => R | Promise<R>,
): Method<S, R> {
  return { parameters, run: (rooms, params) => run(rooms.key, params) }
}

function ofUpkeep<S extends z.ZodType, R>(
  parameters: S,
  run: (context: UpkeepContext, params: z.output<S>, call: Call) => R | Promise<R>,
): Method<S, R> {
  return { parameters, run: (rooms, params, call) => run(rooms.upkeep, params, call) }
}

interface Signature<S extends z.ZodType, R> {
  params: z.input<S>
  result: R
}

/** What each method takes and answers: the specification's methods, and ours beside them. */
export interface Methods {
  'artist/import': Signature<typeof artistImport.parameters, artistImport.ImportResult>
  'artist/profile': Signature<typeof artistProfile.parameters, ArtistAnswer>
  'artist/search': Signature<typeof artistSearch.parameters, ArtistAnswer[]>
  'catalog/create': Signature<typeof catalogCreate.parameters, catalogCreate.CreatedCatalog>
  'catalog/delete': Signature<typeof catalogDelete.parameters, { id: string; name: string }>
  'catalog/feed': Signature<typeof catalogFeed.parameters, catalogFeed.FeedItem[]>
  'catalog/list': Signature<typeof catalogList.parameters, catalogList.CatalogPage>
  'catalog/profile': Signature<typeof catalogProfile.parameters, catalogProfile.CatalogProfile>
  'catalog/read': Signature<typeof catalogRead.parameters, catalogRead.CatalogReading>
  'catalog/settled': Signature<typeof catalogSettled.parameters, catalogStatus.TicketStatus>
  'catalog/status': Signature<typeof catalogStatus.parameters, catalogStatus.TicketStatus>
  'catalog/update': Signature<typeof catalogUpdate.parameters, { ticket: string }>
  'feed/add': Signature<typeof feedAdd.parameters, FeedInfo>
  'feed/list': Signature<typeof feedList.parameters, FeedInfo[]>
  'feed/refresh': Signature<typeof feedRefresh.parameters, { ids: string[] }>
  'feed/remove': Signature<typeof feedRemove.parameters, { id: string }>
  'feed/settled': Signature<typeof feedSettled.parameters, feedSettled.RefreshStatus>
  'key/create': Signature<typeof keyCreate.parameters, keyCreate.NewKey>
  'key/list': Signature<typeof keyList.parameters, keyList.KeyInfo[]>
  'key/revoke': Signature<typeof keyRevoke.parameters, { id: string }>
  'song/fingerprint': Signature<typeof songFingerprint.parameters, songFingerprint.FingerprintQuery>
  'song/identify': Signature<typeof songIdentify.parameters, SongAnswer[]>
  'song/import': Signature<typeof songImport.parameters, songImport.ImportResult>
  'song/profile': Signature<typeof songProfile.parameters, SongAnswer[]>
  'song/search': Signature<typeof songSearch.parameters, SongAnswer[]>
  'track/analysis': Signature<typeof trackAnalysis.parameters, AnalysisDocument>
  'track/analyze': Signature<typeof trackAnalyze.parameters, TrackAnswer>
  'track/duplicates': Signature<typeof trackDuplicates.parameters, trackDuplicates.DuplicatePage>
  'track/list': Signature<typeof trackList.parameters, trackList.TrackPage>
  'track/profile': Signature<typeof trackProfile.parameters, TrackAnswer>
  'track/remove': Signature<typeof trackRemove.parameters, { id: string }>
  'track/scan': Signature<typeof trackScan.parameters, trackScan.ScanPage>
  'track/settled': Signature<typeof trackSettled.parameters, TrackAnswer>
  'track/similar': Signature<typeof trackSimilar.parameters, trackSimilar.SimilarTrack[]>
  'track/upload': Signature<typeof trackUpload.parameters, TrackAnswer>
  'upkeep/backup': Signature<typeof upkeepBackup.parameters, upkeepBackup.Backup>
  'upkeep/check': Signature<typeof upkeepCheck.parameters, upkeepCheck.CheckReport>
  'upkeep/vacuum': Signature<typeof upkeepVacuum.parameters, upkeepVacuum.Vacuumed>
}

/** The names of the engine's methods. */
export type MethodName = keyof Methods
/** What a method takes. */
export type Params<M extends MethodName> = Methods[M]['params']
/** What a method answers. */
export type Result<M extends MethodName> = Methods[M]['result']

/** Every method of the engine by its name. */
export const METHODS: {
  readonly [M in MethodName]: Method<z.ZodType<unknown, Params<M>>, Result<M>>
} = {
  'artist/import': ofArtists(artistImport.parameters, artistImport.importArtists),
  'artist/profile': ofArtists(artistProfile.parameters, artistProfile.profile),
  'artist/search': ofArtists(artistSearch.parameters, artistSearch.search),
  'catalog/create': ofCatalogs(catalogCreate.parameters, catalogCreate.create),
  'catalog/delete': ofCatalogs(catalogDelete.parameters, catalogDelete.remove),
  'catalog/feed': ofCatalogs(catalogFeed.parameters, catalogFeed.feed),
  'catalog/list': ofCatalogs(catalogList.parameters, catalogList.list),
  'catalog/profile': ofCatalogs(catalogProfile.parameters, catalogProfile.profile),
  'catalog/read': ofCatalogs(catalogRead.parameters, catalogRead.read),
  'catalog/settled': ofCatalogs(catalogSettled.parameters, catalogSettled.settled),
  'catalog/status': ofCatalogs(catalogStatus.parameters, catalogStatus.status),
  'catalog/update': ofCatalogs(catalogUpdate.parameters, catalogUpdate.update),
  'feed/add': ofFeeds(feedAdd.parameters, feedAdd.add),
  'feed/list': ofFeeds(feedList.parameters, feedList.list),
  'feed/refresh': ofFeeds(feedRefresh.parameters, feedRefresh.refresh),
  'feed/remove': ofFeeds(feedRemove.parameters, feedRemove.remove),
  'feed/settled': ofFeeds(feedSettled.parameters, feedSettled.settled),
  'key/create': ofKeys(keyCreate.parameters, keyCreate.create),
  'key/list': ofKeys(keyList.parameters, keyList.list),
  'key/revoke': ofKeys(keyRevoke.parameters, keyRevoke.revoke),
  'song/fingerprint': ofSongs(songFingerprint.parameters, songFingerprint.fingerprint),
  'song/identify': ofSongs(songIdentify.parameters, songIdentify.identify),
  'song/import': ofSongs(songImport.parameters, songImport.importSongs),
  'song/profile': ofSongs(songProfile.parameters, songProfile.profile),
  'song/search': ofSongs(songSearch.parameters, songSearch.search),
  'track/analysis': ofTracks(trackAnalysis.parameters, trackAnalysis.analysis),
  'track/analyze': ofTracks(trackAnalyze.parameters, trackAnalyze.analyze),
  'track/duplicates': ofTracks(trackDuplicates.parameters, trackDuplicates.duplicates),
  'track/list': ofTracks(trackList.parameters, trackList.list),
  'track/profile': ofTracks(trackProfile.parameters, trackProfile.profile),
  'track/remove': ofTracks(trackRemove.parameters, trackRemove.remove),
  'track/scan': ofTracks(trackScan.parameters, trackScan.scan),
  'track/settled': ofTracks(trackSettled.parameters, trackSettled.settled),
  'track/similar': ofTracks(trackSimilar.parameters, trackSimilar.similar),
  'track/upload': ofTracks(trackUpload.parameters, trackUpload.upload),
  'upkeep/backup': ofUpkeep(upkeepBackup.parameters, upkeepBackup.backup),
  'upkeep/check': ofUpkeep(upkeepCheck.parameters, upkeepCheck.check),
  'upkeep/vacuum': ofUpkeep(upkeepVacuum.parameters, upkeepVacuum.vacuum),
}
