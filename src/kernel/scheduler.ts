import { nextTurn, performance } from './timers.ts'

/** Milliseconds of work between two looks of the event loop at what has come. */
const BUDGET = 8

// All work of a thread shares what follows, that of two engines too: they wait for each other.
let spentAt = 0
let jobIsNext = false
let looking = false
const calls: (() => void)[] = []
const jobs: (() => void)[] = []

/** Whether it is time to let others in; a step of a job ends then, with its transaction. */
export function isBudgetSpent(): boolean {
  return performance.now() >= spentAt
}

/**
 * Lets other calls in, if the budget is spent. A call does this every millisecond or two.
 *
 * @throws the signal's reason when it has aborted
 */
export async function pause(signal?: AbortSignal): Promise<void> {
  if (isBudgetSpent()) await turnIn(calls)
  signal?.throwIfAborted()
}

/**
 * Lets other calls in, between two parts of a call of which each may spend the budget.
 *
 * @throws the signal's reason when it has aborted
 */
export async function callTurn(signal: AbortSignal): Promise<void> {
  await turnIn(calls)
  signal.throwIfAborted()
}

/**
 * Lets calls in, between two steps of a job. Calls go first, and one job takes one step between two
 * looks at what has come.
 *
 * @throws the signal's reason when it has aborted
 */
export async function jobTurn(signal?: AbortSignal): Promise<void> {
  await turnIn(jobs)
  signal?.throwIfAborted()
}

/**
 * Runs a computation whose steps take a millisecond or two to its end.
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

function turnIn(line: (() => void)[]): Promise<void> {
  return new Promise((resolve) => {
    line.push(resolve)
    if (!looking) void serve()
  })
}

/** Gives one turn after each look at what has come, until nobody waits. */
async function serve(): Promise<void> {
  looking = true
  while (calls.length + jobs.length > 0) {
    await nextTurn()
    // A job has every second turn at least, so that calls cannot keep it from its end.
    const [first, second] = jobIsNext ? [jobs, calls] : [calls, jobs]
    const line = first.length > 0 ? first : second
    jobIsNext = line === calls
    spentAt = performance.now() + BUDGET
    line.shift()?.()
  }
  looking = false
}
