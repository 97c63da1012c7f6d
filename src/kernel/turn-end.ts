import { setImmediate } from './timers.ts'

/** Calls back once, after everything that arrived in this turn of the event loop is handled. */
export function atTurnEnd(callback: () => void): void {
  setImmediate(callback)
}
