import type { Door, Params } from '../host/door.ts'
import { Limiter } from '../kernel/limiter.ts'
import type { MixEnd } from '../mix/ending.ts'
import type { MixReasons } from '../mix/reasons.ts'
import type { Seed } from '../mix/wish.ts'
import { ParameterError } from '../values/errors.ts'
import { type MixSeed, seedParameters } from './mix-seed.ts'
import { Track, type Waiting } from './track.ts'

/** A mix so far, as plain JSON. */
export type MixState = Params<'mix/next'>['state']

/** A track of a mix, and why it follows. */
export interface MixedTrack {
  /** Its handle. */
  track: Track
  /** Why it follows. */
  reasons: MixReasons
}

/** The signal of a call that nobody aborts. */
const NEVER = new AbortController().signal

/**
 * A mix, from {@link Mixes}: tracks one after the other, chosen as the loop asks for them. Leaving
 * the loop pauses it; the next loop goes on behind it.
 *
 * @example
 * ```ts
 * const mix = await music.mixes.create({ seeds: [track], length: 20 })
 * for await (const { track, reasons } of mix) {
 *   console.log(track.answer.title, reasons.fromLast)
 *   if ((track.answer.duration ?? 0) > 600) mix.skip()
 * }
 * console.log(mix.ended?.message)
 * ```
 */
export class Mix {
  readonly #door: Door
  #state: MixState
  #ended: MixEnd | undefined
  #gone: readonly Seed[] = []
  /** The state before steering that no step has followed yet. */
  #unsteered: MixState | undefined
  /** One step at a time: two that choose at once would choose the same track. */
  readonly #turns = new Limiter(1)

  /** @internal */
  constructor(door: Door, state: MixState, goneSeeds: readonly Seed[] = []) {
    this.#door = door
    this.#state = state
    this.#gone = goneSeeds
  }

  /** What ended the mix; `undefined` while it can go on. */
  get ended(): MixEnd | undefined {
    return this.#ended
  }

  /**
   * What the mix was to be near to, or to keep away from, and cannot be any more: it was removed, or
   * none of its tracks is analysed. The mix goes on without it.
   */
  get gone(): readonly Seed[] {
    return this.#gone
  }

  /**
   * The mix so far, with the wish, the tracks that were given, and all steering: plain JSON for
   * `mixes.resume`, in this or another process.
   *
   * @example
   * ```ts
   * const text = JSON.stringify(mix.state())
   * ```
   */
  state(): MixState {
    return structuredClone(this.#state)
  }

  /**
   * Steers the mix towards something, from the next track on. All that is added counts as much as
   * all seeds together. Something that does not exist rejects the next step, and is forgotten.
   *
   * @example
   * ```ts
   * mix.more(track)
   * ```
   */
  more(what: MixSeed): void {
    this.#steer({ more: [...this.#state.more, ...seedParameters(what)] })
  }

  /**
   * Steers the mix away from something, from the next track on. Something that does not exist
   * rejects the next step, and is forgotten.
   *
   * @example
   * ```ts
   * mix.less('ARH6W4X1187B99274F')
   * ```
   */
  less(what: MixSeed): void {
    this.#steer({ less: [...this.#state.less, ...seedParameters(what)] })
  }

  /**
   * Says that the last track was skipped: the next one follows the track before it, and similar
   * ones become a little less likely. Before the first track it does nothing.
   *
   * @example
   * ```ts
   * mix.skip()
   * ```
   */
  skip(): void {
    const last = this.#state.played.at(-1)
    if (last === undefined || this.#state.skipped.includes(last)) return
    this.#steer({ skipped: [...this.#state.skipped, last] })
  }

  /**
   * The next track; `undefined` when the mix has ended, and {@link ended} says why.
   *
   * @throws {ParameterError} when something that the mix names does not exist any more
   * @throws the signal's reason on abort; the mix stays where it is
   *
   * @example
   * ```ts
   * const first = await mix.next()
   * console.log(first?.track.id)
   * ```
   */
  next({ signal = NEVER }: Waiting = {}): Promise<MixedTrack | undefined> {
    return this.#turns.run(signal, () => this.#next(signal))
  }

  async #next(signal: AbortSignal): Promise<MixedTrack | undefined> {
    while (this.#ended === undefined) {
      const state = this.#state
      await this.#checkSteering(state, signal)
      // One at a time: what is banned or removed meanwhile must not follow.
      const answer = await this.#door.call('mix/next', { state, results: 1 }, { signal })
      // If it was steered meanwhile, what was chosen does not hold any more.
      if (this.#state !== state) continue
      this.#gone = answer.gone
      const [step] = answer.steps
      if (step) {
        this.#state.played.push(step.track.id)
        return { track: new Track(this.#door, step.track), reasons: step.reasons }
      }
      this.#ended = answer.ended
    }
    return undefined
  }

  /** A slip in steering must neither pass in silence nor end the mix. */
  async #checkSteering(state: MixState, signal: AbortSignal): Promise<void> {
    const unsteered = this.#unsteered
    if (!unsteered) return
    const seeds = state.more.slice(unsteered.more.length)
    const less = state.less.slice(unsteered.less.length)
    try {
      if (seeds.length + less.length > 0)
        await this.#door.call('mix/create', { seeds, less }, { signal })
    } catch (error) {
      if (error instanceof ParameterError) {
        this.#state = unsteered
        this.#unsteered = undefined
      }
      throw error
    }
    if (this.#state === state) this.#unsteered = undefined
  }

  /** The tracks that follow, one by one, until the mix ends. */
  async *[Symbol.asyncIterator](): AsyncGenerator<MixedTrack, void, void> {
    for (let step = await this.next(); step; step = await this.next()) yield step
  }

  #steer(change: Partial<MixState>): void {
    this.#unsteered ??= this.#state
    this.#state = { ...this.#state, ...change, played: [...this.#state.played] }
    this.#ended = undefined
  }
}
