import type { Cover } from '../audio/cover.ts'
import type { Tags } from '../audio/tags.ts'
import { withDeadline } from '../kernel/abort.ts'
import type { Host } from '../kernel/host.ts'
import { Limiter } from '../kernel/limiter.ts'
import type { Limits } from '../options/options.ts'
import { DecodeError, messageOf } from '../values/errors.ts'
import type { Tasks } from '../workers/tasks.ts'
import { type GivenTask, SHORT_TASK_TRIES, type Workers } from '../workers/workers.ts'

/** Only ending a worker's thread stops malicious tags, which can take a minute. */
export class TagReader {
  /** One thread is enough for work of milliseconds. */
  readonly #limiter = new Limiter(1)

  constructor(
    readonly workers: Pick<Workers, 'run'>,
    readonly limits: Pick<Limits, 'tagBytes' | 'tagSeconds'>,
    readonly host: Pick<Host, 'log'>,
  ) {}

  async read(path: string, signal: AbortSignal): Promise<Tags> {
    return (await this.#runTask('tags', path, signal)) ?? { foreignIds: [] }
  }

  async cover(path: string, signal: AbortSignal): Promise<Cover | undefined> {
    return (await this.#runTask('cover', path, signal))?.cover
  }

  /**
   * Returns `undefined` and logs a warning when the file cannot be read within the limits.
   * @throws the signal's reason on abort
   */
  async #runTask<K extends 'tags' | 'cover'>(
    kind: K,
    path: string,
    signal: AbortSignal,
  ): Promise<Tasks[K]['result'] | undefined> {
    const { tagBytes, tagSeconds } = this.limits
    const timeoutError = () =>
      new DecodeError(`It takes longer than the ${tagSeconds} s of limits.tagSeconds.`)
    try {
      return await this.#limiter.run(signal, () =>
        withDeadline(signal, tagSeconds * 1000, timeoutError, (deadlineSignal) =>
          this.workers.run(kind, { path, bytes: tagBytes } as GivenTask<K>, {
            signal: deadlineSignal,
            tries: SHORT_TASK_TRIES,
          }),
        ),
      )
    } catch (error) {
      signal.throwIfAborted()
      this.host.log('warn', `The tags of ${path} are passed over: ${messageOf(error)}`, error)
      return undefined
    }
  }
}
