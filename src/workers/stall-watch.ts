import { clearInterval, setInterval } from '../kernel/timers.ts'

const STALL_TICKS = 12

/** Counts ticks of its own timer, so that sleep of the machine does not count. */
export function watchStall(seconds: number, onStall: () => void) {
  let silentTicks = 0
  const countTick = () => {
    if (++silentTicks >= STALL_TICKS) onStall()
  }
  const timer = setInterval(countTick, (seconds * 1000) / STALL_TICKS).unref()
  const resetTicks = () => {
    silentTicks = 0
  }
  return { alive: resetTicks, stop: () => clearInterval(timer) }
}
