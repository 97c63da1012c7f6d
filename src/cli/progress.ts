import { clearInterval, setInterval } from 'node:timers'
import type { WriteStream } from 'node:tty'

import { clock, cutTo, visible } from './text.ts'

const BAR = 20
const CLEAR_LINE = '\r\x1b[K'
/** Seconds by which the rest is judged: of a run that goes on, the files done before pass in no time. */
const WINDOW = 60

/** A line at the foot of a terminal: how much is done, how long the rest will take, and a file. */
export class Progress {
  readonly #terminal: WriteStream | undefined
  readonly #timer: NodeJS.Timeout
  readonly #underWay = new Map<string, number>()
  readonly #shares: number[] = []
  #text = ''
  #total = 0
  #done = 0

  /** @param terminal - undefined where there is none, or it is to stay as it is */
  constructor(terminal: WriteStream | undefined) {
    this.#terminal = terminal
    this.#timer = setInterval(() => this.#tick(), 1000)
    this.#timer.unref()
  }

  /** What is at work now. */
  say(text: string): void {
    this.#text = visible(text)
    this.#draw()
  }

  /** How many files there are. */
  begin(total: number): void {
    this.#total = total
  }

  /** One more file is done. */
  count(): void {
    this.#done++
    this.#draw()
  }

  /** How far the analysis of a track is, 0…1; undefined when it has ended. */
  track(id: string, progress: number | undefined): void {
    if (progress === undefined) this.#underWay.delete(id)
    else this.#underWay.set(id, progress)
  }

  /** Makes room for lines to be printed, until the next `say`. */
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
    // 0 where a terminal has no size yet.
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

/** Seconds that the rest will take, by the shares of the whole that were done at each of the last. */
export function secondsLeft(shares: readonly number[]): number | undefined {
  const gained = (shares.at(-1) ?? 0) - (shares[0] ?? 0)
  // The first seconds say little.
  if (shares.length < 5 || gained <= 0) return undefined
  return ((1 - (shares.at(-1) as number)) * (shares.length - 1)) / gained
}
