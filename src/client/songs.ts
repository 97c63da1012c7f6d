import { atCaller } from '../caller.ts'
import type { Door, Params, Result } from '../door.ts'
import { ParameterError } from '../errors.ts'
import { type AudioInput, type Offered, releaseOf, sourceOf } from './audio-input.ts'
import { type ImportOptions, type ImportResult, importAll } from './imports.ts'
import { Song, type SongAnswer } from './song.ts'
import type { Waiting } from './track.ts'

/** A fingerprint, and other evidence of the recording. */
export type IdentifyQuery = Exclude<
  NonNullable<Params<'song/identify'>['query']>,
  readonly unknown[]
>

/** A recording, or a part of it. */
export type Excerpt = AudioInput & Pick<Params<'song/fingerprint'>, 'start' | 'length'>

/** What is answered, and how the wait is stopped. */
export type IdentifyOptions = Pick<Params<'song/identify'>, 'bucket' | 'evidence'> & Waiting

/** With `partial: true`, references that cannot be asked are left out and named. Default: an error. */
interface Partly {
  partial: true
}

/** The songs that were found though some references could not be asked. */
export interface PartlyIdentified extends Omit<Result<'song/identify-partly'>, 'songs'> {
  /** Those of the database, and of the references that were asked. */
  songs: Song[]
}

type Queries = IdentifyQuery | readonly IdentifyQuery[]

/** The song that names mean, and on request why it is that one, or none. */
export interface ResolvedSong extends Omit<Result<'song/resolve'>, 'song'> {
  /** The song; absent when none is certain enough. */
  song?: Song
}

/** A song of a reference collection. */
export type SongRecord = Params<'song/import'>['records'][number]

/**
 * The songs of a database, at `music.songs`: of its tracks, and imported ones.
 *
 * @example
 * ```ts
 * const [heard] = await music.songs.identify({ file: 'heard.wav' })
 * const slower = await music.songs.search({ maxTempo: 90, sort: 'energy-asc' })
 * ```
 */
export class Songs {
  readonly #door: Door

  /** @internal */
  constructor(door: Door) {
    this.#door = door
  }

