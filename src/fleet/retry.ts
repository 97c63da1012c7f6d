import { Deadline } from '../kernel/abort.ts'
import type { LogLevel } from '../kernel/host.ts'
import { performance, sleep } from '../kernel/timers.ts'
import { invalidParameter, messageOf } from '../values/errors.ts'

/** Milliseconds before the second try; each further one waits twice as long. */
const FIRST_WAIT = 200
const LONGEST_WAIT = 10_000
/** Milliseconds between two warnings about the same outage. */
const WARN_AGAIN = 60_000

/** Milliseconds that the first try of a server takes at most. */
const FIRST_PATIENCE = 5_000
/** PostgreSQL: no such database, wrong password, no such user, no right. System: no permission. */
const PERMANENT = new Set(['3D000', '28P01', '28000', '42501', 'EACCES', 'EPERM', 'EROFS'])
/** Redis, and PostgreSQL without a password that it wants. */
const PERMANENT_MESSAGE = /^(NOAUTH|WRONGPASS|NOPERM|ERR (invalid password|AUTH|DB index)|SASL)/
/** HTTP: another region, a wrong request, wrong keys, no right, no such bucket. */
const PERMANENT_STATUS = new Set<unknown>([301, 400, 401, 403, 404])

/** An error that repeating the call cannot fix. */
export class Final extends Error {
  /** Whether the server refused it. */
  readonly isRefusal: boolean = false
}

export type Server = 'queue' | 'store'

/**
 * Repeats calls to servers until they succeed: a server that restarts, or refuses for a while, fails
 * no job. Waits grow, with jitter so that a fleet does not come back all at once.
 */
export class Retries {
  readonly refused: Record<Server, number> = { queue: 0, store: 0 }
  /** Servers whose last call failed. */
  readonly failing = new Set<Server>()
  readonly #log: (level: LogLevel, message: string, detail?: unknown) => void
  #heard: unknown
  readonly #warned: Record<Server, number> = { queue: -WARN_AGAIN, store: -WARN_AGAIN }

  constructor(log: (level: LogLevel, message: string, detail?: unknown) => void) {
    this.#log = log
  }

  /** Notes a connection error of the queue. Calls may wait forever for a refused connection. */
  readonly heard = (error: unknown): void => {
    this.#heard = error
    this.#log('debug', 'The queue reports an error.', error)
  }

  /**
   * Tries a server once. A server that is away only causes a warning; later calls try it again.
   *
   * @throws {ParameterError} on an error that repetition cannot fix: no such database, a wrong key
   */
  async first(server: Server, work: () => Promise<unknown>): Promise<void> {
    let failure: unknown
    const tried = work().catch((error) => {
      failure = error
    })
    const isIn = await new Deadline(FIRST_PATIENCE).settled(tried)
    if (!isIn) failure = this.#heard ?? new Error(`no answer within ${FIRST_PATIENCE / 1000} s`)
    if (isPermanent(failure)) throw invalidParameter(server, messageOf(failure), { cause: failure })
    if (failure !== undefined) this.#warn(server, failure)
  }

  /**
   * @param signal - ends the repetition
   * @throws {Final} when `work` throws one; the signal's reason on abort
   */
  async call<T>(server: Server, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    for (let wait = FIRST_WAIT; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
      signal.throwIfAborted()
      try {
        const result = await work()
        this.failing.delete(server)
        return result
      } catch (error) {
        signal.throwIfAborted()
        const isFinal = error instanceof Final
        if (!isFinal || error.isRefusal) {
          this.refused[server]++
          this.failing.add(server)
          this.#warn(server, error)
        }
        if (isFinal) throw error
      }
      await pausing(wait * (0.5 + Math.random()), signal)
    }
  }

  #warn(server: Server, error: unknown): void {
    const now = performance.now()
    if (now - this.#warned[server] < WARN_AGAIN) return
    this.#warned[server] = now
    const what = `The fleet's ${server} does not answer (${messageOf(error)}); it is tried again.`
    this.#log('warn', what, error)
  }
}

/** A `TypeError` with a cause comes from `fetch`, and means that the server is away. */
function isPermanent(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, status } = error as { code?: string; status?: number }
  if (PERMANENT.has(code ?? '') || PERMANENT_STATUS.has(status)) return true
  return PERMANENT_MESSAGE.test(error.message) || (error instanceof TypeError && !error.cause)
}

/**
 * Waits without keeping the process alive.
 *
 * @throws the signal's reason on abort
 */
export async function pausing(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal, ref: false })
  } catch {
    signal.throwIfAborted()
  }
}
