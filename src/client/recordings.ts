import type { Door, Result } from '../door.ts'
import type { SongRecord } from './songs.ts'
import type { Waiting } from './track.ts'

/** How an export is followed and stopped. */
export interface ExportOptions extends Waiting {
  /** Called after each part of some dozen recordings. */
  onProgress?:
    | ((progress: {
        /** Recordings so far. */
        done: number
        /** All recordings. */
        total: number
      }) => void)
    | undefined
}

/**
 * The recordings whose fingerprints are known, at `music.recordings`: of one's own tracks, and
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
   * Every recording with its fingerprints, and the names, length and ids of its song, as records that
   * `songs.import` takes: another database can then identify the songs without a second of audio. They
   * are read as they are asked for. The fingerprints are a few dozen kilobytes of text each; of
   * `landmarks-…` the codes are spectral landmarks, the others are code strings.
   *
   * A song without a title is `[untitled]`, and one without an artist is by `[unknown]`.
   *
   * @throws the signal's reason on abort
   *
   * @example
   * ```ts
   * await other.songs.import(music.recordings.export())
   * ```
   */
  async *export({ signal, onProgress }: ExportOptions = {}): AsyncGenerator<SongRecord> {
    let done = 0
    for (let after: number | undefined = 0; after !== undefined; ) {
      const page: Result<'song/export'> = await this.#door.call(
        'song/export',
        { after },
        { signal },
      )
      yield* page.records
      done += page.records.length
      onProgress?.({ done, total: done + page.left })
      after = page.after
    }
  }
}