  /**
   * Finds the song of a recording by a fingerprint, several of them (at most 1,000), or the audio, which
   * can be a short, noisy piece. An unknown recording gives an empty list, never a guess. If several
   * songs have the recording, those whose names agree with the query's come first, then those with the
   * best score. With `evidence: true` each says why it is the one: what agrees, where, at which speed and
   * pitch, how much of it chance would bring, how far the next other recording falls behind.
   *
   * All references are asked. With `partial: true` those that cannot be asked are left out, and the answer
   * is `{ songs, notAsked }`, which names them: one that is away is not waited for again within
   * `limits.referenceSeconds`.
   *
   * @throws {DecodeError} when audio cannot be read or decoded. A code that cannot be decoded is no
   * error: it has no songs
   * @throws {DatabaseError} without `partial`, when a reference cannot be asked; {@link KeyError} when it
   * refuses the key
   *
   * @example
   * ```ts
   * const [match] = await music.songs.identify({ file: 'show.mp3', start: 3600, length: 20 })
   * console.log(match?.title ?? 'not one of yours', match?.score)
   * const [why] = await music.songs.identify({ file: 'show.mp3' }, { evidence: true })
   * console.log(why?.evidence?.offset, why?.evidence?.speed)
   * const { songs, notAsked } = await music.songs.identify({ file: 'show.mp3', partial: true })
   * for (const { reference, reason } of notAsked) console.warn(reference, reason)
   * ```
   */
  identify(
    query: Queries | (Excerpt & IdentifyOptions),
    options?: IdentifyOptions & { partial?: false },
  ): Promise<Song[]>
  /** Leaves references out that cannot be asked. */
  identify(query: (Excerpt | IdentifyQuery) & IdentifyOptions & Partly): Promise<PartlyIdentified>
  /** Leaves references out that cannot be asked. */
  identify(
    query: Queries | (Excerpt & IdentifyOptions),
    options: IdentifyOptions & Partly,
  ): Promise<PartlyIdentified>
  async identify(
    query: Queries | (Excerpt & IdentifyOptions & { partial?: boolean }),
    { signal, partial, ...rest }: IdentifyOptions & { partial?: boolean } = {},
  ): Promise<Song[] | PartlyIdentified> {
    const params = { ...this.#paramsOf(query), ...rest }
    const given = query as IdentifyOptions & { partial?: boolean }
    const until = { signal: signal ?? given.signal }
    const songOf = (answer: SongAnswer) => new Song(this.#door, answer)
    try {
      if (!(partial ?? given.partial)) {
        return (await this.#door.call('song/identify', params, until)).map(songOf)
      }
      const answer = await this.#door.call('song/identify-partly', params, until)
      return { ...answer, songs: answer.songs.map(songOf) }
    } finally {
      releaseOf(this.#door, params)
    }
  }

  /**
   * The fingerprint of a recording, as `identify` takes it, here or in another database.
   *
   * @param input - as `identify` takes it: a file, an address, bytes or samples; or a part of it
   * @throws {DecodeError} when the audio cannot be read or decoded
   *
   * @example
   * ```ts
   * const query = await music.songs.fingerprint({ file: 'heard.wav' }, { version: 4.11 })
   * const songs = await music.songs.identify(query)
   * ```
   */
  async fingerprint(
    input: Excerpt,
    options: Pick<Params<'song/fingerprint'>, 'version'> & Waiting = {},
  ): Promise<Result<'song/fingerprint'>> {
    const { signal, ...rest } = options
    const params = this.#audioOf(input)
    try {
      return await this.#door.call('song/fingerprint', { ...params, ...rest }, { signal })
    } finally {
      releaseOf(this.#door, params)
    }
  }

  /**
   * Finds songs by words of their names, by terms and by numbers, all of which must match. The best
   * matches come first, unless `sort` says otherwise: 15, or `results` of 0…100, from `start` on.
   *
   * @throws {ParameterError} on a value out of range or a combination that contradicts itself
   *
   * @example
   * ```ts
   * await music.songs.search({ artist: 'beatles', minTempo: 90, sort: 'tempo-asc', results: 50 })
   * await music.songs.search({ style: ['jazz^2', '-smooth jazz'], mood: 'mellow' })
   * ```
   */
  async search(query: Params<'song/search'> = {}, { signal }: Waiting = {}): Promise<Song[]> {
    const songs = await this.#door.call('song/search', query, { signal })
    return songs.map((answer) => new Song(this.#door, answer))
  }

  /**
   * Finds the one song that names mean, as tags, lists and file names write them; none, rather than
   * a guess. With `explain` the answer says what speaks against each song that was compared.
   *
   * @param query - the names, and what else is known: length, ISRC, MusicBrainz id
   * @throws {ParameterError} `unknown_identifier` for an `artistId` of no artist
   *
   * @example
   * ```ts
   * const { song } = await music.songs.resolve({ title: '01 - Hlep! (Remastered)', artist: 'Beatles, The' })
   * const { refused, candidates } = await music.songs.resolve({ title: 'Help! (Live)' }, { explain: true })
   * for (const { song, distance, penalties } of candidates ?? []) console.log(song.title, distance, penalties)
   * ```
   */
  async resolve(
    query: Omit<Params<'song/resolve'>, 'explain'>,
    { signal, explain }: Pick<Params<'song/resolve'>, 'explain'> & Waiting = {},
  ): Promise<ResolvedSong> {
    const params = { ...query, ...(explain !== undefined && { explain }) }
    const { song, ...rest } = await this.#door.call('song/resolve', params, { signal })
    return song ? { ...rest, song: new Song(this.#door, song) } : rest
  }

  /**
   * Songs by their ids, or by the ids of their tracks, without those that are not known. A text is the
   * id of one.
   *
   * @throws {ParameterError} on an unknown bucket, and if neither songs nor tracks are named
   *
   * @example
   * ```ts
   * const [help] = await music.songs.profile({
   *   id: '7digital-US:track:123',
   *   bucket: ['tracks', 'id:7digital-US'],
   * })
   * ```
   */
  async profile(query: string | Params<'song/profile'>, { signal }: Waiting = {}): Promise<Song[]> {
    const params = typeof query === 'string' ? { id: query } : query
    const songs = await this.#door.call('song/profile', params, { signal })
    return songs.map((answer) => new Song(this.#door, answer))
  }

  /**
   * Imports songs of a reference collection. Those with fingerprints can then be identified. The same
   * import again changes nothing, so after a stop or a crash it is simply run again. Bad records are
   * skipped and listed in `rejected`, unless `strict` is set.
   *
   * @param records - read as they are needed; at most 2,000 are in memory
   * @throws the signal's reason on abort; what was imported until then stays
   *
   * @example
   * ```ts
   * const { imported, rejected } = await music.songs.import(
   *   [{ title: 'Help!', artistName: 'The Beatles', year: 1965, isrc: 'GBAYE0601477' }],
   *   { onProgress: ({ done }) => console.log(done) },
   * )
   * ```
   */
  async import(
    records: Iterable<SongRecord> | AsyncIterable<SongRecord>,
    options: ImportOptions = {},
  ): Promise<ImportResult> {
    const take = (batch: SongRecord[], waiting: Waiting) =>
      this.#door.call('song/import', { records: batch }, waiting)
    return importAll(take, records, options, this.#door.ended)
  }

  #paramsOf(query: unknown): Params<'song/identify'> {
    if (typeof query !== 'object' || query === null) {
      const message = `identify takes an object, e.g. { file: ${JSON.stringify(query)} }`
      throw atCaller(new ParameterError('invalid_parameter', message))
    }
    if (Array.isArray(query)) return { query }
    const { bucket, evidence, signal, partial, ...given } = query as IdentifyOptions & Partly
    const asked = { bucket, evidence }
    const audio = this.#audioOf(given)
    const { code } = given as Partial<IdentifyQuery>
    return code === undefined ? { ...asked, ...audio } : { ...asked, query: given as IdentifyQuery }
  }

  /** `filetype`, which uploads accept, is left out: the content decides. */
  #audioOf(input: object): Offered {
    const { filetype: _, ...audio } = input as { filetype?: string }
    return sourceOf(this.#door, audio)
  }
}
