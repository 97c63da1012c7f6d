import { onAbort } from './abort.ts'

interface Waiting {
  enter(): void
  refuse(reason: Error): void
}

interface Line {
  running: number
  waiting: Waiting[]
}

/**
 * Lets clients take turns. Each client may run one piece of work, and more while fewer than `width`
 * run in all. So a client with hundreds of calls does not delay the one call of another.
 */
export class Turns<Client> {
  readonly #width: number
  readonly #mayEnter: (client: Client) => boolean
  /** The clients with running or waiting work, in the order of their next turns. */
  readonly #lines = new Map<Client, Line>()
  #running = 0

  /**
   * @param width - the most work at once, besides one piece of each client
   * @param mayEnter - whether a client may have its turn now. Default: always
   */
  constructor(width: number, mayEnter: (client: Client) => boolean = () => true) {
    this.#width = width
    this.#mayEnter = mayEnter
  }

  /**
   * Runs work of a client when it is the client's turn.
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

  /** Rejects the waiting work of a client. */
  refuse(client: Client, reason: Error): void {
    for (const one of this.#lines.get(client)?.waiting.splice(0) ?? []) one.refuse(reason)
  }

  /** Starts the waiting work that may run now. */
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
