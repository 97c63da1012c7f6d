import { clearTimeout, performance, setTimeout } from './timers.ts'

interface SignalCallbacks {
  callbacks: Set<() => void>
  listener: () => void
}

const callbacksOfSignals = new WeakMap<AbortSignal, SignalCallbacks>()

/**
 * One listener for each signal: Node warns of more than ten, and `AbortSignal.any` leaks its
 * sources.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback()
    return () => {}
  }
  const entries = callbacksOfSignals.get(signal) ?? listenTo(signal)
  // The same callback may be added twice.
  const entry = () => callback()
  entries.callbacks.add(entry)
  return () => {
    entries.callbacks.delete(entry)
    if (entries.callbacks.size > 0 || callbacksOfSignals.get(signal) !== entries) return
    callbacksOfSignals.delete(signal)
    signal.removeEventListener('abort', entries.listener)
  }
}

function listenTo(signal: AbortSignal): SignalCallbacks {
  const callbacks = new Set<() => void>()
  const listener = () => {
    callbacksOfSignals.delete(signal)
    for (const callback of callbacks) {
      try {
        callback()
      } catch (error) {
        // Reported like an error of a listener.
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
  const entries = { callbacks, listener }
  callbacksOfSignals.set(signal, entries)
  signal.addEventListener('abort', listener, { once: true })
  return entries
}

/** A signal that aborts when the first of several signals aborts, until it is released. */
export interface JoinedSignal {
  signal: AbortSignal
  release(): void
}

/** `undefined` never aborts. */
export function joinSignals(...signals: (AbortSignal | undefined)[]): JoinedSignal {
  const controller = new AbortController()
  const releases: (() => void)[] = []
  for (const signal of signals) {
    if (signal) releases.push(onAbort(signal, () => controller.abort(signal.reason)))
  }
  return {
    signal: controller.signal,
    release: () => {
      for (const release of releases) release()
    },
  }
}

/**
 * A later rejection is ignored; `patienceMilliseconds` are waited after the abort.
 *
 * @throws the signal's reason on abort
 */
export function unlessAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
  patienceMilliseconds = 0,
): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    const release = onAbort(signal, () => {
      if (patienceMilliseconds === 0) reject(signal.reason)
      else timer = setTimeout(() => reject(signal.reason), patienceMilliseconds)
    })
    promise.then(resolve, reject).finally(() => {
      clearTimeout(timer)
      release()
    })
  })
}

/** `timeoutReason` makes the reason of the timeout. */
export function timeLimit(
  signal: AbortSignal | undefined,
  milliseconds: number,
  timeoutReason: () => unknown,
): JoinedSignal {
  // Node 20 may collect the signal of AbortSignal.timeout() too early.
  const timeUp = new AbortController()
  const timer = setTimeout(() => timeUp.abort(timeoutReason()), milliseconds)
  const joinedSignal = joinSignals(signal, timeUp.signal)
  return {
    signal: joinedSignal.signal,
    release: () => {
      clearTimeout(timer)
      joinedSignal.release()
    },
  }
}

/** The work must obey the signal; otherwise use {@link unlessAborted}. */
export async function withDeadline<T>(
  signal: AbortSignal | undefined,
  milliseconds: number,
  timeoutReason: () => unknown,
  work: (until: AbortSignal) => Promise<T>,
): Promise<T> {
  const until = timeLimit(signal, milliseconds, timeoutReason)
  try {
    return await work(until.signal)
  } finally {
    until.release()
  }
}

export class Deadline {
  readonly #end: number

  constructor(milliseconds: number) {
    this.#end = performance.now() + milliseconds
  }

  /** Milliseconds that remain, at least 0. */
  get left(): number {
    return Math.max(0, Math.round(this.#end - performance.now()))
  }

  /** Waits for a promise to resolve or reject; returns whether it did in time. */
  async settled(promise: Promise<unknown>): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const whenLate = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, this.left, false)
    })
    const whenSettled = promise.then(
      () => true,
      () => true,
    )
    return Promise.race([whenSettled, whenLate]).finally(() => clearTimeout(timer))
  }
}

/** Of closing in all. The next engine on the file takes over what has not ended. */
export const CLOSE_PATIENCE = 5_000
