import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { ANALYZER_VERSION } from '../analysis/version.ts'
import type { ArtistContext } from '../artist/context.ts'
import { ArtistStore } from '../artist/store.ts'
import { isForeignSound, sniff } from '../audio/sniff.ts'
import { type Call, type Caller, CLOSE_PATIENCE, type EngineHandle, type Host } from '../call.ts'
import { itemIdsOf, itemIdsOfArtist, itemOf, songsOf } from '../catalog/catalog-songs.ts'
import type { CatalogContext } from '../catalog/context.ts'
import { FeedPages } from '../catalog/feed-pages.ts'
import { popularityJob } from '../catalog/popularity-job.ts'
import { retryJob, retrySoon } from '../catalog/retry-job.ts'
import { CatalogStore } from '../catalog/store.ts'
import { trackKnown } from '../catalog/track-known.ts'
import { updateJob } from '../catalog/update-job.ts'
import {
  AudileError,
  asDatabaseError,
  ClosedError,
  DatabaseError,
  KeyError,
  ParameterError,
} from '../errors.ts'
import type { FeedContext } from '../feed/context.ts'
import { refreshJob } from '../feed/refresh-job.ts'
import { ownRelevance } from '../feed/relevance.ts'
import { removeJob } from '../feed/remove-job.ts'
import { resume, scheduleJob } from '../feed/schedule-job.ts'
import { spotJob, spotSoon } from '../feed/spot-job.ts'
import { Spotter } from '../feed/spotter.ts'
import { FeedStore } from '../feed/store.ts'
import { Deadline, joined, onAbort, unlessAborted } from '../kernel/abort.ts'
import { openDatabase, setBusyTimeout } from '../kernel/database/open.ts'
import { OpenFile } from '../kernel/database/open-file.ts'
import type { Emit } from '../kernel/events.ts'
import { JobLoop } from '../kernel/jobs/loop.ts'
import { JobStore } from '../kernel/jobs/store.ts'
import { Gate } from '../kernel/limiter.ts'
import { clearInterval, clearTimeout, setInterval, setTimeout } from '../kernel/timers.ts'
import { Changes } from '../kernel/wait-for-change.ts'
import { KeyStore } from '../key/store.ts'
import type { EngineConfig } from '../options.ts'
import { CodeIndex } from '../recording/code-index.ts'
import { needsPacking, PACK_JOB, packJob } from '../recording/pack-job.ts'
import { Recognizer } from '../recording/recognize.ts'
import { RecordingStore } from '../recording/store.ts'
import type { SongContext } from '../song/context.ts'
import { forgetSongOf, songChanged, songOfTrack } from '../song/from-track.ts'
import { indexUnindexed } from '../song/index-missing.ts'
import { SongStore } from '../song/store.ts'
import { analyzeJob } from '../track/analyze-job.ts'
import type { TrackContext } from '../track/context.ts'
import { DuplicateSearches } from '../track/duplicate-search.ts'
import { TrackWaiters } from '../track/pending-tracks.ts'
import { takeIn } from '../track/receive-audio.ts'
import { SoundSpace } from '../track/sound-space.ts'
import { TrackStore } from '../track/store.ts'
import { TagReader } from '../track/tag-reader.ts'
import { upload } from '../track/upload.ts'
import { Spool } from '../track/upload-cache.ts'
import { KeptAudio } from '../upkeep/kept-audio.ts'
import { UpkeepStore } from '../upkeep/store.ts'
import { nearest, parse } from '../validate.ts'
import { Pool } from '../workers/pool.ts'
import { METHODS, type Method, type Rooms } from './methods.ts'

/** What an engine is given besides its plain configuration. */
export interface EngineServices {
  host: Host
  emit: Emit
  now: () => number
}

/**
 * The engine: opens the database, wires the rooms to it, runs their jobs and answers calls. It
 * knows nothing of threads; `thread.ts` puts it behind one.
 *
 * @throws {DatabaseError} when the database cannot be opened
 */
