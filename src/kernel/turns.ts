import { onAbort } from './abort.ts'

interface WaitingWork {
  enter(): void
  refuse(reason: Error): void
}

interface ClientLine {
  running: number
  waiting: WaitingWork[]
}

/** A client with hundreds of calls does not delay the one call of another. */
export class Turns<Client> {
  readonly #width: number
  readonly #mayEnter: (client: Client) => boolean
  /** In the order of their next turns. */
  readonly #lines = new Map<Client, ClientLine>()
  #running = 0

  /** `width` is the most work at once, besides one piece of each client. */
  constructor(width: number, mayEnter: (client: Client) => boolean = () => true) {
    this.#width = width
    this.#mayEnter = mayEnter
  }

  /** @throws the signal's reason when it aborts during the wait */
  async run<T>(client: Client, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(client) ?? { running: 0, waiting: [] }
    this.#lines.set(client, line)
    let hasEntered = false
    try {
      if (line.waiting.length === 0 && this.#isFree(client, line)) this.#countRunning(line, 1)
      else await this.#waitForTurn(line, signal)
      hasEntered = true
      return await work()
    } finally {
      if (hasEntered) this.#countRunning(line, -1)
      if (line.running + line.waiting.length === 0) this.#lines.delete(client)
      this.startNext()
    }
  }

  #isFree(client: Client, { running }: ClientLine): boolean {
    return (running === 0 || this.#running < this.#width) && this.#mayEnter(client)
  }

  #countRunning(line: ClientLine, change: 1 | -1): void {
    line.running += change
    this.#running += change
  }

  #waitForTurn(line: ClientLine, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    return new Promise((resolve, reject) => {
      const release = onAbort(signal, () => {
        line.waiting.splice(line.waiting.indexOf(waiting), 1)
        reject(signal.reason)
      })
      const waiting: WaitingWork = {
        enter: () => {
          release()
          this.#countRunning(line, 1)
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
  refuseClient(client: Client, reason: Error): void {
    for (const waiting of this.#lines.get(client)?.waiting.splice(0) ?? []) waiting.refuse(reason)
  }

  /** Starts the waiting work that may run now. */
  startNext(): void {
    for (let hasEntered = true; hasEntered; ) {
      hasEntered = false
      for (const [client, line] of [...this.#lines]) {
        if (line.waiting.length === 0 || !this.#isFree(client, line)) continue
        // Its next turn comes after those of all others.
        this.#lines.delete(client)
        this.#lines.set(client, line)
        line.waiting.shift()?.enter()
        hasEntered = true
      }
    }
  }
}
