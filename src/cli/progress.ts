import { clearInterval, setInterval } from 'node:timers'
import type { WriteStream } from 'node:tty'

import { clock, cutTo, visible } from './format.ts'

const BAR = 20
const CLEAR_LINE = '\r\x1b[K'
/**
 * Seconds from which the remaining time is estimated. Earlier ones do not count, because a resumed
 * run skips known files at once.
 */
const WINDOW = 60

/** The progress line of a terminal: the share done, the time left, and the current file. */
export class Progress {
  readonly #terminal: WriteStream | undefined
  readonly #timer: NodeJS.Timeout
  readonly #underWay = new Map<string, number>()
  readonly #shares: number[] = []
  #text = ''
  #total = 0
  #done = 0

  /** @param terminal - without it, nothing is shown */
  constructor(terminal: WriteStream | undefined) {
    this.#terminal = terminal
    this.#timer = setInterval(() => this.#tick(), 1000)
    this.#timer.unref()
  }

  /** Shows a text after the bar: the current file or step. */
  say(text: string): void {
    this.#text = visible(text)
    this.#draw()
  }

  begin(total: number): void {
    this.#total = total
  }

  count(): void {
    this.#done++
    this.#draw()
  }

  /** Sets the progress of a track's analysis, 0…1; `undefined` when it has ended. */
  track(id: string, progress: number | undefined): void {
    if (progress === undefined) this.#underWay.delete(id)
    else this.#underWay.set(id, progress)
  }

  /** Clears the line, so that other text can be printed. The next update shows it again. */
  clear(): void {
    this.#terminal?.write(CLEAR_LINE)
  }

  stop(): void {
    clearInterval(this.#timer)
    this.clear()
  }

  #tick(): void {
    if (this.#total > 0) this.#shares.push(this.#share())
    if (this.#shares.length > WINDOW) this.#shares.shift()
    this.#draw()
  }

  #share(): number {
    const parts = [...this.#underWay.values()].reduce((sum, part) => sum + part, 0)
    return Math.min(1, (this.#done + parts) / this.#total)
  }

  #draw(): void {
    if (!this.#terminal) return
    // `columns` is 0 while the terminal has no size yet.
    const columns = this.#terminal.columns || 80
    this.#terminal.write(`${CLEAR_LINE}${cutTo(this.#line(), columns - 1)}`)
  }

  #line(): string {
    if (this.#total === 0) return this.#text
    const bar = '█'.repeat(Math.round(this.#share() * BAR)).padEnd(BAR, '░')
    const left = Math.round(secondsLeft(this.#shares) ?? 0)
    const time = left > 0 ? `  ${clock(left)} left` : ''
    return `${bar}  ${this.#done}/${this.#total}${time}  ${this.#text}`
  }
}

/** Estimates the seconds left. @param shares - the share done, 0…1, at each of the last seconds */
export function secondsLeft(shares: readonly number[]): number | undefined {
  const gained = (shares.at(-1) ?? 0) - (shares[0] ?? 0)
  // The first seconds are not representative.
  if (shares.length < 5 || gained <= 0) return undefined
  return ((1 - (shares.at(-1) as number)) * (shares.length - 1)) / gained
}
