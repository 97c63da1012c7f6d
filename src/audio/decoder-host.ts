import { clearInterval, setInterval } from '../kernel/timers.ts'

/**
 * Keeps the event loop busy while `work`, such as the compilation of WebAssembly, runs.
 *
 * Such work holds no handle. Without other work, Node 20 leaves its loop and blocks until the background
 * thread is done, while that thread may be waiting for this one to collect garbage: a deadlock (seen in
 * 1 of 12 processes that decode and do nothing else).
 */
export async function keepAwake<T>(work: Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, 1000)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}

const METHODS = ['log', 'info', 'warn', 'error', 'debug'] as const

/**
 * Runs a decoder that also prints its errors to the console, which belongs to the host. The call is
 * synchronous, so nothing else can print meanwhile.
 */
export function quietly<T>(call: () => T): T {
  const kept = METHODS.map((name) => console[name])
  for (const name of METHODS) console[name] = () => {}
  try {
    return call()
  } finally {
    for (const [i, name] of METHODS.entries()) console[name] = kept[i]!
  }
}
