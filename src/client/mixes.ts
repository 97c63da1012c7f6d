import type { Door, Params, Result } from '../host/door.ts'
import { type IdReference, idOf } from './id-reference.ts'
import { Mix, type MixState } from './mix.ts'
import { type MixSeed, seedsOf } from './mix-seed.ts'
import { Track, type Waiting } from './track.ts'
import { named, type TrackQuery } from './track-pages.ts'
import { referenceOf, type TrackReference } from './track-reference.ts'

type Created = Params<'mix/create'>
/** A catalog whose banned items are avoided, and what was played within some hours. */
export interface Avoided {
  catalog: IdReference
  playedHours?: number | undefined
}

/** What a mix is to be. */
export interface MixWish extends Omit<Created, 'seeds' | 'less' | 'where' | 'avoid'> {
  /**
   * What the mix is to sound like. Without seeds it begins anywhere. The distance of a track from
   * several seeds is a soft minimum, weighted.
   */
  seeds?: MixSeed | readonly MixSeed[] | undefined
  /** What it is to keep away from. */
  less?: MixSeed | readonly MixSeed[] | undefined
  /** Conditions that all tracks meet, as in `tracks.search`. */
  where?: Conditions | undefined
  /** Catalogs whose banned or recently played items are left out. */
  avoid?: Avoided | readonly Avoided[] | undefined
}

/** The conditions of a search. */
export type Conditions = Omit<TrackQuery, 'sort' | 'start' | 'results' | 'bucket'>

/** Options of a path. */
export interface PathOptions extends Pick<Params<'mix/path'>, 'length' | 'bucket'>, Waiting {
  /** Conditions that the tracks in between meet, as in `tracks.search`. */
  where?: Conditions | undefined
}

/** A track of a path, and how far it is from the one before. */
export interface PathStep {
  track: Track
  reasons: Result<'mix/path'>[number]['reasons']
}

/**
 * What plays next, at `music.mixes`: mixes that follow seeds, bounds and arcs, and paths from one
 * track to another.
 */
export class Mixes {
  readonly #door: Door

  /** @internal */
  constructor(door: Door) {
    this.#door = door
  }

  /**
   * Creates a mix. Its tracks are chosen as the loop asks for them. It ends early when no track
   * meets what was asked; {@link Mix.ended} says which bound ended it.
   *
   * @throws {ParameterError} `unknown_identifier` on a seed or catalog that does not exist;
   * `not_ready` on a seed whose tracks are not analysed
   *
   * @example
   * ```ts
   * const mix = await music.mixes.create({
   *   seeds: [track, { mood: 'calm', weight: 0.5 }],
   *   where: { tempo: [90, 130] },
   *   arc: { energy: [0.2, 0.9, 0.3] },
   *   spacing: { artist: 5, album: 10 },
   *   length: 50,
   *   seed: 7,
   * })
   * for await (const { track, reasons } of mix) console.log(track.answer.title, reasons)
   * ```
   */
  async create(given: MixWish = {}, { signal }: Waiting = {}): Promise<Mix> {
    const { seeds, less, where, avoid, ...rest } = given
    const wish = {
      ...rest,
      ...(seeds !== undefined && { seeds: seedsOf(seeds) }),
      ...(less !== undefined && { less: seedsOf(less) }),
      ...(where !== undefined && { where: named(where) }),
      ...(avoid !== undefined && { avoid: avoidedOf(avoid) }),
    }
    return new Mix(this.#door, await this.#door.call('mix/create', wish as Created, { signal }))
  }

  /**
   * A mix that goes on behind a state, of this or another process.
   *
   * @throws {ParameterError} when it is no state, or names what does not exist any more
   *
   * @example
   * ```ts
   * const mix = await music.mixes.create({ seeds: [track], seed: 7 })
   * const again = await music.mixes.resume(mix.state())
   * ```
   */
  async resume(state: MixState, { signal }: Waiting = {}): Promise<Mix> {
    // The check is that of the next track, which is not taken.
    const params = { state, results: 1 } as Params<'mix/next'>
    await this.#door.call('mix/next', params, { signal })
    return new Mix(this.#door, structuredClone(state))
  }

  /**
   * The way from one track to another over tracks in between, both ends included. Its largest step
   * is as small as the library allows; no song comes twice.
   *
   * @throws {ParameterError} `unknown_identifier`; `not_ready` when an end has no analysis
   *
   * @example
   * ```ts
   * const other = await music.tracks.get({ file: 'song.mp3' })
   * for (const { track, reasons } of await music.mixes.path(track, other, { length: 8 })) {
   *   console.log(track.answer.title, reasons.share)
   * }
   * ```
   */
  async path(
    from: TrackReference,
    to: TrackReference,
    { length, where, bucket, signal }: PathOptions = {},
  ): Promise<PathStep[]> {
    const params = {
      from: referenceOf(from),
      to: referenceOf(to),
      length,
      bucket,
      ...(where !== undefined && { where: named(where) }),
    }
    const steps = await this.#door.call('mix/path', params, { signal })
    return steps.map(({ track, reasons }) => ({ track: new Track(this.#door, track), reasons }))
  }
}

function avoidedOf(given: Avoided | readonly Avoided[]) {
  return [given].flat().map(({ catalog, playedHours }) => ({ catalog: idOf(catalog), playedHours }))
}
