import { asDatabaseError, ClosedError, KeyError } from '../errors.ts'
import { CLOSE_PATIENCE, Deadline, joined, onAbort, unlessAborted } from '../kernel/abort.ts'
import type { Call, Caller } from '../kernel/method.ts'
import { clearInterval, clearTimeout, setInterval, setTimeout } from '../kernel/timers.ts'
import type { KeyStore } from '../key/store.ts'
import { parse } from '../validate.ts'
import type { EngineHandle } from './handle.ts'
import { type AnyMethod, methodOf, roomOf } from './methods.ts'
import type { Rooms } from './rooms.ts'

const LONG = 2 ** 30
/** What a call may take after its abort to leave nothing behind, before its caller is told, in milliseconds. */
const TIDYING = 1_000

/** An engine that can also end by itself. */
export interface Engine extends EngineHandle {
  /** Ends it because it cannot go on; its calls are rejected with the reason. */
  fault(reason: Error): void
}

/** How what is below the calls is ended. */
interface Ending {
  hurry(): void
  shut(deadline: Deadline): Promise<void>
}

/** Answers the calls of an engine until it ends. */
export function serve(rooms: Rooms, { hurry, shut }: Ending): Engine {
  const closing = new AbortController()
  const active = new Set<Promise<unknown>>()
  let closed: Promise<void> | undefined
  // Waiting calls keep the process alive; the timers of the job loop do not.
  let hold: NodeJS.Timeout | undefined

  async function call(
    name: string,
    params: unknown,
    { apiKey, signal }: { apiKey: string; signal: AbortSignal | undefined },
  ): Promise<unknown> {
    closing.signal.throwIfAborted()
    signal?.throwIfAborted()
    const caller = admit(rooms.key.store, apiKey)
    const method = methodOf(name)
    const parsed = parse(method.parameters, params)
    const until = joined(signal, closing.signal)
    const running = answer(method, parsed, { caller, signal: until.signal })
    active.add(running)
    hold ??= setInterval(() => {}, LONG)
    const end = () => {
      until.release()
      active.delete(running)
      if (active.size > 0) return
      clearInterval(hold)
      hold = undefined
    }
    running.then(end, end)
    // What does not heed the signal ends when it can; nobody waits for it.
    const late = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const release = onAbort(until.signal, () => {
      timer = setTimeout(() => late.abort(until.signal.reason), TIDYING)
    })
    try {
      return await unlessAborted(running, late.signal)
    } finally {
      release()
      clearTimeout(timer)
    }
  }

  async function answer(method: AnyMethod, params: unknown, call: Call): Promise<unknown> {
    try {
      return await method.run(roomOf(rooms, method), params, call)
    } catch (error) {
      throw asDatabaseError(error)
    }
  }

  async function end(reason: Error, patience: number): Promise<void> {
    const deadline = new Deadline(patience)
    closing.abort(reason)
    hurry()
    await deadline.settled(Promise.allSettled(active))
    clearInterval(hold)
    await shut(deadline)
  }

  return {
    call,
    ended: closing.signal,
    close: (patience = CLOSE_PATIENCE) => {
      closed ??= end(new ClosedError(), patience)
      return closed
    },
    fault: (reason) => {
      closed ??= end(reason, CLOSE_PATIENCE)
      closed.catch(() => {})
    },
  }
}

function admit(keys: KeyStore, apiKey: string): Caller {
  const key = keys.find(apiKey)
  if (!key || key.revokedAt !== null) {
    throw new KeyError(
      'invalid_key',
      `api_key - Invalid key: "${apiKey}" is not a valid, active api key`,
    )
  }
  return { id: key.id, commercial: key.commercial === 1 }
}
