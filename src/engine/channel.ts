import type { Transferable as TransferableObject } from 'node:worker_threads'
import { onAbort } from '../kernel/abort.ts'
import {
  AudileError,
  fromPlain,
  invalidParameter,
  type PlainError,
  toPlain,
} from '../values/errors.ts'

/** The part of a message port that a channel uses. */
export interface Port {
  postMessage(message: unknown, transfer?: readonly TransferableObject[]): void
  on(event: 'message', listener: (message: Message) => void): unknown
}

/** One side of a channel: handles the messages of the other side. */
export interface ChannelSide {
  /** Answers a request of the other side. */
  respond(name: string, args: unknown, signal: AbortSignal): Promise<unknown>
  onNotice?(name: string, args: unknown): void
  /** Called when the first request goes out, and when the last one is answered. */
  onBusy?(busy: boolean): void
}

export type Message =
  | { type: 'request'; id: number; name: string; args: unknown }
  | { type: 'cancel'; id: number }
  | { type: 'answer'; id: number; value: unknown }
  | { type: 'failure'; id: number; error: PlainError }
  | { type: 'notice'; name: string; args: unknown }

interface Pending {
  resolve(value: unknown): void
  reject(error: unknown): void
  /** Releases the request's signal. */
  release(): void
  unread: Unread | undefined
}

/** Disposes of an answer whose request was cancelled. */
type Unread = (value: unknown) => void

/**
 * Carries requests, answers, cancellations and notices over a message port, in both directions. Errors
 * keep their class, code, message and causes.
 */
export class Channel {
  readonly #port: Port
  readonly #side: ChannelSide
  readonly #pending = new Map<number, Pending>()
  readonly #serving = new Map<number, AbortController>()
  /** Cancelled requests whose answers must be disposed of. */
  readonly #unread = new Map<number, Unread>()
  #next = 1
  #broken: Error | undefined

  constructor(port: Port, side: ChannelSide) {
    this.#port = port
    this.#side = side
    port.on('message', (message) => this.#receive(message))
  }

  /**
   * Sends a request to the other side.
   *
   * @param unread - disposes of an answer that arrives after the abort
   * @throws the signal's reason on abort, at once; the other side gets a cancellation
   */
  request(name: string, args: unknown, signal?: AbortSignal, unread?: Unread): Promise<unknown> {
    if (this.#broken) return Promise.reject(this.#broken)
    if (signal?.aborted) return Promise.reject(signal.reason)
    const id = this.#next++
    return new Promise((resolve, reject) => {
      const release = signal ? onAbort(signal, () => this.#cancel(id, signal.reason)) : () => {}
      this.#pending.set(id, { resolve, reject, release, unread })
      if (this.#pending.size === 1) this.#side.onBusy?.(true)
      try {
        this.#port.postMessage({ type: 'request', id, name, args } satisfies Message)
      } catch (error) {
        this.#settle(id)?.reject(unsendable(error))
      }
    })
  }

  /** Sends a notice, which has no answer. */
  notify(name: string, args: unknown): void {
    if (!this.#broken) this.#port.postMessage({ type: 'notice', name, args } satisfies Message)
  }

  /** Rejects all pending requests, and cancels them on the other side. */
  cancelAll(reason: unknown): void {
    for (const id of [...this.#pending.keys()]) this.#cancel(id, reason)
  }

  /** Ends the channel: pending and later requests are rejected with the error. */
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
    if (pending && this.#pending.size === 0) this.#side.onBusy?.(false)
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
        this.#side.onNotice?.(message.name, message.args)
    }
  }

  async #serve(id: number, name: string, args: unknown): Promise<void> {
    const abort = new AbortController()
    this.#serving.set(id, abort)
    try {
      const value = await this.#side.respond(name, args, abort.signal)
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

/** The error for parameters that cannot be sent, for example because they hold a function. */
function unsendable(error: unknown): AudileError {
  if (error instanceof AudileError) return error
  return invalidParameter('parameters', (error as Error).message, { cause: error })
}
