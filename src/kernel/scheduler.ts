import { unlessAborted } from './abort.ts'
import { nextTurn, performance } from './timers.ts'

/** Milliseconds of work between two turns of the event loop. */
const BUDGET = 8

// Shared by all work of a thread, also by two engines in it.
let spentAt = 0
let jobIsNext = false
let looking = false
const calls: (() => void)[] = []
const jobs: (() => void)[] = []

/** Whether other work should have its turn now. A job then ends its step and its transaction. */
export function isBudgetSpent(): boolean {
  return performance.now() >= spentAt
}

/**
 * Lets other work run if the budget is spent. A call does this every few milliseconds.
 *
 * @throws the signal's reason when it has aborted
 */
export async function pause(signal?: AbortSignal): Promise<void> {
  if (isBudgetSpent()) await turnIn(calls)
  signal?.throwIfAborted()
}

/**
 * Lets other work run between two parts of a call that may each spend the budget.
 *
 * @throws the signal's reason when it has aborted
 */
export async function callTurn(signal: AbortSignal): Promise<void> {
  await turnIn(calls)
  signal.throwIfAborted()
}

/**
 * Lets other work run between two steps of a job. Calls go first, and at most one job takes a step
 * in each turn of the event loop.
 *
 * @throws the signal's reason when it has aborted
 */
export async function jobTurn(signal?: AbortSignal): Promise<void> {
  await turnIn(jobs)
  signal?.throwIfAborted()
}

/** A computation in steps. Other work can run between two steps; a yielded promise is awaited. */
export type Steps<T> = Generator<Promise<unknown> | undefined, T>

/**
 * Runs a computation in steps, each of a millisecond or two.
 *
 * @throws the signal's reason when it aborts before the end, and rejections of yielded promises
 */
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

/** Runs a computation in steps to its end, without pauses; yielded promises are not awaited. */
export function atOnce<T>(steps: Steps<T> | Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Runs computations side by side: while one waits, the next one starts or continues. */
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

function turnIn(line: (() => void)[]): Promise<void> {
  return new Promise((resolve) => {
    line.push(resolve)
    if (!looking) void serve()
  })
}

/** Lets one waiter continue in each turn of the event loop, until none is left. */
async function serve(): Promise<void> {
  looking = true
  while (calls.length + jobs.length > 0) {
    await nextTurn()
    // Jobs get at least every second turn, so that calls cannot starve them.
    const [first, second] = jobIsNext ? [jobs, calls] : [calls, jobs]
    const line = first.length > 0 ? first : second
    jobIsNext = line === calls
    spentAt = performance.now() + BUDGET
    line.shift()?.()
  }
  looking = false
}
