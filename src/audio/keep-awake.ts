import { clearInterval, setInterval } from '../kernel/timers.ts'

/**
 * Waits for `work`, such as the compilation of WebAssembly, with something on the event loop.
 *
 * Such work holds no handle. With nothing else to do, Node 20 then leaves its loop and blocks until
 * the background is done, while the background may be waiting for this thread to collect garbage:
 * both wait for ever (seen in 1 of 12 processes that decode and do nothing else).
 */
export async function awake<T>(work: Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, 1000)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}
