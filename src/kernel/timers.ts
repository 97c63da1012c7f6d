import { performance as clock } from 'node:perf_hooks'
import * as timers from 'node:timers'
import * as promises from 'node:timers/promises'

// The timers of the platform, as they were when this file was loaded. Tests of applications may
// replace the global timers by fake ones that stand still, and audile would wait forever.
export const { setTimeout, setInterval, setImmediate } = timers
export const { clearTimeout, clearInterval } = timers

/** Waits some milliseconds. */
export const sleep = promises.setTimeout

/** Waits for the next turn of the event loop. */
export const nextTurn: () => Promise<void> = promises.setImmediate

const now = clock.now.bind(clock)

/** A clock that never goes back. */
export const performance = { now }
