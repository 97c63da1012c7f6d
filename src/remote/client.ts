import type { WebSocket } from 'ws'
import { Channel, type ChannelSide } from '../engine/channel.ts'
import type { CallOptions, EngineHandle } from '../engine/handle.ts'
import type { LocalHost } from '../host/host.ts'
import { CLOSE_PATIENCE, Deadline } from '../kernel/abort.ts'
import type { EventName, Events } from '../kernel/events.ts'
import { KeepAlive } from '../kernel/keep-alive.ts'
import { Limiter } from '../kernel/limiter.ts'
import type { EngineServices } from '../kernel/open.ts'
import type { EngineTarget } from '../kernel/other-engine.ts'
import { performance, sleep } from '../kernel/timers.ts'
import type { ByteSource } from '../values/byte-stream.ts'
import { AudileError, ClosedError, KeyError, messageOf } from '../values/errors.ts'
import { CONCURRENT_LARGE_CALLS, isLargeMessage } from '../values/message-size.ts'
import { closedForGood, isNotStarted, LEAVING_NOTICE, unknownOutcome } from './call-outcome.ts'
import { connectSocket, socketPathOf, Unreachable } from './connect.ts'
import { isObject } from './frames.ts'
import type { Welcome } from './handshake.ts'
import { Link } from './link.ts'
import { Outage, RESTART_MILLISECONDS } from './outage.ts'
import { fileToSend, isRepeatable, withAbsolutePaths } from './parameters.ts'
import { CLOSE_CODES, Connection, FINAL_CLOSE_CODES } from './web-socket.ts'

/** Before the second attempt to reconnect; they double with each further one. */
const FIRST_RECONNECT_MS = 100
/** Between two attempts. */
const MAX_RECONNECT_MS = 2_000
/** The read itself may be what ends the engine. */
const MAX_REPEATS = 5

interface RemoteTarget extends EngineTarget {
  reconnectSeconds: number
}

type ClientServices = Pick<EngineServices, 'emit'> & { host: LocalHost }

/** What client and engine share over any number of connections. */
interface ClientSession {
  id: string
  link: Link
  channel: Channel
  calls: Limiter
  /** For pending calls, when the engine does not know the session any more. */
  lost: ClosedError
}

/**
 * @throws {KeyError} when it refuses the key
 * @throws {ClosedError} when it cannot be reached
 */
export async function connectEngine(
  target: RemoteTarget,
  services: ClientServices,
): Promise<RemoteEngine> {
  const engine = new RemoteEngine(target, services)
  await engine.open()
  return engine
}

export class RemoteEngine implements EngineHandle, ChannelSide {
  readonly #target: RemoteTarget
  readonly #services: ClientServices
  readonly #ended = new AbortController()
  readonly ended: AbortSignal = this.#ended.signal
  readonly #largeCalls = new Limiter(CONCURRENT_LARGE_CALLS)
  readonly #listenedEvents = new Set<EventName>()
  #messageBytes = 0
  #session: ClientSession | undefined
  #connection: Connection | undefined
  readonly #outage = new Outage()
  readonly #alive = new KeepAlive()

  constructor(target: RemoteTarget, services: ClientServices) {
    this.#target = target
    this.#services = services
  }

  /** The connection was lost, and attempts to reconnect go on. */
  get isLost(): boolean {
    return !this.#connection && !this.ended.aborted
  }

  open(): Promise<void> {
    return this.#alive.keepDuring(() => this.#connectOnce())
  }

