import { performance as clock } from 'node:perf_hooks'
import * as timers from 'node:timers'
import * as promises from 'node:timers/promises'

// As loaded: tests may replace the global timers by fake ones that stand still.
export const { setTimeout, setInterval, clearTimeout, clearInterval } = timers
const { setImmediate } = timers

export const sleep = promises.setTimeout

export const nextTurn: () => Promise<void> = promises.setImmediate

/** Calls back once, after everything that arrived in this turn of the event loop is handled. */
export const atTurnEnd = (callback: () => void): void => void setImmediate(callback)

const now = clock.now.bind(clock)

/** A clock that never goes back. */
export const performance = { now }
