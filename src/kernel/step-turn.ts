import { nextTurn } from './timers.ts'

let last: Promise<void> = Promise.resolve()

/**
 * Waits for one's turn: calls come before it, and of several jobs that work in steps only one takes
 * its step between two looks at what has come.
 *
 * @throws the signal's reason when the work is to stop
 */
export async function breathe(signal: AbortSignal): Promise<void> {
  const mine = last.then(() => nextTurn())
  last = mine
  await mine
  signal.throwIfAborted()
}
