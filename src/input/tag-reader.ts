import type { Tags } from '../audio/tags.ts'
import { DecodeError } from '../errors.ts'
import { withDeadline } from '../kernel/abort.ts'
import type { Host } from '../kernel/host.ts'
import { Gate } from '../kernel/limiter.ts'
import type { Limits } from '../options.ts'
import { TRIES } from '../workers/pool.ts'
import type { Workers } from '../workers/workers.ts'

/** What a {@link TagReader} stands on. */
export interface TagReaderOptions {
  workers: Pick<Workers, 'run'>
  limits: Pick<Limits, 'tagBytes' | 'tagSeconds'>
  host: Pick<Host, 'log'>
}

/**
 * Reads tags in a worker: half a megabyte of them can be made to take a minute, and nothing but the
 * end of its thread stops that.
 */
export class TagReader {
  readonly #options: TagReaderOptions
  /** One thread is enough for what takes milliseconds. */
  readonly #gate = new Gate(1)

  constructor(options: TagReaderOptions) {
    this.#options = options
  }

  /**
   * The tags of a file; none where they cannot be read within the limits, which is logged.
   *
   * @throws the signal's reason on abort
   */
  async read(path: string, signal: AbortSignal): Promise<Tags> {
    const { workers, limits, host } = this.#options
    const late = () =>
      new DecodeError(`It takes longer than the ${limits.tagSeconds} s of limits.tagSeconds.`)
    try {
      return await this.#gate.pass(signal, () =>
        withDeadline(signal, limits.tagSeconds * 1000, late, (until) =>
          workers.run('tags', { path, bytes: limits.tagBytes }, { signal: until, tries: TRIES }),
        ),
      )
    } catch (error) {
      signal.throwIfAborted()
      const why = error instanceof Error ? error.message : String(error)
      host.log('warn', `The tags of ${path} are passed over: ${why}`, error)
      return { foreignIds: [] }
    }
  }
}
