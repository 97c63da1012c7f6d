import { onAbort } from './abort.ts'
import { nextTurn } from './timers.ts'

interface Waiting {
  enter(): void
  refuse(reason: Error): void
}

/**
 * Who goes next. Some work is done at once, and of those who wait each has one turn after the other: one
 * with hundreds of calls is not before others with one.
 */
export class Turns<Client> {
  readonly #width: number
  readonly #mayEnter: (client: Client) => boolean
  readonly #passed: (() => Promise<unknown>) | undefined
  /** Who waits, in the order of the next turns. */
  readonly #lines = new Map<Client, Waiting[]>()
  readonly #places = new Set<object>()
  #looking = false

  /**
   * @param width - how much is done at once
   * @param mayEnter - whether a client may have its turn now. Default: always
   * @param passed - settles when all that was begun is done, or only waits for something: it then gives
   *   its place to others. Default: a place is kept to the end
   */
  constructor(
    width: number,
    mayEnter: (client: Client) => boolean = () => true,
    passed?: () => Promise<unknown>,
  ) {
    this.#width = width
    this.#mayEnter = mayEnter
    this.#passed = passed
  }

  /**
   * Does work of a client when it is its turn.
   *
   * @throws the signal's reason when it aborts during the wait
   */
  async run<T>(client: Client, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const place = {}
    const isFree = this.#places.size < this.#width && this.#lines.size === 0
    if (isFree && this.#mayEnter(client)) this.#places.add(place)
    else await this.#turn(client, place, signal)
    try {
      return await work()
    } finally {
      if (this.#places.delete(place)) this.next()
    }
  }

  #turn(client: Client, place: object, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    return new Promise((resolve, reject) => {
      const line = this.#lines.get(client) ?? []
      const release = onAbort(signal, () => {
        line.splice(line.indexOf(waiting), 1)
        if (line.length === 0) this.#lines.delete(client)
        reject(signal.reason)
      })
      const waiting: Waiting = {
        enter: () => {
          release()
          this.#places.add(place)
          resolve()
        },
        refuse: (reason) => {
          release()
          reject(reason)
        },
      }
      line.push(waiting)
      this.#lines.set(client, line)
      this.next()
    })
  }

  /** Rejects what a client waits for. */
  refuse(client: Client, reason: Error): void {
    const line = this.#lines.get(client) ?? []
    this.#lines.delete(client)
    for (const waiting of line) waiting.refuse(reason)
  }

  /** Lets in who may enter by now. */
  next(): void {
    let refused = 0
    while (this.#places.size < this.#width && refused < this.#lines.size) {
      const [client, line] = this.#lines.entries().next().value!
      this.#lines.delete(client)
      if (this.#mayEnter(client)) {
        refused = 0
        line.shift()?.enter()
      } else refused++
      if (line.length > 0) this.#lines.set(client, line)
    }
    if (this.#lines.size > 0 && this.#places.size >= this.#width) void this.#look()
  }

  /** Finds out which work keeps its place though it only waits. */
  async #look(): Promise<void> {
    if (!this.#passed || this.#looking) return
    this.#looking = true
    const begun = [...this.#places]
    // Work whose turn it is now begins within this turn of the event loop.
    await nextTurn()
    await this.#passed().catch(() => {})
    this.#looking = false
    for (const place of begun) this.#places.delete(place)
    this.next()
  }
}
