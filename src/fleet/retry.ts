import { Deadline } from '../kernel/abort.ts'
import type { LogLevel } from '../kernel/host.ts'
import { performance, sleep } from '../kernel/timers.ts'
import { invalidParameter, messageOf } from '../values/errors.ts'

/** Before the second try; each further one waits twice as long. */
const FIRST_WAIT_MILLISECONDS = 200
const MAX_WAIT_MILLISECONDS = 10_000
/** Between two warnings about the same outage. */
const WARNING_MILLISECONDS = 60_000

/** For the first try of a server. */
const FIRST_TRY_MILLISECONDS = 5_000
/** PostgreSQL: no such database, wrong password, no such user, no right. System: no permission. */
const PERMANENT_CODES = new Set(['3D000', '28P01', '28000', '42501', 'EACCES', 'EPERM', 'EROFS'])
/** Redis, and PostgreSQL without a password that it wants. */
const PERMANENT_MESSAGES = /^(NOAUTH|WRONGPASS|NOPERM|ERR (invalid password|AUTH|DB index)|SASL)/
/** HTTP: another region, a wrong request, wrong keys, no right, no such bucket. */
const PERMANENT_STATUSES = new Set<unknown>([301, 400, 401, 403, 404])

/** Repeating the call cannot fix it. */
export class FinalError extends Error {
  readonly isRefusal: boolean = false
}

export type Server = 'queue' | 'store'

/**
 * Until they succeed: an outage fails no job. Jitter keeps a fleet from coming back all at once.
 */
export class Retries {
  readonly refused: Record<Server, number> = { queue: 0, store: 0 }
  /** Whose last call failed. */
  readonly failing = new Set<Server>()
  readonly #log: (level: LogLevel, message: string, detail?: unknown) => void
  #connectionError: unknown
  readonly #warned: Record<Server, number> = {
    queue: -WARNING_MILLISECONDS,
    store: -WARNING_MILLISECONDS,
  }

  constructor(log: (level: LogLevel, message: string, detail?: unknown) => void) {
    this.#log = log
  }

  /** Calls may wait forever for a refused connection. */
  readonly heard = (error: unknown): void => {
    this.#connectionError = error
    this.#log('debug', 'The queue reports an error.', error)
  }

  /**
   * A server that is away only causes a warning; later calls try it again.
   * @throws {ParameterError} on an error that repetition cannot fix: no such database, a wrong key
   */
  async tryFirst(server: Server, work: () => Promise<unknown>): Promise<void> {
    let failure: unknown
    const attempt = work().catch((error) => {
      failure = error
    })
    const isSettled = await new Deadline(FIRST_TRY_MILLISECONDS).settled(attempt)
    if (!isSettled)
      failure =
        this.#connectionError ?? new Error(`no answer within ${FIRST_TRY_MILLISECONDS / 1000} s`)
    if (isPermanent(failure)) throw invalidParameter(server, messageOf(failure), { cause: failure })
    if (failure !== undefined) this.#warnOnce(server, failure)
  }

  /** @throws {FinalError} when `work` throws one; the signal's reason on abort */
  async callUntilDone<T>(server: Server, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    for (let wait = FIRST_WAIT_MILLISECONDS; ; wait = Math.min(2 * wait, MAX_WAIT_MILLISECONDS)) {
      signal.throwIfAborted()
      try {
        const result = await work()
        this.failing.delete(server)
        return result
      } catch (error) {
        signal.throwIfAborted()
        const isFinal = error instanceof FinalError
        if (!isFinal || error.isRefusal) {
          this.refused[server]++
          this.failing.add(server)
          this.#warnOnce(server, error)
        }
        if (isFinal) throw error
      }
      await pauseUnrefed(wait * (0.5 + Math.random()), signal)
    }
  }

  #warnOnce(server: Server, error: unknown): void {
    const now = performance.now()
    if (now - this.#warned[server] < WARNING_MILLISECONDS) return
    this.#warned[server] = now
    const message = `The fleet's ${server} does not answer (${messageOf(error)}); it is tried again.`
    this.#log('warn', message, error)
  }
}

/** A `TypeError` with a cause comes from `fetch`: the server is away. */
function isPermanent(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, status } = error as { code?: string; status?: number }
  if (PERMANENT_CODES.has(code ?? '') || PERMANENT_STATUSES.has(status)) return true
  return PERMANENT_MESSAGES.test(error.message) || (error instanceof TypeError && !error.cause)
}

/**
 * Without keeping the process alive.
 * @throws the signal's reason on abort
 */
export async function pauseUnrefed(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal, ref: false })
  } catch {
    signal.throwIfAborted()
  }
}
