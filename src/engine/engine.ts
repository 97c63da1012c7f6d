import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { ANALYZER_VERSION } from '../analysis/version.ts'
import type { ArtistContext } from '../artist/context.ts'
import { ArtistStore } from '../artist/store.ts'
import { sniff } from '../audio/sniff.ts'
import type { Call, Caller, EngineHandle, Host } from '../call.ts'
import { asDatabaseError, openDatabase } from '../database/open.ts'
import { ClosedError, KeyError, ParameterError } from '../errors.ts'
import type { Emit } from '../events.ts'
import { JobLoop } from '../jobs/loop.ts'
import { JobStore } from '../jobs/store.ts'
import { KeyStore } from '../key/store.ts'
import type { EngineConfig } from '../options.ts'
import { CodeIndex } from '../recording/code-index.ts'
import { packJob } from '../recording/pack-job.ts'
import { Recognizer } from '../recording/recognize.ts'
import { RecordingStore } from '../recording/store.ts'
import type { SongContext } from '../song/context.ts'
import { forgetSongOf, songChanged, songOfTrack } from '../song/from-track.ts'
import { SongStore } from '../song/store.ts'
import { indexUnindexed } from '../song/unindexed.ts'
import { analyzeJob } from '../track/analyze-job.ts'
import type { TrackContext } from '../track/context.ts'
import { Spool } from '../track/spool.ts'
import { TrackStore } from '../track/store.ts'
import { readTags } from '../track/tags.ts'
import { takeIn } from '../track/take-in.ts'
import { TrackWaiters } from '../track/waiters.ts'
import { nearest, parse } from '../validate.ts'
import { Gate } from '../workers/gate.ts'
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
    const keys = new KeyStore(db)
    keys.add(randomUUID(), config.apiKey, true, now())
    const pool = new Pool({
      size: config.workers,
      megabytes: config.limits.workerMegabytes,
      stalledAfter: Math.round(config.limits.stalledSeconds * 1000),
      ...(config.workerPath !== undefined && { workerPath: config.workerPath }),
    })
    const store = new TrackStore(db)
    const waiters = new TrackWaiters(store)
    const spool = new Spool(config.database, config.limits.uploadBytes)
    const loop = new JobLoop({
      store: new JobStore(db),
      now,
      emit,
      onForeignWrite: () => waiters.poke(),
      onFault: (error) => host.log('error', 'The job loop met an error and goes on.', error),
    })
    const track: TrackContext = {
      store,
      spool,
      waiters,
      host,
      config,
      analyzerVersion: ANALYZER_VERSION,
      emit,
      now,
      enqueue: (job) => loop.enqueue(job),
      cancel: (kind, subject) => loop.cancel(kind, subject),
      sniff,
      // The rooms stand on each other downwards only; a track reaches its song through these.
      songOf: (analyzed, prints) => songOfTrack(song, analyzed, prints),
      songChanged: (id) => songChanged(song, id),
      forgetSong: (id) => forgetSongOf(song, id),
    }
    const decode = {
      limits: { seconds: config.limits.decodedSeconds, channels: config.limits.channels },
      ...(config.ffmpegPath !== undefined && { ffmpegPath: config.ffmpegPath }),
      ...(pool.script !== undefined && { decoderProcess: pool.script }),
    }
    const recordings = new RecordingStore(db)
    // Whoever asks what is playing waits for it; so such tasks have threads beside the analyses'.
    const gate = new Gate(pool.width)
    const artist: ArtistContext = {
      store: new ArtistStore(db),
      now,
      catalogItem: () => undefined,
      songsOf: (num) => songs.listOfArtist(num),
      renamed: (nums) => songs.index(nums.flatMap((num) => songs.ofArtist(num))),
    }
    const songs = new SongStore(db)
    const song: SongContext = {
      store: songs,
      artists: artist.store,
      recordings,
      recognizer: new Recognizer(recordings, new CodeIndex(recordings)),
      catalogItem: () => undefined,
      catalogItems: () => [],
      songsOfCatalog: () => undefined,
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
      tagsOf: async (path) => {
        const { title, artist, release, genres } = await readTags(path)
        return {
          ...(title !== undefined && { title }),
          ...(artist !== undefined && { artist }),
          ...(release !== undefined && { release }),
          ...(genres?.[0] !== undefined && { genre: genres[0] }),
        }
      },
      takeFingerprints: (task, signal) =>
        gate.pass(signal, () =>
          pool.run('fingerprint', { ...task, decode }, { signal, onProgress: () => {} }),
        ),
    }
    loop.handle(
      analyzeJob(track, {
        run: (task, options) => pool.run('analyze', task, options),
        concurrency: pool.width,
        decode,
      }),
    )
    loop.handle(packJob(recordings))
    await spool.sweep(now(), (md5) => store.spools(md5))
    loop.start()
    indexUnindexed(song)
    const rooms: Rooms = { artist, key: { store: keys, now }, song, track }
    return serve(rooms, keys, async () => {
      await loop.close()
      await pool.close()
      db.close()
      spool.close()
    })
  } catch (error) {
    db.close()
    throw asDatabaseError(error)
  }
}

const LONG = 2 ** 30

function serve(rooms: Rooms, keys: KeyStore, shut: () => Promise<void>): EngineHandle {
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
    if (closed) throw new ClosedError()
    signal?.throwIfAborted()
    const caller = admit(keys, apiKey)
    const method = methodOf(name)
    const parsed = parse(method.parameters, params)
    const both = AbortSignal.any(signal ? [signal, closing.signal] : [closing.signal])
    const running = answer(method, parsed, { caller, signal: both })
    active.add(running)
    hold ??= setInterval(() => {}, LONG)
    try {
      return await running
    } finally {
      active.delete(running)
      if (active.size === 0) {
        clearInterval(hold)
        hold = undefined
      }
    }
  }

  async function answer(method: AnyMethod, params: unknown, call: Call): Promise<unknown> {
    try {
      return await method.run(rooms, params, call)
    } catch (error) {
      throw asDatabaseError(error)
    }
  }

  async function close(): Promise<void> {
    closing.abort(new ClosedError())
    await Promise.allSettled(active)
    await shut()
  }

  return {
    call,
    close: () => {
      closed ??= close()
      return closed
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
