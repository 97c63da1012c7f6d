import type { Door, Result } from '../host/door.ts'

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
   * The state of the fleet: waiting and running work, its rate, and failures.
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

  /**
   * The figures of {@link status} in the text format 0.0.4 of Prometheus, for a route of the
   * application's server.
   *
   * @throws as {@link status}
   *
   * @example
   * ```ts
   * import { createServer } from 'node:http'
   * createServer(async (_, response) => {
   *   response.setHeader('content-type', 'text/plain; version=0.0.4')
   *   response.end(await music.fleet.metrics())
   * }).listen(9464)
   * ```
   */
  async metrics(): Promise<string> {
    return (await this.#door.call('fleet/metrics', {})).text
  }
}
