import { unlessAborted } from './abort.ts'
import { nextTurn, performance } from './timers.ts'

const TURN_MILLISECONDS = 8

// Shared by all work of a thread, also by two engines in it.
let budgetEnd = 0
let jobIsNext = false
let isServing = false
const waitingCalls: (() => void)[] = []
const waitingJobs: (() => void)[] = []

/** A job then ends its step and its transaction. */
export function isBudgetSpent(): boolean {
  return performance.now() >= budgetEnd
}

/** @throws the signal's reason when it has aborted */
export async function pause(signal?: AbortSignal): Promise<void> {
  if (isBudgetSpent()) await waitForTurn(waitingCalls)
  signal?.throwIfAborted()
}

/**
 * Between two parts of a call that may each spend the budget.
 *
 * @throws the signal's reason when it has aborted
 */
export async function callTurn(signal: AbortSignal): Promise<void> {
  await waitForTurn(waitingCalls)
  signal.throwIfAborted()
}

/**
 * Calls go first, and at most one job takes a step in each turn.
 *
 * @throws the signal's reason when it has aborted
 */
export async function jobTurn(signal?: AbortSignal): Promise<void> {
  await waitForTurn(waitingJobs)
  signal?.throwIfAborted()
}

/** Other work can run between two steps; a yielded promise is awaited. */
export type Steps<T> = Generator<Promise<unknown> | undefined, T>

/** @throws the signal's reason when it aborts before the end, and rejections of yielded promises */
export async function inTurns<T>(
  steps: Steps<T> | Generator<void, T>,
  signal: AbortSignal,
): Promise<T> {
  for (;;) {
    await pause(signal)
    const { done, value } = steps.next()
    if (done) return value
    if (value) await unlessAborted(value, signal)
  }
}

/** Without pauses; yielded promises are not awaited. */
export function atOnce<T>(steps: Steps<T> | Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** While one computation waits, the next one starts or continues. */
export function* sideBySide<T>(computations: readonly Steps<T>[]): Steps<T[]> {
  const results: T[] = []
  let unfinished = [...computations.entries()]
  while (unfinished.length > 0) {
    const waits: Promise<unknown>[] = []
    const waiting: typeof unfinished = []
    for (const [i, steps] of unfinished) {
      let step = steps.next()
      for (; !step.done && step.value === undefined; step = steps.next()) yield
      if (step.done) {
        results[i] = step.value
        continue
      }
      waits.push(step.value!)
      waiting.push([i, steps])
    }
    if (waits.length > 0) yield Promise.all(waits)
    unfinished = waiting
  }
  return results
}

function waitForTurn(line: (() => void)[]): Promise<void> {
  return new Promise((resolve) => {
    line.push(resolve)
    if (!isServing) void serveWaiters()
  })
}

/** One waiter continues in each turn of the event loop. */
async function serveWaiters(): Promise<void> {
  isServing = true
  while (waitingCalls.length + waitingJobs.length > 0) {
    await nextTurn()
    // Jobs get at least every second turn, so that calls cannot starve them.
    const [first, second] = jobIsNext ? [waitingJobs, waitingCalls] : [waitingCalls, waitingJobs]
    const line = first.length > 0 ? first : second
    jobIsNext = line === waitingCalls
    budgetEnd = performance.now() + TURN_MILLISECONDS
    line.shift()?.()
  }
  isServing = false
}
