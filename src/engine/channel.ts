import type { Transferable as TransferableObject } from 'node:worker_threads'
import { fromPlain, invalidParameter, type PlainError, toPlain } from '../errors.ts'
import { onAbort } from '../kernel/abort.ts'

/** The half of a message port that a channel needs. */
export interface Port {
  postMessage(message: unknown, transfer?: readonly TransferableObject[]): void
  on(event: 'message', listener: (message: Message) => void): unknown
}

/** Answers one request of the other side. */
export type Responder = (name: string, args: unknown, signal: AbortSignal) => Promise<unknown>

/** What crosses between the two sides. */
export type Message =
  | { type: 'request'; id: number; name: string; args: unknown }
  | { type: 'cancel'; id: number }
  | { type: 'answer'; id: number; value: unknown }
  | { type: 'failure'; id: number; error: PlainError }
  | { type: 'notice'; name: string; args: unknown }

interface Pending {
  resolve(value: unknown): void
  reject(error: unknown): void
  /** Lets go of the request's signal. */
  release(): void
  unread: Unread | undefined
}

/** Takes an answer that nobody waits for any more. */
type Unread = (value: unknown) => void

/**
 * Requests, their answers, cancellations and notices over a message port, alike in both
 * directions. Errors arrive as the class they were, with code, message and causes.
 */
export class Channel {
  readonly #port: Port
  readonly #respond: Responder
  readonly #onNotice: (name: string, args: unknown) => void
  readonly #onBusy: (busy: boolean) => void
  readonly #pending = new Map<number, Pending>()
  readonly #serving = new Map<number, AbortController>()
  /** Requests that were cancelled and whose answers hold something. */
  readonly #unread = new Map<number, Unread>()
  #next = 1
  #broken: Error | undefined

  constructor(
    port: Port,
    options: {
      respond: Responder
      onNotice?: (name: string, args: unknown) => void
      /** Told when the first request goes out and when the last one is answered. */
      onBusy?: (busy: boolean) => void
    },
  ) {
    this.#port = port
    this.#respond = options.respond
    this.#onNotice = options.onNotice ?? (() => {})
    this.#onBusy = options.onBusy ?? (() => {})
    port.on('message', (message) => this.#receive(message))
  }

  /**
   * Asks the other side.
   *
   * @param unread gives back what an answer holds that crossed with the abort
   * @throws the signal's own reason on abort, at once; the other side is told to stop
   */
  request(name: string, args: unknown, signal?: AbortSignal, unread?: Unread): Promise<unknown> {
    if (this.#broken) return Promise.reject(this.#broken)
    if (signal?.aborted) return Promise.reject(signal.reason)
    const id = this.#next++
    return new Promise((resolve, reject) => {
      const release = signal ? onAbort(signal, () => this.#cancel(id, signal.reason)) : () => {}
      this.#pending.set(id, { resolve, reject, release, unread })
      if (this.#pending.size === 1) this.#onBusy(true)
      try {
        this.#port.postMessage({ type: 'request', id, name, args } satisfies Message)
      } catch (error) {
        // Parameters that cannot be cloned: a function, a handle.
        const { message } = error as Error
        this.#settle(id)?.reject(invalidParameter('parameters', message, { cause: error }))
      }
    })
  }

  /** Tells the other side, expecting nothing. */
  notify(name: string, args: unknown): void {
    if (!this.#broken) this.#port.postMessage({ type: 'notice', name, args } satisfies Message)
  }

  /** Rejects all that is pending now, and tells the other side to stop. */
  cancelAll(reason: unknown): void {
    for (const id of [...this.#pending.keys()]) this.#cancel(id, reason)
  }

  /** Ends the channel: all that is pending, and all that comes, is rejected with the error. */
  break(error: Error): void {
    if (this.#broken) return
    this.#broken = error
    for (const abort of this.#serving.values()) abort.abort(error)
    for (const id of [...this.#pending.keys()]) this.#settle(id)?.reject(error)
  }

  #cancel(id: number, reason: unknown): void {
    const pending = this.#settle(id)
    if (pending?.unread) this.#unread.set(id, pending.unread)
    this.#port.postMessage({ type: 'cancel', id } satisfies Message)
    pending?.reject(reason)
  }

  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    pending?.release()
    if (pending && this.#pending.size === 0) this.#onBusy(false)
    return pending
  }

  #take(id: number): Unread | undefined {
    const unread = this.#unread.get(id)
    this.#unread.delete(id)
    return unread
  }

  #receive(message: Message): void {
    switch (message.type) {
      case 'request':
        void this.#serve(message.id, message.name, message.args)
        break
      case 'cancel':
        this.#serving.get(message.id)?.abort()
        break
      case 'answer':
        this.#settle(message.id)?.resolve(message.value)
        this.#take(message.id)?.(message.value)
        break
      case 'failure':
        this.#settle(message.id)?.reject(fromPlain(message.error))
        this.#take(message.id)
        break
      case 'notice':
        this.#onNotice(message.name, message.args)
    }
  }

  async #serve(id: number, name: string, args: unknown): Promise<void> {
    const abort = new AbortController()
    this.#serving.set(id, abort)
    try {
      const value = await this.#respond(name, args, abort.signal)
      this.#post({ type: 'answer', id, value }, value instanceof Uint8Array ? [value.buffer] : [])
    } catch (error) {
      this.#post({ type: 'failure', id, error: toPlain(error) }, [])
    } finally {
      this.#serving.delete(id)
    }
  }

  #post(message: Message, transfer: unknown[]): void {
    if (!this.#broken) this.#port.postMessage(message, transfer as TransferableObject[])
  }
}
