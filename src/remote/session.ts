import { randomUUID } from 'node:crypto'
import { Channel, type ChannelSide } from '../engine/channel.ts'
import type { EngineHandle } from '../engine/handle.ts'
import type { LocalHost } from '../host/host.ts'
import { withDeadline } from '../kernel/abort.ts'
import type { EventEmitter, EventName, Events } from '../kernel/events.ts'
import { atTurnEnd, clearTimeout, setTimeout } from '../kernel/timers.ts'
import { LOCAL_KEY } from '../options/engine-address.ts'
import type { ByteSource } from '../values/byte-stream.ts'
import { AudileError, ClosedError, KeyError } from '../values/errors.ts'
import { LARGE, LARGE_AT_ONCE, sizeOf } from '../values/message-size.ts'
import { LEAVING, NotStarted } from './call-outcome.ts'
import type { Fairness, Reader } from './fairness.ts'
import { isCount, isObject } from './frames.ts'
import { Link, type Send } from './link.ts'
import { OpenStreams } from './open-streams.ts'
import { isAwaited, isWaiting, refusalOf } from './parameters.ts'
import type { Connection } from './web-socket.ts'

/** The most lists and objects in a client's frame, about 60 MB. A large update has 100,000. */
const MOST_CONTAINERS = 1_000_000
/** The most large calls of one client. It makes four at once; cancelled ones may still run. */
const MOST_LARGE = 4 * LARGE_AT_ONCE

/** Milliseconds for ending what a client has left open. */
const END_PATIENCE = 10_000

export interface Served {
  engine: EngineHandle
  host: LocalHost
  emitter: EventEmitter
}

interface SessionOptions {
  /** The key of its calls that name none. */
  apiKey: string
  trusted: boolean
  calls: number
  fairness: Fairness
  /** Milliseconds that the session is kept without a connection. */
  patience: number
  /** Called when the session has ended; with a reason, this side must close the connection. */
  onEnd(reason?: 'too slow'): void
}

/**
 * The work of the engine for one client, over any number of connections. Without a connection the
 * calls continue, and their answers are kept until the client is back or the patience ends.
 */
export class Session implements ChannelSide, Reader {
  readonly id = randomUUID()
  readonly apiKey: string
  /** The current connection, which the server makes and ends. */
  connection: Connection | undefined
  readonly #served: Served
  readonly #options: SessionOptions
  readonly #held: OpenStreams
  readonly link: Link
  readonly #channel: Channel
  readonly #listening = new Map<EventName, () => void>()
  #calls = 0
  #large = 0
  /** Running calls that must not be lost. */
  readonly #unfinished = new Set<Promise<unknown>>()
  #isLeaving = false
  #expiry: NodeJS.Timeout | undefined
  #ended = false

