import { onAbort } from './abort.ts'

interface Waiting {
  enter(): void
  refuse(reason: Error): void
}

/** What a client has under way, and what waits. */
interface Line {
  running: number
  waiting: Waiting[]
}

/**
 * Who goes next. Each client may do one thing at any time, and all together some more; of those who wait
 * each has one turn after the other. So one with hundreds of calls is not before others with one.
 */
export class Turns<Client> {
  readonly #width: number
  readonly #mayEnter: (client: Client) => boolean
  /** Of all clients that do something or wait, in the order of their next turns. */
  readonly #lines = new Map<Client, Line>()
  #running = 0

  /**
   * @param width - how much is done at once
   * @param mayEnter - whether a client may have its turn now. Default: always
   */
  constructor(width: number, mayEnter: (client: Client) => boolean = () => true) {
    this.#width = width
    this.#mayEnter = mayEnter
  }

  /**
   * Does work of a client when it is its turn.
   *
   * @throws the signal's reason when it aborts during the wait
   */
  async run<T>(client: Client, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(client) ?? { running: 0, waiting: [] }
    this.#lines.set(client, line)
    let entered = false
    try {
      if (line.waiting.length === 0 && this.#isFree(client, line)) this.#add(line, 1)
      else await this.#turn(line, signal)
      entered = true
      return await work()
    } finally {
      if (entered) this.#add(line, -1)
      if (line.running + line.waiting.length === 0) this.#lines.delete(client)
      this.next()
    }
  }

  #isFree(client: Client, { running }: Line): boolean {
    return (running === 0 || this.#running < this.#width) && this.#mayEnter(client)
  }

  #add(line: Line, change: 1 | -1): void {
    line.running += change
    this.#running += change
  }

  #turn(line: Line, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    return new Promise((resolve, reject) => {
      const release = onAbort(signal, () => {
        line.waiting.splice(line.waiting.indexOf(waiting), 1)
        reject(signal.reason)
      })
      const waiting: Waiting = {
        enter: () => {
          release()
          this.#add(line, 1)
          resolve()
        },
        refuse: (reason) => {
          release()
          reject(reason)
        },
      }
      line.waiting.push(waiting)
    })
  }

  /** Rejects what a client waits for. */
  refuse(client: Client, reason: Error): void {
    for (const one of this.#lines.get(client)?.waiting.splice(0) ?? []) one.refuse(reason)
  }

  /** Lets in who may enter by now. */
  next(): void {
    for (let entered = true; entered; ) {
      entered = false
      for (const [client, line] of [...this.#lines]) {
        if (line.waiting.length === 0 || !this.#isFree(client, line)) continue
        // Its next turn comes after those of all others.
        this.#lines.delete(client)
        this.#lines.set(client, line)
        line.waiting.shift()?.enter()
        entered = true
      }
    }
  }
}
