import { clearInterval, setInterval } from '../kernel/timers.ts'

/** Timer ticks within the time after which work counts as stuck. */
const TICKS = 12

/**
 * Notices work that reports nothing for too long. It counts ticks of its own timer, so that time in
 * which the process was stopped or the machine slept does not count.
 */
export function stallWatch(seconds: number, onStall: () => void) {
  let silentTicks = 0
  const tick = () => {
    if (++silentTicks >= TICKS) onStall()
  }
  const timer = setInterval(tick, (seconds * 1000) / TICKS).unref()
  const alive = () => {
    silentTicks = 0
  }
  return { alive, stop: () => clearInterval(timer) }
}
