import { setImmediate } from './timers.ts'

/** Calls back once, when what has arrived in this turn of the event loop is handled. */
export function atTurnEnd(callback: () => void): void {
  setImmediate(callback)
}
