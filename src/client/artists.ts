import type { Door, Params, Result } from '../door.ts'
import { type ImportOptions, type ImportResult, importAll } from './imports.ts'
import type { Waiting } from './track.ts'

/** An artist of a reference collection. */
export type ArtistRecord = Params<'artist/import'>['records'][number]

/** What the artist methods answer of an artist. */
export type ArtistAnswer = Result<'artist/profile'>

/** The artists of a database. */
export class Artists {
  readonly #door: Door

  /** @internal */
  constructor(door: Door) {
    this.#door = door
  }

  /**
   * Takes in artists of a reference collection: their names, where and when they were, terms,
   * documents. One who is known by id, foreign id or name is updated, so running an import again
   * changes nothing. A bad record is told in `rejected` and passed over.
   *
   * ```ts
   * await music.artists.import([
   *   { name: 'Yelle', yearsActive: [{ start: 2005 }], terms: [{ name: 'electropop', kind: 'style' }] },
   * ])
   * ```
   *
   * @throws the signal's reason on abort; what was taken in until then stays
   */
  import(
    records: Iterable<ArtistRecord> | AsyncIterable<ArtistRecord>,
    options: ImportOptions = {},
  ): Promise<ImportResult> {
    const take = (batch: ArtistRecord[], waiting: Waiting) =>
      this.#door.call('artist/import', { records: batch }, waiting)
    return importAll(take, records, options)
  }

  /**
   * What is known of an artist, by id or foreign id.
   *
   * ```ts
   * const { terms } = await music.artists.get(song.artistId, { bucket: ['terms', 'years_active'] })
   * ```
   *
   * @throws {ParameterError} `unknown_identifier`
   */
  get(
    id: string,
    { signal, ...query }: Pick<Params<'artist/profile'>, 'bucket'> & Waiting = {},
  ): Promise<ArtistAnswer> {
    return this.#door.call('artist/profile', { id, ...query }, { signal })
  }

  /** Artists who are called so, or whose names hold all the words; the closest name where none does. */
  search(
    name: string,
    { signal, ...query }: Omit<Params<'artist/search'>, 'name'> & Waiting = {},
  ): Promise<ArtistAnswer[]> {
    return this.#door.call('artist/search', { name, ...query }, { signal })
  }
}
