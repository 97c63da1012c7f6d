import { clearInterval, setInterval } from '../kernel/timers.ts'

/**
 * Keeps the event loop busy: without other work, Node 20 may deadlock while WebAssembly compiles.
 */
export async function keepAwake<T>(work: Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, 1000)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}

const CONSOLE_METHODS = ['log', 'info', 'warn', 'error', 'debug'] as const

/** Keeps a decoder's errors off the console, which belongs to the host. */
export function withoutConsole<T>(call: () => T): T {
  const methods = CONSOLE_METHODS.map((name) => console[name])
  for (const name of CONSOLE_METHODS) console[name] = () => {}
  try {
    return call()
  } finally {
    for (const [i, name] of CONSOLE_METHODS.entries()) console[name] = methods[i]!
  }
}
