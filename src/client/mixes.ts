import type { Door, Params, Result } from '../host/door.ts'
import { Mix, type MixState } from './mix.ts'
import { absolutePathOf } from './mix-seed.ts'
import { type Conditions, type MixWish, wishParameters } from './mix-wish.ts'
import { Track, type Waiting } from './track.ts'
import { queryParameters } from './track-pages.ts'
import { referenceOf, type TrackReference } from './track-reference.ts'

/** Options of a path. */
export interface PathOptions extends Pick<Params<'mix/path'>, 'length' | 'bucket'>, Waiting {
  /** Conditions that the tracks in between meet, as in `tracks.search`. */
  where?: Conditions | undefined
}

/** A track of a path, and how far it is from the one before. */
export interface PathStep {
  /** Its handle. */
  track: Track
  /** How far it is from the track before. */
  reasons: Result<'mix/path'>[number]['reasons']
}

/**
 * What plays next, at `music.mixes`: mixes that follow seeds, bounds and arcs, and paths from one
 * track to another.
 *
 * @example
 * ```ts
 * for await (const { track } of await music.mixes.create({ length: 10 })) console.log(track.id)
 * ```
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
  async create(wish: MixWish = {}, { signal }: Waiting = {}): Promise<Mix> {
    return new Mix(
      this.#door,
      await this.#door.call('mix/create', wishParameters(wish), { signal }),
    )
  }

  /**
   * A mix that goes on behind a state, of this or another process. What it names and does not exist
   * any more is left out; {@link Mix.gone} says so.
   *
   * @throws {ParameterError} when it is no state, or names a catalog to avoid that does not exist
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
    const { gone: goneSeeds } = await this.#door.call('mix/next', params, { signal })
    return new Mix(this.#door, structuredClone(state), goneSeeds)
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
   * for (const { track: step, reasons } of await music.mixes.path(track, other, { length: 8 })) {
   *   console.log(step.answer.title, reasons.share)
   * }
   * ```
   */
  async path(
    from: TrackReference,
    to: TrackReference,
    { length, where, bucket, signal }: PathOptions = {},
  ): Promise<PathStep[]> {
    const params = {
      from: pathEnd(from),
      to: pathEnd(to),
      length,
      bucket,
      ...(where !== undefined && { where: queryParameters(where) }),
    }
    const steps = await this.#door.call('mix/path', params, { signal })
    return steps.map(({ track, reasons }) => ({ track: new Track(this.#door, track), reasons }))
  }
}

function pathEnd(reference: TrackReference) {
  const { file, ...otherReference } = referenceOf(reference)
  return { ...otherReference, ...(file !== undefined && { file: absolutePathOf(file) }) }
}
