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
