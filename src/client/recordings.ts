import type { Door, Params, Result } from '../host/door.ts'
import type { SongRecord } from './songs.ts'
import type { Waiting } from './track.ts'

/** Options of an export or a merge. */
export interface ExportOptions extends Waiting {
  /** Called after each part. */
  onProgress?:
    | ((progress: {
        /** Work done so far; for an export, the number of records. */
        done: number
        /** The total work. */
        total: number
      }) => void)
    | undefined
}

/**
 * The recordings whose fingerprints are known, at `music.recordings`: those of your own tracks, and
 * imported ones.
 *
 * @example
 * ```ts
 * for await (const record of music.recordings.export()) console.log(record.title)
 * ```
 */
export class Recordings {
  readonly #door: Door

  /** @internal */
  constructor(door: Door) {
    this.#door = door
  }

  /**
   * Copies the recordings of all `references`, with fingerprints and songs, into this database,
   * which must be new. A merge that was stopped, or crashed, goes on when it is called again.
   *
   * @throws {ParameterError} when the database has recordings of its own, or there are no references
   *
   * @example
   * ```ts
   * import { Audile } from 'audile'
   *
   * await using all = await Audile.open({ database: 'all.db', references: ['a.db', 'b.db'] })
   * const { recordings } = await all.recordings.merge()
   * ```
   */
  async merge({ signal, onProgress }: ExportOptions = {}): Promise<{
    /** Recordings that the database has now. */
    recordings: number
  }> {
    for (;;) {
      const { recordings, ...progress } = await this.#door.call('song/merge', {}, { signal })
      onProgress?.(progress)
      if (progress.done >= progress.total) return { recordings }
    }
  }

  /**
   * The contents of the index of the database and of its references. Each index is read completely.
   *
   * @example
   * ```ts
   * for (const { reference, recordings, bytes } of await music.recordings.stat()) {
   *   console.log(reference ?? 'own', recordings, bytes)
   * }
   * ```
   */
  async stat({ signal }: Waiting = {}): Promise<Result<'song/stat'>> {
    return this.#door.call('song/stat', {}, { signal })
  }

  /**
   * Every recording with its fingerprints, and the names, length and ids of its song, as records
   * that `songs.import` takes: another database can then identify the songs without their audio.
   * Records are read on demand. Each fingerprint is a few dozen kilobytes of text. The codes of
   * `landmarks-…` are spectral landmarks; the others are code strings.
   *
   * A song without a title is `[untitled]`, and one without an artist is by `[unknown]`.
   *
   * @example
   * ```ts
   * import { Audile } from 'audile'
   *
   * await using other = await Audile.open({ database: 'other.db' })
   * await other.songs.import(music.recordings.export())
   * ```
   */
  export(options: ExportOptions = {}): AsyncGenerator<SongRecord> {
    return readRecordings(this.#door, 'song/export', options)
  }
}

/** Yields the records of an export, page by page. */
export async function* readRecordings<M extends 'song/export' | 'track/export'>(
  door: Door,
  method: M,
  { signal, onProgress }: ExportOptions,
): AsyncGenerator<Result<M>['records'][number]> {
  let done = 0
  let after: number | undefined
  do {
    const page: Result<'song/export' | 'track/export'> = await door.call(
      method,
      { after } as Params<M>,
      { signal },
    )
    yield* page.records
    done += page.records.length
    onProgress?.({ done, total: done + page.left })
    after = page.after
  } while (after !== undefined)
}
