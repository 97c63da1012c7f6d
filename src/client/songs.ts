import type { Door, Params, Result } from '../host/door.ts'
import {
  type AudioInput,
  type OfferedAudio,
  offerInput,
  releaseInput,
  requireObject,
} from './audio-input.ts'
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

/** What the answer contains, and how to abort. */
export type IdentifyOptions = Pick<Params<'song/identify'>, 'bucket' | 'evidence'> & Waiting

interface Wholly {
  /** False: a reference that cannot be asked is an error. */
  partial?: false
}

/** Lets {@link Songs.identify} skip references. */
interface Partly {
  /** References that cannot be asked are skipped and listed. Default: an error. */
  partial: true
}

/** Songs that were found although some references could not be asked. */
export interface PartlyIdentified extends Omit<Result<'song/identify-partly'>, 'songs'> {
  /** The songs of the database, and of the references that were asked. */
  songs: Song[]
}

type Queries = IdentifyQuery | readonly IdentifyQuery[]

/** The song that names refer to, and on request the reasons for it, or for none. */
export interface ResolvedSong extends Omit<Result<'song/resolve'>, 'song'> {
  /** The song; absent when none is certain enough. */
  song?: Song
}

/** A song of a reference collection. */
export type SongRecord = Params<'song/import'>['records'][number]

/**
 * The songs of a database, at `music.songs`: those of its tracks, and imported ones.
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
   * Finds the song of a recording from a fingerprint, several (at most 1,000), or audio, which can
   * be a short, noisy piece. An unknown recording gives an empty list. Of several songs, those whose
   * names match the query come first, then those with the best score.
   *
   * With `partial: true`, references that cannot be asked are skipped, and the answer
   * `{ songs, notAsked }` lists them.
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
    options?: IdentifyOptions & Wholly,
  ): Promise<Song[]>
  /** Skips references that cannot be asked. */
  identify(query: (Excerpt | IdentifyQuery) & IdentifyOptions & Partly): Promise<PartlyIdentified>
  /** Skips references that cannot be asked. */
  identify(
    query: Queries | (Excerpt & IdentifyOptions),
    options: IdentifyOptions & Partly,
  ): Promise<PartlyIdentified>
  async identify(
    query: Queries | (Excerpt & IdentifyOptions & { partial?: boolean }),
    { signal, partial, ...otherOptions }: IdentifyOptions & { partial?: boolean } = {},
  ): Promise<Song[] | PartlyIdentified> {
    const params = { ...this.#paramsOf(query), ...otherOptions }
    const queryOptions = query as IdentifyOptions & { partial?: boolean }
    const until = { signal: signal ?? queryOptions.signal }
    const songOf = (answer: SongAnswer) => new Song(this.#door, answer)
    try {
      if (!(partial ?? queryOptions.partial)) {
        return (await this.#door.call('song/identify', params, until)).map(songOf)
      }
      const answer = await this.#door.call('song/identify-partly', params, until)
      return { ...answer, songs: answer.songs.map(songOf) }
    } finally {
      releaseInput(this.#door, params)
    }
  }

  /**
   * The fingerprint of a recording, for `identify` of this or another database.
   *
   * @param input - a file, an address, bytes or samples, or a part of it, as for `identify`
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
    const { signal, ...otherOptions } = options
    const params = this.#audioOf(input)
    try {
      return await this.#door.call('song/fingerprint', { ...params, ...otherOptions }, { signal })
    } finally {
      releaseInput(this.#door, params)
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
   * Finds the one song that names refer to, as tags, lists and file names write them. It returns
   * none rather than a guess. With `explain`, it says what counts against each compared song.
   *
   * @param query - the names, and what else is known: length, ISRC, MusicBrainz id
   * @throws {ParameterError} `unknown_identifier` when no artist has the `artistId`
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
    const { song, ...evidence } = await this.#door.call('song/resolve', params, { signal })
    return song ? { ...evidence, song: new Song(this.#door, song) } : evidence
  }

  /**
   * Songs by their ids, or by the ids of their tracks. Unknown ids are skipped. A string is one id.
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
   * Imports songs of a reference collection; those with fingerprints can then be identified.
   * Repeating an import changes nothing. `rejected` lists bad records, unless `strict` is set.
   *
   * @param records - read as they are needed; at most 2,000 are in memory
   * @throws the signal's reason on abort; records imported until then stay
   *
   * @example
   * ```ts
   * const { imported, rejected } = await music.songs.import(
   *   [{ title: 'Help!', artistName: 'The Beatles', year: 1965, isrc: 'GBAYE0601477' }],
   *   { onProgress: ({ done }) => console.log(done) },
   * )
   * ```
   */
  import(
    records: Iterable<SongRecord> | AsyncIterable<SongRecord>,
    options: ImportOptions = {},
  ): Promise<ImportResult> {
    return importAll(this.#door, 'song/import', records, options)
  }

  #paramsOf(query: unknown): Params<'song/identify'> {
    requireObject('identify', query)
    if (Array.isArray(query)) return { query }
    const { bucket, evidence, signal, partial, ...input } = query as IdentifyOptions & Partly
    const answerParams = { bucket, evidence }
    const audio = this.#audioOf(input)
    const { code } = input as Partial<IdentifyQuery>
    return code === undefined
      ? { ...answerParams, ...audio }
      : { ...answerParams, query: input as IdentifyQuery }
  }

  /** Drops `filetype`, which uploads accept: the format is detected from the content. */
  #audioOf(input: object): OfferedAudio {
    const { filetype: _, ...audio } = input as { filetype?: string }
    return offerInput(this.#door, audio)
  }
}