  constructor(served: Served, options: SessionOptions) {
    this.#served = served
    this.#options = options
    this.apiKey = options.apiKey
    this.#held = new OpenStreams(({ method, params, apiKey }) =>
      withDeadline(undefined, END_PATIENCE, goneClient, (signal) =>
        served.engine.call(method, params, { apiKey, signal }),
      ),
    )
    this.link = new Link(
      () => Number.POSITIVE_INFINITY,
      MOST_CONTAINERS,
      () => options.fairness.update(),
    )
    this.#channel = new Channel(this.link, this)
    options.fairness.readers.add(this)
    this.detach()
  }

  get backlog(): number {
    return this.link.backlog
  }

  /** Continues over a new connection; see {@link Link.attach}. */
  attach(send: Send, received: number): void {
    clearTimeout(this.#expiry)
    this.link.attach(send, received)
  }

  detach(): void {
    this.link.detach()
    if (this.#ended) return
    clearTimeout(this.#expiry)
    this.#expiry = setTimeout(() => this.end(), this.#options.patience)
    this.#expiry.unref()
  }

  /** Starts no further calls, and waits for those that must not be lost. */
  async leave(): Promise<void> {
    this.#isLeaving = true
    this.#options.fairness.refuse(this, new NotStarted())
    this.#channel.notify(LEAVING, undefined)
    await Promise.allSettled(this.#unfinished)
    // By the end of this turn the answers have reached the link.
    await new Promise<void>((resolve) => atTurnEnd(resolve))
  }

  /** Ends the session, and aborts the calls of the client. */
  end(reason?: 'too slow'): void {
    if (this.#ended) return
    this.#ended = true
    this.#options.fairness.readers.delete(this)
    clearTimeout(this.#expiry)
    for (const off of this.#listening.values()) off()
    this.#held.end()
    this.link.flush()
    this.#channel.break(goneClient())
    this.#options.onEnd(reason)
  }

  async respond(name: string, args: unknown, signal: AbortSignal): Promise<unknown> {
    if (name !== 'call' || !isObject(args)) throw notKnown(name)
    const { method, params, apiKey = this.apiKey } = args
    if (typeof method !== 'string' || typeof apiKey !== 'string') throw notKnown(name)
    if (this.#calls >= this.#options.calls) {
      throw new KeyError('rate_limited', `More than ${this.#options.calls} calls at once.`)
    }
    const isLarge = sizeOf(params, LARGE) > LARGE
    if (isLarge && this.#large >= MOST_LARGE) {
      throw new KeyError('rate_limited', `More than ${MOST_LARGE} large calls at once.`)
    }
    this.#calls++
    if (isLarge) this.#large++
    try {
      this.#admit(method, params, apiKey)
      if (this.#isLeaving) throw new NotStarted()
      const effort = isLarge ? 'large' : isWaiting(method) ? 'wait' : 'work'
      const answer = await this.#options.fairness.run(this, effort, signal, () => {
        const running = this.#call(method, params, { apiKey, signal })
        return isAwaited(method, params) ? this.#awaited(running) : running
      })
      this.#held.note({ method, params, apiKey }, answer)
      return answer
    } catch (error) {
      // An untrusted client must not learn the paths of the engine's code.
      if (!this.#options.trusted && error instanceof Error) hideStack(error)
      throw error
    } finally {
      this.#calls--
      if (isLarge) this.#large--
    }
  }

  #admit(method: string, params: unknown, apiKey: string): void {
    if (this.#options.trusted) return
    requireSecret(apiKey)
    const refusal = refusalOf(method, params)
    if (refusal !== undefined) {
      throw new KeyError('not_allowed', `${refusal}; to allow it, serve with trusted: true.`)
    }
  }

  async #awaited(running: Promise<unknown>): Promise<unknown> {
    this.#unfinished.add(running)
    try {
      return await running
    } finally {
      this.#unfinished.delete(running)
    }
  }

  async #call(
    method: string,
    params: unknown,
    options: { apiKey: string; signal: AbortSignal },
  ): Promise<unknown> {
    const { engine, host } = this.#served
    // The client's number of a stream is not valid here, or is that of another client's stream.
    if (!isObject(params) || !isCount(params.source)) return engine.call(method, params, options)
    const source = host.offer(this.#streamOf(params.source, options.signal))
    try {
      return await engine.call(method, { ...params, source }, options)
    } finally {
      void host.release(source)
    }
  }

  /** A stream of the client, whose pieces are asked for one at a time. */
  #streamOf(source: number, signal: AbortSignal): ByteSource {
    const channel = this.#channel
    const iterator: AsyncIterator<Uint8Array> = {
      next: async () => {
        const piece = await channel.request('pull', source, signal)
        if (piece === undefined) return { done: true, value: undefined }
        // The reader of the stream refuses what is not a piece.
        return { done: false, value: piece as Uint8Array }
      },
      return: async () => {
        await channel.request('release', source)
        return { done: true, value: undefined }
      },
    }
    return { [Symbol.asyncIterator]: () => iterator }
  }

  onNotice(name: string, args: unknown): void {
    const event = args as EventName
    if (name === 'ignore') {
      this.#listening.get(event)?.()
      this.#listening.delete(event)
    } else if (name === 'listen' && !this.#listening.has(event)) {
      try {
        const off = this.#served.emitter.on(event, (detail) => this.#tell(event, detail))
        this.#listening.set(event, off)
      } catch {
        // An event that only a newer client knows.
      }
    }
  }

  #tell<N extends EventName>(name: N, detail: Events[N]): void {
    if (isProgress(name, detail) && !this.#options.fairness.isFast(this)) return
    this.#channel.notify(name, detail)
  }
}

function isProgress<N extends EventName>(name: N, detail: Events[N]): boolean {
  return name === 'upkeep' || (name === 'track' && (detail as Events['track']).status === 'pending')
}

/** @throws {KeyError} `invalid_key` on the key that every database has */
export function requireSecret(apiKey: string): void {
  if (apiKey !== LOCAL_KEY) return
  throw new KeyError(
    'invalid_key',
    `The key "${LOCAL_KEY}" is not secret and does not count here; use one that keys.create() made.`,
  )
}

function goneClient(): ClosedError {
  return new ClosedError('The client is gone.')
}

function notKnown(name: string): AudileError {
  return new AudileError('internal', `A request "${name}" is not known.`)
}

function hideStack(error: Error): void {
  error.stack = String(error)
  if (error.cause instanceof Error) hideStack(error.cause)
}
