import { Artists } from '../client/artists.ts'
import { Catalogs } from '../client/catalogs.ts'
import { Feeds } from '../client/feeds.ts'
import { Fleet } from '../client/fleet.ts'
import { Keys } from '../client/keys.ts'
import { Mixes } from '../client/mixes.ts'
import { Recordings } from '../client/recordings.ts'
import { Songs } from '../client/songs.ts'
import type { Waiting } from '../client/track.ts'
import { Tracks } from '../client/tracks.ts'
import { type BackupOptions, runUpkeep, type UpkeepOptions } from '../client/upkeep.ts'
import type { EngineHandle } from '../engine/handle.ts'
import { startEngineThread } from '../engine/thread.ts'
import { EventEmitter, type EventName, type Listener } from '../kernel/events.ts'
import { type AudileOptions, resolveOptions } from '../options/options.ts'
import { isRemote, type RemoteOptions, remoteOptions } from '../remote/open-options.ts'
import { connectOther } from '../remote/other-engine.ts'
import { atCaller, atCallSite, callSite } from './caller.ts'
import type { Door, MethodName, Params, Result } from './door.ts'
import { LocalHost } from './host.ts'

/** All instances on one open database share it, whatever their keys. */
interface Core {
  engine: EngineHandle
  host: LocalHost
  emitter: EventEmitter
}

/**
 * A music database, and the engine that analyses your audio files and answers queries about them.
 * It connects to servers only to download the addresses that you upload and the feeds that you add,
 * and to reach the references that you name by an address.
 *
 * @example
 * ```ts
 * import { Audile } from 'audile'
 *
 * await using music = await Audile.open({ database: 'music.db' })
 * const track = await music.tracks.upload({ file: 'song.mp3' })
 * await track.analyzed()
 * ```
 */
export class Audile {
  /** Your own audio files, analysed. */
  readonly tracks: Tracks
  /** The songs of the tracks, and imported ones: searched, and identified by their sound. */
  readonly songs: Songs
  /** The recordings of the songs, with their fingerprints. */
  readonly recordings: Recordings
  /** The artists of the songs. */
  readonly artists: Artists
  /** Taste profiles: lists of songs or artists that resolve themselves. */
  readonly catalogs: Catalogs
  /** What plays next: mixes and paths. */
  readonly mixes: Mixes
  /** News, blogs, reviews, audio and video about artists. */
  readonly feeds: Feeds
  /** The machines that analyse, if the database was opened with `analysis`. */
  readonly fleet: Fleet
  /** The API keys: who may call, and who owns which catalogs. */
  readonly keys: Keys
  readonly #core: Core
  readonly #door: Door
  readonly #apiKey: string

  private constructor(core: Core, apiKey: string) {
    this.#core = core
    this.#apiKey = apiKey
    const door: Door = {
      call: (method, params, options) => this.call(method, params, options),
      offer: (bytes) => core.host.offer(bytes),
      release: (source) => void core.host.release(source),
      ended: core.engine.ended,
      on: (name, listener) => this.on(name, listener),
    }
    this.#door = door
    this.tracks = new Tracks(door)
    this.songs = new Songs(door)
    this.recordings = new Recordings(door)
    this.artists = new Artists(door)
    this.catalogs = new Catalogs(door)
    this.mixes = new Mixes(door)
    this.feeds = new Feeds(door)
    this.fleet = new Fleet(door)
    this.keys = new Keys(door)
  }

  /**
   * Opens a database, creates it if it does not exist, and starts the engine. Unfinished jobs of an
   * earlier run go on, also after a crash. With the address of an engine that another process
   * serves ({@link serveEngine}), it connects to that engine instead.
   *
   * @throws {ParameterError} on an unknown option or a value out of range, or when an optional package
   * that an option needs is not installed
   * @throws {DatabaseError} when the file or a reference cannot be opened, or was written by a newer audile
   * @throws {ClosedError} when an engine of another process cannot be reached
   * @throws {KeyError} when that engine, or a reference, refuses the key
   *
   * @example
   * ```ts
   * import { Audile } from 'audile'
   *
   * const music = await Audile.open({ database: ':memory:', workers: 1 })
   * await music.close()
   * ```
   */
  static async open(options: AudileOptions | RemoteOptions): Promise<Audile> {
    const site = callSite()
    try {
      return await (isRemote(options) ? Audile.#connect(options) : Audile.#open(options))
    } catch (error) {
      throw atCallSite(site, error)
    }
  }

  static async #open(options: AudileOptions): Promise<Audile> {
    const { engine: engineKind, enginePath, config, fetch, logger, now } = resolveOptions(options)
    const host = new LocalHost({ fetch, logger })
    const emitter = new EventEmitter((error) =>
      host.log('error', 'A listener threw an error.', error),
    )
    const services = { host, emit: emitter.emit }
    if (engineKind === 'thread') {
      const engine = await startEngineThread({ config, enginePath }, services)
      return new Audile({ engine, host, emitter }, config.apiKey)
    }
    // With an engine thread, the calling thread does not load SQLite's addon.
    const { openEngine } = await import('../engine/engine.ts')
    const clock = now ?? (() => Date.now())
    const engine = await openEngine(config, { ...services, now: clock, connect: connectOther })
    return new Audile({ engine, host, emitter }, config.apiKey)
  }