  async call(method: string, params: unknown, options: CallOptions): Promise<unknown> {
    this.ended.throwIfAborted()
    options.signal?.throwIfAborted()
    return this.#alive.keepDuring(async () => {
      if (socketPathOf(this.#target.engine) !== undefined) {
        return this.#callEngine(method, withAbsolutePaths(method, params), options)
      }
      const file = await fileToSend(method, params)
      if (!file) return this.#callEngine(method, params, options)
      return this.#callEngine(method, { ...(params as object), file: undefined }, options, file)
    })
  }

  /** @param file - makes the bytes that the call sends; default: those of its stream */
  async #callEngine(
    method: string,
    params: unknown,
    { apiKey, signal }: CallOptions,
    file?: () => ByteSource,
  ): Promise<unknown> {
    const { host } = this.#services
    const endSignal = signal ?? this.ended
    const key = apiKey === this.#target.apiKey ? {} : { apiKey }
    const streamNumber = isObject(params) ? params.source : undefined
    const bytes = file ?? host.again(streamNumber)
    for (let repeats = 0; ; ) {
      await this.#outage.awaitEnd(endSignal)
      this.ended.throwIfAborted()
      const session = this.#session as ClientSession
      const source = bytes && host.offer(bytes)
      const sentParams = source === undefined ? params : { ...(params as object), source }
      let hasBegun = false
      const request = () => {
        // The session may have changed while the request waited for its turn.
        if (session !== this.#session) throw session.lost
        hasBegun = true
        return session.channel.request('call', { method, params: sentParams, ...key }, signal)
      }
      try {
        return await (!isLargeMessage(params)
          ? session.calls.run(endSignal, request)
          : this.#largeCalls.run(endSignal, request))
      } catch (error) {
        if (isNotStarted(error)) continue
        if (error !== session.lost) throw error
        if (!hasBegun) continue
        const mayRepeat = isRepeatable(method, params) && (streamNumber === undefined || bytes)
        if (!mayRepeat || ++repeats > MAX_REPEATS) {
          throw unknownOutcome(this.#target.engine, method, session.lost)
        }
      } finally {
        if (source !== undefined) void host.release(source)
      }
    }
  }

  listen(name: EventName, isListened: boolean): void {
    if (isListened) this.#listenedEvents.add(name)
    else this.#listenedEvents.delete(name)
    this.#session?.channel.notify(isListened ? 'listen' : 'ignore', name)
  }

  async close(patience = CLOSE_PATIENCE): Promise<void> {
    const connection = this.#connection
    const reason = new ClosedError()
    // Broken before `#endWith`, so that pending calls get this reason and not `lost`.
    this.#session?.channel.break(reason)
    this.#endWith(reason)
    if (!connection) return
    connection.leave(CLOSE_CODES.done, 'closed')
    await this.#alive.keepDuring(() => new Deadline(patience).settled(connection.gone))
    connection.cut()
  }

  async respond(name: string, args: unknown, signal: AbortSignal): Promise<unknown> {
    const { host } = this.#services
    if (name === 'pull') return host.pull(args as number, signal)
    if (name === 'release') return host.release(args as number)
    throw new AudileError('internal', `The engine asked for "${name}".`)
  }

  onNotice(name: string, args: unknown): void {
    if (name === LEAVING_NOTICE) this.#outage.beginOutage()
    else if (this.#listenedEvents.has(name as EventName)) {
      this.#services.emit(name as EventName, args as Events[EventName])
    }
  }

  async #connectOnce(): Promise<void> {
    const session = this.#session
    const resumedSession = session && { session: session.id, received: session.link.received }
    await connectSocket(this.#target, resumedSession, (socket, welcome) =>
      this.#openConnection(socket, welcome),
    )
  }

  #openConnection(socket: WebSocket, welcome: Welcome): void {
    if (this.ended.aborted) {
      socket.terminate()
      return
    }
    this.#messageBytes = welcome.messageBytes
    const lastSession = this.#session
    const session = lastSession?.id === welcome.session ? lastSession : this.#beginSession(welcome)
    const connection = new Connection(socket, welcome.heartbeatSeconds, {
      onFrame: (bytes) => this.#receiveFrame(session.link, bytes),
      onPulse: () => session.link.pulse(),
      onGone: (code, reason) => this.#onCut(code, reason),
    })
    this.#connection = connection
    session.link.attach(connection.send, welcome.received)
    if (session !== lastSession) lastSession?.channel.break(lastSession.lost)
    this.#outage.endOutage()
  }

  #beginSession({ session: id, calls }: Welcome): ClientSession {
    const link = new Link(() => this.#messageBytes)
    const channel = new Channel(link, this)
    const lost = new ClosedError(
      `The engine at ${this.#target.engine} ended, or gave this client up.`,
    )
    this.#session = { id, link, channel, calls: new Limiter(calls), lost }
    for (const name of this.#listenedEvents) channel.notify('listen', name)
    return this.#session
  }

  #receiveFrame(link: Link, bytes: Uint8Array): void {
    try {
      link.receive(bytes)
    } catch (error) {
      this.#connection?.leave(CLOSE_CODES.badFrame, messageOf(error))
      this.#failWith(CLOSE_CODES.badFrame, messageOf(error))
    }
  }

  /** This side did not close the connection. */
  #onCut(code: number, reason: string): void {
    if (this.ended.aborted) return
    if (FINAL_CLOSE_CODES.includes(code)) {
      this.#failWith(code, reason)
      return
    }
    this.#leaveConnection()
    const { engine, reconnectSeconds } = this.#target
    const isLeft = code === CLOSE_CODES.leaving
    const reasonText = isLeft
      ? `The engine at ${engine} was closed there: ${reason}.`
      : `The connection to ${engine} was lost.`
    this.#services.host.log('warn', reasonText, isLeft ? undefined : reason || code)
    this.#outage.beginOutage()
    if (isLeft) {
      // The session ended with the service.
      const session = this.#session
      this.#session = undefined
      session?.channel.break(session.lost)
      this.#outage.limitWait(
        RESTART_MILLISECONDS,
        `${reasonText} Calls are answered again when it is back within ${reconnectSeconds} s (reconnectSeconds).`,
      )
    }
    void this.#reconnectUntil(reasonText)
  }

  async #reconnectUntil(reasonText: string): Promise<void> {
    const { engine, reconnectSeconds } = this.#target
    const end = performance.now() + reconnectSeconds * 1000
    for (let wait = FIRST_RECONNECT_MS; ; wait = Math.min(2 * wait, MAX_RECONNECT_MS)) {
      try {
        await this.#connectOnce()
        this.#services.host.log('info', `Connected to ${engine} again.`)
        return
      } catch (error) {
        const isLate = performance.now() + wait > end
        if (!(error instanceof Unreachable) || isLate) {
          this.#endWith(
            error instanceof KeyError
              ? error
              : closedForGood(`${reasonText} ${messageOf(error)}`, error),
          )
          return
        }
      }
      // Jitter, so that the clients of one server do not come back at the same moment.
      await sleep(wait * (0.5 + Math.random()), undefined, { ref: false })
      if (this.ended.aborted) return
    }
  }

  #failWith(code: number, reason: string): void {
    const reasonText = `The connection to ${this.#target.engine} was ended: ${reason} (${code}).`
    this.#endWith(
      code === CLOSE_CODES.key
        ? new KeyError('invalid_key', reasonText)
        : closedForGood(reasonText),
    )
  }

  #endWith(reason: Error): void {
    if (this.ended.aborted) return
    this.#leaveConnection()
    this.#ended.abort(reason)
    const session = this.#session
    session?.channel.break(session.lost)
    this.#outage.endOutage()
  }

  #leaveConnection(): void {
    this.#session?.link.detach()
    this.#connection = undefined
  }
}
