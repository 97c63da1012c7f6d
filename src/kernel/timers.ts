import { performance as clock } from 'node:perf_hooks'
import * as timers from 'node:timers'
import * as promises from 'node:timers/promises'

// The timers of the platform, as they were when this file was loaded. Tests of applications replace
// the global ones, and then time stands still until they move it: work that gives others their turn,
// or waits for a moment, would never go on.
export const { setTimeout, setInterval, setImmediate } = timers
export const { clearTimeout, clearInterval } = timers

/** Waits so many milliseconds. */
export const sleep = promises.setTimeout

/** Waits until the event loop has looked at what has come. */
export const nextTurn: () => Promise<void> = promises.setImmediate

const now = clock.now.bind(clock)

/** The clock that only goes forward. */
export const performance = { now }