  static async #connect(options: RemoteOptions): Promise<Audile> {
    const { logger, ...target } = remoteOptions(options)
    const host = new LocalHost({ fetch: globalThis.fetch, logger })
    const { connectEngine } = await import('../remote/client.ts')
    const emitter: EventEmitter = new EventEmitter(
      (error) => host.log('error', 'A listener threw an error.', error),
      (name, listened) => engine.listen(name, listened),
    )
    const engine = await connectEngine(target, { host, emit: emitter.emit })
    return new Audile({ engine, host, emitter }, target.apiKey)
  }

  /** For {@link serveEngine}. @internal */
  get core(): Readonly<Core> {
    return this.#core
  }

  /**
   * The same open database, used with another key. Closing either closes both. The first call
   * checks the key.
   *
   * @example
   * ```ts
   * const { apiKey } = await music.keys.create()
   * const theirs = await music.as(apiKey).catalogs.list()
   * ```
   */
  as(apiKey: string): Audile {
    return new Audile(this.#core, apiKey)
  }

  /**
   * Calls `listener` for each event with this name. Returns a function that removes the listener.
   * Errors that the listener throws are logged.
   *
   * @throws {ParameterError} on an unknown name; the message suggests a similar one
   *
   * @example
   * ```ts
   * const off = music.on('track', ({ id, status, progress }) => console.log(id, status, progress))
   * off()
   * ```
   */
  on<N extends EventName>(name: N, listener: Listener<N>): () => void {
    try {
      return this.#core.emitter.on(name, listener)
    } catch (error) {
      throw error instanceof Error ? atCaller(error) : error
    }
  }

  /**
   * Calls a method of the engine by its name, as all classes here do. Parameters and answers are plain
   * data.
   *
   * @throws {AudileError} as the method says; the signal's reason on abort
   *
   * @example
   * ```ts
   * const { total } = await music.call('track/list', { results: 0 })
   * ```
   */
  async call<M extends MethodName>(
    method: M,
    params: Params<M>,
    options: Waiting = {},
  ): Promise<Result<M>> {
    const site = callSite()
    const { signal } = options
    try {
      const answer = await this.#core.engine.call(method, params, { apiKey: this.#apiKey, signal })
      return answer as Result<M>
    } catch (error) {
      if (signal?.aborted && error === signal.reason) throw error
      throw atCallSite(site, error)
    }
  }

  /**
   * Copies the database to another file while it is in use. The copy is durable, and holds the
   * state at the end of copying; after an error there is no copy. Kept audio goes into the folder
   * `<path>-audio`, as hard links where the file system has them. To restore, close the damaged
   * database and put the copy, and its folder, in its place.
   *
   * @throws {ParameterError} if the file exists (and `overwrite` is not set), or its folder does not
   * @throws {DatabaseError} if the disk is full or not writable, or the database cannot be read
   * @throws the signal's reason when it aborts
   *
   * @example
   * ```ts
   * const { bytes } = await music.backup('music-2026-11-21.db', {
   *   onProgress: ({ done, total }) => console.log(done / total),
   * })
   * ```
   */
  async backup(path: string, options: BackupOptions = {}): Promise<Result<'upkeep/backup'>> {
    const { signal, onProgress, ...parameters } = options
    return runUpkeep(this.#door, 'upkeep/backup', { path, ...parameters }, { signal, onProgress })
  }

  /**
   * Reads the whole database, table by table, and lists its faults: damaged pages and indexes, rows that
   * refer to missing rows, wrong counts, and lost audio. It takes about a second for 100 MB. Other calls
   * run between two tables.
   *
   * @throws the signal's reason when it aborts
   *
   * @example
   * ```ts
   * const { ok, problems } = await music.check()
   * if (!ok) console.error(problems.map(({ message }) => message))
   * ```
   */
  async check(options: UpkeepOptions = {}): Promise<Result<'upkeep/check'>> {
    return runUpkeep(this.#door, 'upkeep/check', {}, options)
  }

  /**
   * Rewrites the database file without its empty pages. Other calls wait until it ends, seconds for
   * a large file, and the disk needs space for a second file. It helps only after much was removed,
   * because empty pages are reused before the file grows.
   *
   * @throws {DatabaseError} if another process uses the file, or the disk is full
   *
   * @example
   * ```ts
   * const { bytesBefore, bytesAfter } = await music.vacuum()
   * ```
   */
  async vacuum(): Promise<Result<'upkeep/vacuum'>> {
    return this.#door.call('upkeep/vacuum', {})
  }

  /**
   * Stops the engine and closes the database. For an engine of another process, it closes only the
   * connection. Waiting calls are rejected at once. Running jobs return to the queue and go on at
   * the next `open`. It takes at most five seconds; jobs that cannot be ended by then go on at the
   * next `open` as after a crash. Calling it again does nothing.
   *
   * @example
   * ```ts
   * await music.close()
   * ```
   */
  async close(): Promise<void> {
    await this.#core.engine.close()
    this.#core.host.close()
    this.#core.emitter.clear()
  }

  /** Closes the database at the end of a block, with `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
