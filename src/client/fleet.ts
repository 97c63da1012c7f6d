import type { Door, Result } from '../door.ts'

/**
 * The machines that analyse for a database, at `music.fleet`; see `fleet` and `serveFleet` in
 * `audile/fleet`.
 *
 * @example
 * ```ts
 * import { Audile } from 'audile'
 * import { fleet } from 'audile/fleet'
 *
 * const analysis = fleet({ queue: 'redis://queue.example:6379', store: '/mnt/shared/audile' })
 * await using music = await Audile.open({ database: 'music.db', analysis })
 * const { waiting, running } = await music.fleet.status()
 * ```
 */
export class Fleet {
  readonly #door: Door

  /** @internal */
  constructor(door: Door) {
    this.#door = door
  }

  /**
   * How far the fleet is: what waits, what runs, how fast, what failed.
   *
   * @throws {ParameterError} `not_ready` when the database was opened without `analysis`
   * @throws {AudileError} `not_ready` when the queue's server does not answer
   *
   * @example
   * ```ts
   * const { tracks, rate, secondsLeft } = await music.fleet.status()
   * console.log(`${tracks} to go, ${rate.toFixed(1)} a second, ${secondsLeft ?? '?'} s left`)
   * ```
   */
  status(): Promise<Result<'fleet/status'>> {
    return this.#door.call('fleet/status', {})
  }
}
