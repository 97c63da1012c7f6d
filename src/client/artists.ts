import type { Door, Params, Result } from '../host/door.ts'
import { type IdReference, idOf } from './id-reference.ts'
import { type ImportOptions, type ImportResult, importAll } from './imports.ts'
import type { Waiting } from './track.ts'

/** An artist of a reference collection. */
export type ArtistRecord = Params<'artist/import'>['records'][number]

/** An artist as the methods answer it. */
export type ArtistAnswer = Result<'artist/profile'>

/**
 * The artists of a database, at `music.artists`.
 *
 * @example
 * ```ts
 * const [yelle] = await music.artists.search('Yelle', { bucket: ['terms', 'songs'] })
 * ```
 */
export class Artists {
  readonly #door: Door

  /** @internal */
  constructor(door: Door) {
    this.#door = door
  }

  /**
   * Imports artists of a reference collection: names, places and years, terms, documents. An artist
   * that is known by id, foreign id or name is updated, so repeating an import changes nothing. Bad
   * records are skipped and listed in `rejected`, unless `strict` is set.
   *
   * @param records - read as they are needed; at most 2,000 are in memory
   * @throws the signal's reason on abort; records imported until then stay
   *
   * @example
   * ```ts
   * await music.artists.import([
   *   { name: 'Yelle', yearsActive: [{ start: 2005 }], terms: [{ name: 'electropop', kind: 'style' }] },
   * ])
   * ```
   */
  import(
    records: Iterable<ArtistRecord> | AsyncIterable<ArtistRecord>,
    options: ImportOptions = {},
  ): Promise<ImportResult> {
    return importAll(this.#door, 'artist/import', records, options)
  }

  /**
   * An artist, by id or foreign id: the name, and what the buckets ask for.
   *
   * @throws {ParameterError} `unknown_identifier`
   *
   * @example
   * ```ts
   * const id = 'musicbrainz:artist:a74b1b7f-71a5-4011-9441-d0b5e4122711'
   * const { terms } = await music.artists.get(id, { bucket: ['terms', 'years_active'] })
   * ```
   */
  get(
    artist: IdReference,
    { signal, ...query }: Pick<Params<'artist/profile'>, 'bucket'> & Waiting = {},
  ): Promise<ArtistAnswer> {
    return this.#door.call('artist/profile', { id: idOf(artist), ...query }, { signal })
  }

  /**
   * Artists with this name, or with all its words in their names; if none, the closest name.
   *
   * @example
   * ```ts
   * for (const { id, name } of await music.artists.search('beatles')) console.log(id, name)
   * ```
   */
  search(
    name: string,
    { signal, ...query }: Omit<Params<'artist/search'>, 'name'> & Waiting = {},
  ): Promise<ArtistAnswer[]> {
    return this.#door.call('artist/search', { name, ...query }, { signal })
  }
}
