import { clearInterval, setInterval } from 'node:timers'
import type { WriteStream } from 'node:tty'

import { cutToWidth, formatClock, visibleText } from './format.ts'

const BAR_WIDTH = 20
const CLEAR_LINE = '\r\x1b[K'
/** The time left is estimated from these alone, because a resumed run skips known files at once. */
const ESTIMATE_SECONDS = 60

/** The share done, the time left, and the current file. */
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
    this.#timer = setInterval(() => this.#updateShares(), 1000)
    this.#timer.unref()
  }

  /** The current file or step. */
  showText(text: string): void {
    this.#text = visibleText(text)
    this.#drawLine()
  }

  beginRun(total: number): void {
    this.#total = total
  }

  countFile(): void {
    this.#done++
    this.#drawLine()
  }

  /** 0…1; `undefined` when the analysis has ended. */
  trackProgress(id: string, progress: number | undefined): void {
    if (progress === undefined) this.#underWay.delete(id)
    else this.#underWay.set(id, progress)
  }

  /** The next update shows the line again. */
  clearLine(): void {
    this.#terminal?.write(CLEAR_LINE)
  }

  stopShowing(): void {
    clearInterval(this.#timer)
    this.clearLine()
  }

  #updateShares(): void {
    if (this.#total > 0) this.#shares.push(this.#shareDone())
    if (this.#shares.length > ESTIMATE_SECONDS) this.#shares.shift()
    this.#drawLine()
  }

  #shareDone(): number {
    const parts = [...this.#underWay.values()].reduce((sum, share) => sum + share, 0)
    return Math.min(1, (this.#done + parts) / this.#total)
  }

  #drawLine(): void {
    if (!this.#terminal) return
    // `columns` is 0 while the terminal has no size yet.
    const columns = this.#terminal.columns || 80
    this.#terminal.write(`${CLEAR_LINE}${cutToWidth(this.#lineText(), columns - 1)}`)
  }

  #lineText(): string {
    if (this.#total === 0) return this.#text
    const bar = '█'.repeat(Math.round(this.#shareDone() * BAR_WIDTH)).padEnd(BAR_WIDTH, '░')
    const seconds = Math.round(secondsLeft(this.#shares) ?? 0)
    const time = seconds > 0 ? `  ${formatClock(seconds)} left` : ''
    return `${bar}  ${this.#done}/${this.#total}${time}  ${this.#text}`
  }
}

/** @param shares - the share done, 0…1, at each of the last seconds */
export function secondsLeft(shares: readonly number[]): number | undefined {
  const gained = (shares.at(-1) ?? 0) - (shares[0] ?? 0)
  // The first seconds are not representative.
  if (shares.length < 5 || gained <= 0) return undefined
  return ((1 - (shares.at(-1) as number)) * (shares.length - 1)) / gained
}
