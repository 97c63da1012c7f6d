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

/** Handles the messages of the other side. */
export interface ChannelSide {
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

interface PendingRequest {
  resolve(value: unknown): void
  reject(error: unknown): void
  release(): void
  unread: DisposeAnswer | undefined
}

/** An answer whose request was cancelled. */
type DisposeAnswer = (value: unknown) => void

/**
 * Carries requests, answers, cancellations and notices both ways; errors keep class, code and
 * causes.
 */
export class Channel {
  readonly #port: Port
  readonly #side: ChannelSide
  readonly #pending = new Map<number, PendingRequest>()
  readonly #serving = new Map<number, AbortController>()
  /** Cancelled requests whose answers must be disposed of. */
  readonly #unread = new Map<number, DisposeAnswer>()
  #nextId = 1
  #breakError: Error | undefined

  constructor(port: Port, side: ChannelSide) {
    this.#port = port
    this.#side = side
    port.on('message', (message) => this.#onMessage(message))
  }

  /**
   * @param unread - disposes of an answer that arrives after the abort
   * @throws the signal's reason on abort, at once; the other side gets a cancellation
   */
  request(
    name: string,
    args: unknown,
    signal?: AbortSignal,
    unread?: DisposeAnswer,
  ): Promise<unknown> {
    if (this.#breakError) return Promise.reject(this.#breakError)
    if (signal?.aborted) return Promise.reject(signal.reason)
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      const release = signal
        ? onAbort(signal, () => this.#cancelRequest(id, signal.reason))
        : () => {}
      this.#pending.set(id, { resolve, reject, release, unread })
      if (this.#pending.size === 1) this.#side.onBusy?.(true)
      try {
        this.#port.postMessage({ type: 'request', id, name, args } satisfies Message)
      } catch (error) {
        this.#settleRequest(id)?.reject(toSendError(error))
      }
    })
  }

  /** It has no answer. */
  notify(name: string, args: unknown): void {
    if (!this.#breakError) this.#port.postMessage({ type: 'notice', name, args } satisfies Message)
  }

  /** Also on the other side. */
  cancelAll(reason: unknown): void {
    for (const id of [...this.#pending.keys()]) this.#cancelRequest(id, reason)
  }

  /** Pending and later requests are rejected with the error. */
  break(error: Error): void {
    if (this.#breakError) return
    this.#breakError = error
    for (const abort of this.#serving.values()) abort.abort(error)
    for (const id of [...this.#pending.keys()]) this.#settleRequest(id)?.reject(error)
  }

  #cancelRequest(id: number, reason: unknown): void {
    const pending = this.#settleRequest(id)
    if (pending?.unread) this.#unread.set(id, pending.unread)
    this.#port.postMessage({ type: 'cancel', id } satisfies Message)
    pending?.reject(reason)
  }

  #settleRequest(id: number): PendingRequest | undefined {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    pending?.release()
    if (pending && this.#pending.size === 0) this.#side.onBusy?.(false)
    return pending
  }

  #takeUnread(id: number): DisposeAnswer | undefined {
    const unread = this.#unread.get(id)
    this.#unread.delete(id)
    return unread
  }

  #onMessage(message: Message): void {
    switch (message.type) {
      case 'request':
        void this.#serveRequest(message.id, message.name, message.args)
        break
      case 'cancel':
        this.#serving.get(message.id)?.abort()
        break
      case 'answer':
        this.#settleRequest(message.id)?.resolve(message.value)
        this.#takeUnread(message.id)?.(message.value)
        break
      case 'failure':
        this.#settleRequest(message.id)?.reject(fromPlain(message.error))
        this.#takeUnread(message.id)
        break
      case 'notice':
        this.#side.onNotice?.(message.name, message.args)
    }
  }

  async #serveRequest(id: number, name: string, args: unknown): Promise<void> {
    const abort = new AbortController()
    this.#serving.set(id, abort)
    try {
      const value = await this.#side.respond(name, args, abort.signal)
      this.#postMessage(
        { type: 'answer', id, value },
        value instanceof Uint8Array ? [value.buffer] : [],
      )
    } catch (error) {
      this.#postMessage({ type: 'failure', id, error: toPlain(error) }, [])
    } finally {
      this.#serving.delete(id)
    }
  }

  #postMessage(message: Message, transfer: unknown[]): void {
    if (!this.#breakError) this.#port.postMessage(message, transfer as TransferableObject[])
  }
}

/** Parameters cannot be sent when they hold a function, for example. */
function toSendError(error: unknown): AudileError {
  if (error instanceof AudileError) return error
  return invalidParameter('parameters', (error as Error).message, { cause: error })
}
