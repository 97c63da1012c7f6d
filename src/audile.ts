import { Artists } from './client/artists.ts'
import { Catalogs } from './client/catalogs.ts'
import { Feeds } from './client/feeds.ts'
import { Keys } from './client/keys.ts'
import { Songs } from './client/songs.ts'
import { Tracks } from './client/tracks.ts'
import { type BackupOptions, type UpkeepOptions, upkeep } from './client/upkeep.ts'
import type { Door, MethodName, Params, Result } from './door.ts'
import type { EngineHandle } from './engine/handle.ts'
import { startEngineThread } from './engine/thread.ts'
import { LocalHost } from './host.ts'
import { Emitter, type EventName, type Listener } from './kernel/events.ts'
import { type AudileOptions, resolveOptions } from './options.ts'

/** What all views on one open engine share. */
interface Core {
  engine: EngineHandle
  host: LocalHost
  emitter: Emitter
}

/**
 * A music database and the engine that fills it: analyses your own audio files and answers what is
 * in them. Nothing leaves the machine, but for what you ask to be fetched: addresses to upload, feeds.
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
  /** What they are recordings of, and what was imported: searched, identified by sound. */
  readonly songs: Songs
  /** Whose songs they are. */
  readonly artists: Artists
  /** Taste profiles: lists of songs or artists that resolve themselves. */
  readonly catalogs: Catalogs
  /** News, blogs, reviews, audio and video about artists. */
  readonly feeds: Feeds
  /** Who may call, and owns what. */
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
    this.artists = new Artists(door)
    this.catalogs = new Catalogs(door)
    this.feeds = new Feeds(door)
    this.keys = new Keys(door)
  }

  /**
   * Opens a database, making it when it is not there, and starts the engine on it. Jobs that an
   * earlier run or a crash left go on.
   *
   * @throws {ParameterError} on an unknown option or a value out of range
   * @throws {DatabaseError} when the file cannot be opened, or was written by a newer audile
   *
   * @example
   * ```ts
   * import { Audile } from 'audile'
   *
   * const music = await Audile.open({ database: ':memory:', workers: 1 })
   * await music.close()
   * ```
   */
  static async open(options: AudileOptions): Promise<Audile> {
    const { engine: place, enginePath, config, fetch, logger, now } = resolveOptions(options)
    const host = new LocalHost({ fetch, logger })
    const emitter = new Emitter((error) => host.log('error', 'A listener threw an error.', error))
    const services = { host, emit: emitter.emit }
    if (place === 'thread') {
      const engine = await startEngineThread({ config, enginePath }, services)
      return new Audile({ engine, host, emitter }, config.apiKey)
    }
    // Loaded only here: with a thread, SQLite's addon has no business on the caller's side.
    const { openEngine } = await import('./engine/engine.ts')
    const engine = await openEngine(config, { ...services, now: now ?? (() => Date.now()) })
    return new Audile({ engine, host, emitter }, config.apiKey)
  }

  /**
   * The same open database on behalf of another key. Closing either closes both. Whether the key is
   * valid is found out by the calls.
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
   * Calls `listener` with each event of a name; returns the function that ends it. What it throws is
   * logged, and ends nothing.
   *
   * @throws {ParameterError} on a name that no event has, naming the likely one
   *
   * @example
   * ```ts
   * const off = music.on('track', ({ id, status, progress }) => console.log(id, status, progress))
   * off()
   * ```
   */
  on<N extends EventName>(name: N, listener: Listener<N>): () => void {
    return this.#core.emitter.on(name, listener)
  }

  /**
   * The door that every class here goes through: calls a method of the engine by its name. What it
   * takes and answers is plain data.
   *
   * @throws {AudileError} as the method says; the signal's reason on abort
   *
   * @example
   * ```ts
   * const { total } = await music.call('track/list', { results: 0 })
   * ```
   */
  call<M extends MethodName>(
    method: M,
    params: Params<M>,
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<Result<M>> {
    const { signal } = options
    const answer = this.#core.engine.call(method, params, { apiKey: this.#apiKey, signal })
    return answer as Promise<Result<M>>
  }

  /**
   * Copies the database to another file while it is used: as it is at the end of the copying, durable
   * and whole, or not at all. Kept audio goes into `<path>-audio` beside it, by a second name for the
   * same bytes where the file system has such, else as copies. The copy is opened like any database;
   * to restore, close the damaged one and put the copy, and its folder, in its place.
   *
   * @throws {ParameterError} when the file exists (and `overwrite` is not set), or its folder does not
   * @throws {DatabaseError} when the disk is full or not writable, or the database cannot be read
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
    const { signal, onProgress, ...rest } = options
    return upkeep(this.#door, 'upkeep/backup', { path, ...rest }, { signal, onProgress })
  }

  /**
   * Reads the whole database, table by table, and tells what is wrong in it: damaged pages and
   * indexes, rows that name others which are gone, wrong counts, kept audio that is lost. A second for
   * some 100 MB, in which other calls come between tables.
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
    return upkeep(this.#door, 'upkeep/check', {}, options)
  }

  /**
   * Writes the database file anew, without the pages that hold nothing any more. Other calls wait
   * meanwhile, seconds for a large one, and it takes as much room on the disk again. Free pages are
   * used before the file grows, so there is need of it only after much was removed.
   *
   * @throws {DatabaseError} when another process is at work on the file, or the disk is full
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
   * Stops the engine: calls that still wait are rejected at once, running jobs return to the queue
   * and go on at the next `open`, threads end, the database is closed. That takes five seconds at
   * most, whatever holds it up: what cannot be ended by then is left, and the next `open` takes its
   * jobs over as after a crash. Calling it again changes nothing.
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

  /** Closes at the end of a block, by `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