export async function openEngine(
  config: EngineConfig,
  { host, emit, now }: EngineServices,
): Promise<EngineHandle> {
  const db = openDatabase(config.database, config)
  try {
    const file = config.database === ':memory:' ? undefined : new OpenFile(config.database)
    let gone: (reason: Error) => void = () => {}
    const keys = new KeyStore(db)
    keys.add(randomUUID(), config.apiKey, true, now())
    const pool = new Pool({
      size: config.workers,
      megabytes: config.limits.workerMegabytes,
      stalledAfter: Math.round(config.limits.stalledSeconds * 1000),
      ...(config.workerPath !== undefined && { workerPath: config.workerPath }),
    })
    const store = new TrackStore(db)
    const songs = new SongStore(db)
    const waiters = new TrackWaiters(store)
    const changes = new Changes()
    const spool = new Spool(config.database, config.limits.uploadBytes)
    const loop = new JobLoop({
      store: new JobStore(db),
      now,
      emit,
      onForeignWrite: () => {
        waiters.poke()
        changes.poke()
      },
      onFault: (error) => host.log('error', 'The job loop met an error and goes on.', error),
      onWatch: () => {
        const why = file?.lost()
        if (why === undefined) return
        const reason = new DatabaseError(why)
        host.log('error', 'The engine ends.', reason)
        gone(reason)
      },
      onFailed: ({ kind, subject }, error) => {
        // Of what a user can do something about, the status tells.
        if (error instanceof AudileError && error.code !== 'internal') return
        host.log('error', `The job ${kind} of ${subject} failed.`, error)
      },
    })
    const tags = new TagReader({
      run: (task, signal) => pool.run('tags', task, { signal, onProgress: () => {}, tries: TRIES }),
      limits: config.limits,
      log: (...message) => host.log(...message),
    })
    const track: TrackContext = {
      store,
      spool,
      waiters,
      tags,
      songs,
      space: new SoundSpace(store),
      duplicates: new DuplicateSearches(store),
      host,
      config,
      analyzerVersion: ANALYZER_VERSION,
      emit,
      now,
      enqueue: (job) => loop.enqueue(job),
      cancel: (kind, subject) => loop.cancel(kind, subject),
      sniff: (head) =>
        sniff(head) ??
        (config.ffmpegPath !== undefined && isForeignSound(head) ? 'foreign' : undefined),
      // The rooms stand on each other downwards only; a track reaches its song through these.
      songOf: (analyzed, prints) => songOfTrack(song, analyzed, prints),
      songChanged: (trackId, songId) => {
        songChanged(song, songId)
        trackKnown(catalog, trackId, songId)
      },
      forgetSong: (id) => {
        forgetSongOf(song, id)
        retrySoon(catalog)
        packIfDue()
      },
    }
    const decode = {
      limits: {
        seconds: config.limits.decodedSeconds,
        channels: config.limits.channels,
        elapsed: config.limits.analysisSeconds,
      },
      ...(config.ffmpegPath !== undefined && { ffmpegPath: config.ffmpegPath }),
      ...(pool.script !== undefined && { decoderProcess: pool.script }),
    }
    const recordings = new RecordingStore(db)
    const packIfDue = (): void => {
      if (needsPacking(recordings)) loop.enqueue({ kind: PACK_JOB, subject: 'index' })
    }
    // Whoever asks what is playing waits for it; so such tasks have threads beside the analyses'.
    const gate = new Gate(pool.width)
    const artistsChanged = (): void => {
      retrySoon(catalog)
      spotSoon(feed)
    }
    const artist: ArtistContext = {
      store: new ArtistStore(db),
      now,
      catalogItem: (id, itemId) => itemOf(catalog, id, itemId),
      catalogItems: (id, num) => itemIdsOfArtist(catalog, id, num),
      songsOf: (num) => songs.listOfArtist(num),
      relevanceOf: ownRelevance,
      renamed: (nums) => songs.index(nums.flatMap((num) => songs.ofArtist(num))),
      changed: artistsChanged,
    }
    const song: SongContext = {
      store: songs,
      artists: artist.store,
      recordings,
      recognizer: new Recognizer(recordings, new CodeIndex(recordings)),
      catalogItem: (id, itemId) => itemOf(catalog, id, itemId),
      catalogItems: (id, songId) => itemIdsOf(catalog, id, songId),
      songsOfCatalog: (id) => songsOf(catalog, id),
      changed: artistsChanged,
      now,
      enqueue: (job) => loop.enqueue(job),
      withAudio: async (input, signal, use) => {
        const taken = await takeIn(track, input, signal)
        try {
          return await use(taken.path)
        } finally {
          if (taken.spooled) await spool.abandon(taken)
        }
      },
      tagsOf: async (path, signal) => {
        const { title, artist, release, genres } = await tags.read(path, signal)
        return {
          ...(title !== undefined && { title }),
          ...(artist !== undefined && { artist }),
          ...(release !== undefined && { release }),
          ...(genres?.[0] !== undefined && { genre: genres[0] }),
        }
      },
      takeFingerprints: (task, signal) =>
        gate.pass(signal, () =>
          pool.run(
            'fingerprint',
            { ...task, decode },
            { signal, onProgress: () => {}, tries: TRIES },
          ),
        ),
    }
    const catalog: CatalogContext = {
      store: new CatalogStore(db),
      limits: config.limits,
      feedPages: new FeedPages(),
      song,
      artist,
      changes,
      emit,
      log: (...message) => host.log(...message),
      now,
      enqueue: (job) => loop.enqueue(job),
      cancel: (kind, subject) => loop.cancel(kind, subject),
      analyzeFile: async (file, signal) => {
        const call: Call = { caller: { id: '', commercial: true }, signal }
        return (await upload(track, { file, wait: false }, call)).id
      },
      hasTrack: (id) => store.byId(id) !== undefined,
    }
    // One at a time: a feed is read in milliseconds, and analyses want the threads.
    const reading = new Gate(1)
    const feedStore = new FeedStore(db)
    const feed: FeedContext = {
      store: feedStore,
      artist,
      spotter: new Spotter(feedStore, artist.store),
      host,
      config,
      changes,
      emit,
      now,
      enqueue: (job) => loop.enqueue(job),
      cancel: (kind, subject) => loop.cancel(kind, subject),
      read: (task, signal) =>
        reading.pass(signal, () =>
          pool.run('feed', task, { signal, onProgress: () => {}, tries: TRIES }),
        ),
    }
    catalog.store.removeAbandoned(now() - ABANDONED)
    loop.handle(updateJob(catalog))
    loop.handle(retryJob(catalog))
    loop.handle(popularityJob(catalog))
    loop.handle(refreshJob(feed))
    loop.handle(removeJob(feed))
    loop.handle(scheduleJob(feed))
    loop.handle(spotJob(feed))
    loop.handle(
      analyzeJob(track, {
        run: (task, options) => pool.run('analyze', task, options),
        isolates: pool.script !== undefined,
        concurrency: pool.width,
        decode,
      }),
    )
    loop.handle(packJob(recordings))
    await spool.sweep(now(), (md5) => store.spools(md5))
    // A job that was given up, on a full disk say, has left its work where it was.
    packIfDue()
    resume(feed)
    loop.start()
    indexUnindexed(song)
    const upkeep = {
      store: new UpkeepStore(db, config.nativeBinding),
      audio: new KeptAudio((md5) => spool.pathOf(md5)),
      emit,
    }
    const rooms: Rooms = {
      artist,
      catalog,
      feed,
      key: { store: keys, now, ownKey: config.apiKey },
      song,
      track,
      upkeep,
    }
    const handle = serve(rooms, keys, {
      // From now on nothing waits long for another's lock: all the calls that end now would wait for
      // it one after the other.
      hurry: () => setBusyTimeout(db, LAST_WAIT),
      shut: async (deadline) => {
        await loop.close(deadline, () => setBusyTimeout(db, deadline.left))
        await deadline.settled(pool.close())
        db.close()
        spool.close()
      },
    })
    gone = handle.fault
    return handle
  } catch (error) {
    db.close()
    throw asDatabaseError(error)
  }
}

