import { nextTurn, performance } from './timers.ts'

/** Milliseconds of work after which other calls have their turn. */
const TURN = 5

/** When it is the others' turn; for all work together, as they wait for all of it. */
let until = 0

/**
 * Lets other calls come in between, if it is time. To be called every millisecond or two.
 *
 * @throws the signal's reason when it has aborted
 */
export async function pause(signal: AbortSignal): Promise<void> {
  if (performance.now() >= until) {
    await nextTurn()
    until = performance.now() + TURN
  }
  signal.throwIfAborted()
}

/**
 * Does to its end what can be done in steps of a millisecond or two.
 *
 * @throws the signal's reason when it aborts before the end
 */
export async function inTurns<T>(steps: Generator<void, T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    await pause(signal)
    const { done, value } = steps.next()
    if (done) return value
  }
}
