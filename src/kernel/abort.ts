import { clearTimeout, performance, setTimeout } from './timers.ts'

/** The callbacks of a signal, behind one listener. */
interface Listening {
  callbacks: Set<() => void>
  listener: () => void
}

const listening = new WeakMap<AbortSignal, Listening>()

/**
 * Calls back when a signal aborts, or at once if it has aborted. Returns a function that removes the
 * callback.
 *
 * An application may give one signal to hundreds of calls at once and to thousands one after the
 * other. Node warns of more than ten listeners, and `AbortSignal.any` leaks an entry in its sources for
 * each signal that it makes. Here each signal gets one listener, and none without callbacks.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback()
    return () => {}
  }
  const here = listening.get(signal) ?? listenTo(signal)
  // A new function, because the same callback may be added twice.
  const entry = () => callback()
  here.callbacks.add(entry)
  return () => {
    here.callbacks.delete(entry)
    if (here.callbacks.size > 0 || listening.get(signal) !== here) return
    listening.delete(signal)
    signal.removeEventListener('abort', here.listener)
  }
}

function listenTo(signal: AbortSignal): Listening {
  const callbacks = new Set<() => void>()
  const listener = () => {
    listening.delete(signal)
    for (const callback of callbacks) {
      try {
        callback()
      } catch (error) {
        // Reported like an error of a listener; the other callbacks are still called.
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
  const here = { callbacks, listener }
  listening.set(signal, here)
  signal.addEventListener('abort', listener, { once: true })
  return here
}

/** A signal that aborts when the first of several signals aborts, until it is released. */
export interface Joined {
  signal: AbortSignal
  release(): void
}

/** Joins signals; `undefined` never aborts. */
export function joined(...signals: (AbortSignal | undefined)[]): Joined {
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
 * Waits for a promise, but not after the signal aborts. A later rejection is ignored.
 *
 * @param patience - milliseconds that it still waits after the abort. Default 0
 * @throws the signal's reason on abort
 */
export function unlessAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
  patience = 0,
): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    const release = onAbort(signal, () => {
      if (patience === 0) reject(signal.reason)
      else timer = setTimeout(() => reject(signal.reason), patience)
    })
    promise.then(resolve, reject).finally(() => {
      clearTimeout(timer)
      release()
    })
  })
}

/** Joins a signal with a timeout in milliseconds. `late` returns the reason of the timeout. */
export function timeLimit(
  signal: AbortSignal | undefined,
  milliseconds: number,
  late: () => unknown,
): Joined {
  // Node 20 may collect the signal of AbortSignal.timeout() when only another signal refers to it.
  const timeUp = new AbortController()
  const timer = setTimeout(() => timeUp.abort(late()), milliseconds)
  const both = joined(signal, timeUp.signal)
  return {
    signal: both.signal,
    release: () => {
      clearTimeout(timer)
      both.release()
    },
  }
}

/**
 * Runs work with a signal that also aborts after some milliseconds; `late` returns the reason. The
 * work must obey the signal. For work that cannot, use {@link unlessAborted}.
 */
export async function withDeadline<T>(
  signal: AbortSignal | undefined,
  milliseconds: number,
  late: () => unknown,
  work: (until: AbortSignal) => Promise<T>,
): Promise<T> {
  const until = timeLimit(signal, milliseconds, late)
  try {
    return await work(until.signal)
  } finally {
    until.release()
  }
}

/** One point in time that several waits share. */
export class Deadline {
  readonly #end: number

  /** @param milliseconds - from now on */
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
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, this.left, false)
    })
    const done = promise.then(
      () => true,
      () => true,
    )
    return Promise.race([done, late]).finally(() => clearTimeout(timer))
  }
}

/**
 * The most milliseconds that closing takes, including all waits: for calls, jobs, threads, and
 * locks of other processes. The next engine on the file takes over jobs that have not ended by
 * then, as after a crash.
 */
export const CLOSE_PATIENCE = 5_000
