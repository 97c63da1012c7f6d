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
import { CONCURRENT_LARGE_CALLS, isLargeMessage } from '../values/message-size.ts'
import { LEAVING_NOTICE, NotStarted } from './call-outcome.ts'
import type { Fairness, Reader } from './fairness.ts'
import { isCount, isObject } from './frames.ts'
import { Link, type SendBytes } from './link.ts'
import { ClientStreams } from './open-streams.ts'
import { isAwaited, isWaiting, refusalReason } from './parameters.ts'
import type { Connection } from './web-socket.ts'

/** In a client's frame, about 60 MB; a large update has 100,000. */
const MAX_CONTAINERS = 1_000_000
/** Of one client, which makes four at once; cancelled ones may still run. */
const MAX_LARGE_CALLS = 4 * CONCURRENT_LARGE_CALLS

/** For ending what a client has left open. */
const STREAM_END_MILLISECONDS = 10_000

export interface ServedEngine {
  engine: EngineHandle
  host: LocalHost
  emitter: EventEmitter
}

interface SessionOptions {
  /** Of calls that name none. */
  apiKey: string
  trusted: boolean
  calls: number
  fairness: Fairness
  /** Milliseconds without a connection after which the session ends. */
  patience: number
  /** With a reason, this side must close the connection. */
  onEnd(reason?: 'too slow'): void
}

/**
 * The engine's work for one client over any number of connections: answers are kept while it is
 * away.
 */
export class Session implements ChannelSide, Reader {
  readonly id = randomUUID()
  readonly apiKey: string
  /** The server makes and ends it. */
  connection: Connection | undefined
  readonly #served: ServedEngine
  readonly #options: SessionOptions
  readonly #openStreams: ClientStreams
  readonly link: Link
  readonly #channel: Channel
  readonly #listening = new Map<EventName, () => void>()
  #callCount = 0
  #largeCount = 0
  /** They must not be lost. */
  readonly #awaitedCalls = new Set<Promise<unknown>>()
  #isLeaving = false
  #expiry: NodeJS.Timeout | undefined
  #hasEnded = false

  constructor(served: ServedEngine, options: SessionOptions) {
    this.#served = served
    this.#options = options
    this.apiKey = options.apiKey
    this.#openStreams = new ClientStreams(({ method, params, apiKey }) =>
      withDeadline(undefined, STREAM_END_MILLISECONDS, goneClient, (signal) =>
        served.engine.call(method, params, { apiKey, signal }),
      ),
    )
    this.link = new Link(
      () => Number.POSITIVE_INFINITY,
      MAX_CONTAINERS,
      () => options.fairness.update(),
    )
    this.#channel = new Channel(this.link, this)
    options.fairness.readers.add(this)
    this.detach()
  }

  get backlog(): number {
    return this.link.backlog
  }

  /** See {@link Link.attach}. */
  attach(send: SendBytes, received: number): void {
    clearTimeout(this.#expiry)
    this.link.attach(send, received)
  }

  detach(): void {
    this.link.detach()
    if (this.#hasEnded) return
    clearTimeout(this.#expiry)
    this.#expiry = setTimeout(() => this.end(), this.#options.patience)
    this.#expiry.unref()
  }

  /** Starts no further calls, and waits for those that must not be lost. */
  async leave(): Promise<void> {
    this.#isLeaving = true
    this.#options.fairness.refuse(this, new NotStarted())
    this.#channel.notify(LEAVING_NOTICE, undefined)
    await Promise.allSettled(this.#awaitedCalls)
    // By the end of this turn the answers have reached the link.
    await new Promise<void>((resolve) => atTurnEnd(resolve))
  }

  /** Also aborts the calls of the client. */
  end(reason?: 'too slow'): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#options.fairness.readers.delete(this)
    clearTimeout(this.#expiry)
    for (const removeListener of this.#listening.values()) removeListener()
    this.#openStreams.endAll()
    this.link.flush()
    this.#channel.break(goneClient())
    this.#options.onEnd(reason)
  }

  async respond(name: string, args: unknown, signal: AbortSignal): Promise<unknown> {
    if (name !== 'call' || !isObject(args)) throw unknownRequest(name)
    const { method, params, apiKey = this.apiKey } = args
    if (typeof method !== 'string' || typeof apiKey !== 'string') throw unknownRequest(name)
    if (this.#callCount >= this.#options.calls) {
      throw new KeyError('rate_limited', `More than ${this.#options.calls} calls at once.`)
    }
    const isLarge = isLargeMessage(params)
    if (isLarge && this.#largeCount >= MAX_LARGE_CALLS) {
      throw new KeyError('rate_limited', `More than ${MAX_LARGE_CALLS} large calls at once.`)
    }
    this.#callCount++
    if (isLarge) this.#largeCount++
    try {
      this.#checkPermission(method, params, apiKey)
      if (this.#isLeaving) throw new NotStarted()
      const effort = isLarge ? 'large' : isWaiting(method) ? 'wait' : 'work'
      const answer = await this.#options.fairness.run(this, effort, signal, () => {
        const runningCall = this.#callEngine(method, params, { apiKey, signal })
        return isAwaited(method, params) ? this.#trackAwaited(runningCall) : runningCall
      })
      this.#openStreams.noteCall({ method, params, apiKey }, answer)
      return answer
    } catch (error) {
      // An untrusted client must not learn the paths of the engine's code.
      if (!this.#options.trusted && error instanceof Error) hideStack(error)
      throw error
    } finally {
      this.#callCount--
      if (isLarge) this.#largeCount--
    }
  }

  #checkPermission(method: string, params: unknown, apiKey: string): void {
    if (this.#options.trusted) return
    requireSecret(apiKey)
    const refusal = refusalReason(method, params)
    if (refusal !== undefined) {
      throw new KeyError('not_allowed', `${refusal}; to allow it, serve with trusted: true.`)
    }
  }

  async #trackAwaited(runningCall: Promise<unknown>): Promise<unknown> {
    this.#awaitedCalls.add(runningCall)
    try {
      return await runningCall
    } finally {
      this.#awaitedCalls.delete(runningCall)
    }
  }

  async #callEngine(
    method: string,
    params: unknown,
    options: { apiKey: string; signal: AbortSignal },
  ): Promise<unknown> {
    const { engine, host } = this.#served
    // The client's number of a stream is not valid here, or is that of another client's.
    if (!isObject(params) || !isCount(params.source)) return engine.call(method, params, options)
    const source = host.offer(this.#streamOf(params.source, options.signal))
    try {
      return await engine.call(method, { ...params, source }, options)
    } finally {
      void host.release(source)
    }
  }

  /** Its pieces are asked for one at a time. */
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
        const removeListener = this.#served.emitter.on(event, (detail) =>
          this.#sendEvent(event, detail),
        )
        this.#listening.set(event, removeListener)
      } catch {
        // Only a newer client knows the event.
      }
    }
  }

  #sendEvent<N extends EventName>(name: N, detail: Events[N]): void {
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

function unknownRequest(name: string): AudileError {
  return new AudileError('internal', `A request "${name}" is not known.`)
}

function hideStack(error: Error): void {
  error.stack = String(error)
  if (error.cause instanceof Error) hideStack(error.cause)
}
