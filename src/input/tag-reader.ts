import type { Tags } from '../audio/tags.ts'
import { DecodeError } from '../errors.ts'
import type { Host } from '../kernel/host.ts'
import { Gate } from '../kernel/limiter.ts'
import { clearTimeout, setTimeout } from '../kernel/timers.ts'
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
    try {
      return await this.#gate.pass(signal, () =>
        inTime(limits.tagSeconds, signal, (until) =>
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

async function inTime<T>(
  seconds: number,
  signal: AbortSignal,
  work: (until: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController()
  const onAbort = () => deadline.abort(signal.reason)
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  const late = new DecodeError(`It takes longer than the ${seconds} s of limits.tagSeconds.`)
  const timer = setTimeout(() => deadline.abort(late), seconds * 1000)
  try {
    return await work(deadline.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
