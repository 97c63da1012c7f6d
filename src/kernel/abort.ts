import { clearTimeout, performance, setTimeout } from './timers.ts'

/** Who waits for a signal, behind one listener. */
interface Heard {
  callbacks: Set<() => void>
  listener: () => void
}

const heard = new WeakMap<AbortSignal, Heard>()

/**
 * Calls back when a signal aborts, or at once if it has; returns what lets go of the signal.
 *
 * An application may give one signal to hundreds of calls at once and to thousands one after the
 * other. Node warns of more than ten listeners, and `AbortSignal.any` leaves an entry with its
 * sources for each signal that it makes; here a signal has one listener, and none when nobody waits.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback()
    return () => {}
  }
  const here = heard.get(signal) ?? listenTo(signal)
  // A function of its own, for one callback may wait twice.
  const entry = () => callback()
  here.callbacks.add(entry)
  return () => {
    here.callbacks.delete(entry)
    if (here.callbacks.size > 0 || heard.get(signal) !== here) return
    heard.delete(signal)
    signal.removeEventListener('abort', here.listener)
  }
}

function listenTo(signal: AbortSignal): Heard {
  const callbacks = new Set<() => void>()
  const listener = () => {
    heard.delete(signal)
    for (const callback of callbacks) {
      try {
        callback()
      } catch (error) {
        // It is reported as a listener's error would be, and stops no other.
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
  const here = { callbacks, listener }
  heard.set(signal, here)
  signal.addEventListener('abort', listener, { once: true })
  return here
}

/** A signal that aborts with the first of others, for as long as it is not released. */
export interface Joined {
  signal: AbortSignal
  /** Lets go of the others. */
  release(): void
}

/** Joins signals; those that are `undefined` never abort. */
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
 * Waits for a promise, but no longer than until the signal aborts. If it is rejected after that,
 * nobody is told.
 *
 * @throws the signal's reason on abort
 */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const release = onAbort(signal, () => reject(signal.reason))
    promise.then(resolve, reject).finally(release)
  })
}

/** Joins a signal with a time-out, in milliseconds; `late` makes the reason when that is over. */
export function timeLimit(
  signal: AbortSignal | undefined,
  milliseconds: number,
  late: () => unknown,
): Joined {
  // Not AbortSignal.timeout(): Node 20 may collect one that nothing but another signal holds.
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
 * Does work under a signal that also aborts after some milliseconds, with the reason that `late`
 * makes. The work has to heed that signal; see {@link unlessAborted} for what cannot.
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

/** One moment until which several things are waited for, one after the other. */
export class Deadline {
  readonly #end: number

  /** @param milliseconds - from now on */
  constructor(milliseconds: number) {
    this.#end = performance.now() + milliseconds
  }

  /** Milliseconds that are left, at least 0. */
  get left(): number {
    return Math.max(0, Math.round(this.#end - performance.now()))
  }

  /** Waits for a promise to settle, well or not; whether it did before the end. */
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
 * Milliseconds that closing takes at most, all that it waits for together: calls and jobs that go
 * on, another process's lock, threads. What has not ended by then is left to the next engine on the
 * file, which takes jobs over as after a crash.
 */
export const CLOSE_PATIENCE = 5_000