const LONG = 2 ** 30
/** What a call may take after its abort to leave nothing behind, before its caller is told, in milliseconds. */
const TIDYING = 1_000
/** How long what ends with the engine waits for another's lock, in milliseconds. */
const LAST_WAIT = 100
/** How often a thread may die of a short task before its caller is told; a job has attempts instead. */
const TRIES = 3
/** Milliseconds after which an update in parts, whose last part never came, is forgotten. */
const ABANDONED = 24 * 3600 * 1000

/** An engine that can also end by itself. */
interface Engine extends EngineHandle {
  /** Ends it because it cannot go on; its calls are rejected with the reason. */
  fault(reason: Error): void
}

/** How what is below the calls is ended. */
interface Ending {
  hurry(): void
  shut(deadline: Deadline): Promise<void>
}

function serve(rooms: Rooms, keys: KeyStore, { hurry, shut }: Ending): Engine {
  const closing = new AbortController()
  const active = new Set<Promise<unknown>>()
  let closed: Promise<void> | undefined
  // Waiting calls keep the process alive; the timers of the job loop do not.
  let hold: NodeJS.Timeout | undefined

  async function call(
    name: string,
    params: unknown,
    { apiKey, signal }: { apiKey: string; signal: AbortSignal | undefined },
  ): Promise<unknown> {
    closing.signal.throwIfAborted()
    signal?.throwIfAborted()
    const caller = admit(keys, apiKey)
    const method = methodOf(name)
    const parsed = parse(method.parameters, params)
    const until = joined(signal, closing.signal)
    const running = answer(method, parsed, { caller, signal: until.signal })
    active.add(running)
    hold ??= setInterval(() => {}, LONG)
    const end = () => {
      until.release()
      active.delete(running)
      if (active.size > 0) return
      clearInterval(hold)
      hold = undefined
    }
    running.then(end, end)
    // What does not heed the signal ends when it can; nobody waits for it.
    const late = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const release = onAbort(until.signal, () => {
      timer = setTimeout(() => late.abort(until.signal.reason), TIDYING)
    })
    try {
      return await unlessAborted(running, late.signal)
    } finally {
      release()
      clearTimeout(timer)
    }
  }

  async function answer(method: AnyMethod, params: unknown, call: Call): Promise<unknown> {
    try {
      return await method.run(rooms, params, call)
    } catch (error) {
      throw asDatabaseError(error)
    }
  }

  async function end(reason: Error, patience: number): Promise<void> {
    const deadline = new Deadline(patience)
    closing.abort(reason)
    hurry()
    await deadline.settled(Promise.allSettled(active))
    clearInterval(hold)
    await shut(deadline)
  }

  return {
    call,
    ended: closing.signal,
    close: (patience = CLOSE_PATIENCE) => {
      closed ??= end(new ClosedError(), patience)
      return closed
    },
    fault: (reason) => {
      closed ??= end(reason, CLOSE_PATIENCE)
      closed.catch(() => {})
    },
  }
}

/** A method whose types are known only by its name, which is known only at run time. */
interface AnyMethod extends Pick<Method<z.ZodType, unknown>, 'parameters'> {
  run(rooms: Rooms, params: unknown, call: Call): unknown
}

function methodOf(name: string): AnyMethod {
  if (Object.hasOwn(METHODS, name))
    return METHODS[name as keyof typeof METHODS] as unknown as AnyMethod
  const meant = nearest(name, Object.keys(METHODS))
  throw new ParameterError(
    'invalid_parameter',
    `There is no method "${name}"${meant ? `; did you mean "${meant}"?` : '.'}`,
  )
}

function admit(keys: KeyStore, apiKey: string): Caller {
  const key = keys.find(apiKey)
  if (!key || key.revokedAt !== null) {
    throw new KeyError(
      'invalid_key',
      `api_key - Invalid key: "${apiKey}" is not a valid, active api key`,
    )
  }
  return { id: key.id, commercial: key.commercial === 1 }
}
