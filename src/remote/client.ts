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
import { LARGE, LARGE_AT_ONCE, sizeOf } from '../values/message-size.ts'
import { isNotStarted, LEAVING, unknownOutcome } from './call-outcome.ts'
import { connect, pathOf, Unreachable } from './connect.ts'
import { isObject } from './frames.ts'
import type { Welcome } from './handshake.ts'
import { Link } from './link.ts'
import { LEFT_PATIENCE, Outage } from './outage.ts'
import { fileToSend, isRepeatable, withAbsolutePaths } from './parameters.ts'
import { CLOSE, Connection } from './web-socket.ts'

/** Milliseconds before the second attempt to reconnect; they double with each further one. */
const FIRST_WAIT = 100
/** Milliseconds between two attempts, at most. */
const LONGEST_WAIT = 2_000
/** How often a read is repeated: the read itself may be what ends the engine. */
const MOST_REPEATS = 5
/** Close codes after which a new connection would end the same way. */
const FINAL: readonly number[] = [CLOSE.tooLarge, CLOSE.badFrame, CLOSE.key, CLOSE.tooSlow]

/** The address of the engine, and how long the client tries to reconnect after a cut. */
interface RemoteTarget extends EngineTarget {
  reconnectSeconds: number
}

type Services = Pick<EngineServices, 'emit'> & { host: LocalHost }

/** The state that client and engine share over any number of connections. */
interface Session {
  id: string
  link: Link
  channel: Channel
  calls: Limiter
  /** The error of pending calls when the engine does not know the session any more. */
  lost: ClosedError
}

/**
 * Connects to an engine that is served by another process.
 *
 * @throws {KeyError} when it refuses the key
 * @throws {ClosedError} when it cannot be reached
 */
export async function connectEngine(
  target: RemoteTarget,
  services: Services,
): Promise<RemoteEngine> {
  const engine = new RemoteEngine(target, services)
  await engine.open()
  return engine
}

/** An engine in another process, on the calling side. */
export class RemoteEngine implements EngineHandle, ChannelSide {
  readonly #target: RemoteTarget
  readonly #services: Services
  readonly #ended = new AbortController()
  readonly ended: AbortSignal = this.#ended.signal
  readonly #large = new Limiter(LARGE_AT_ONCE)
  readonly #listened = new Set<EventName>()
  #messageBytes = 0
  #session: Session | undefined
  #connection: Connection | undefined
  readonly #absence = new Outage()
  readonly #alive = new KeepAlive()

  constructor(target: RemoteTarget, services: Services) {
    this.#target = target
    this.#services = services
  }

  /** Whether the connection was lost, and attempts to reconnect go on. */
  get isLost(): boolean {
    return !this.#connection && !this.ended.aborted
  }

  open(): Promise<void> {
    return this.#alive.keepDuring(() => this.#connect())
  }

  async call(method: string, params: unknown, options: CallOptions): Promise<unknown> {
    this.ended.throwIfAborted()
    options.signal?.throwIfAborted()
    return this.#alive.keepDuring(async () => {
      if (pathOf(this.#target.engine) !== undefined) {
        return this.#call(method, withAbsolutePaths(method, params), options)
      }
      const file = await fileToSend(method, params)
      if (!file) return this.#call(method, params, options)
      return this.#call(method, { ...(params as object), file: undefined }, options, file)
    })
  }

  /** @param file - makes the bytes that the call sends. Default: those of its stream, if it has one */
  async #call(
    method: string,
    params: unknown,
    { apiKey, signal }: CallOptions,
    file?: () => ByteSource,
  ): Promise<unknown> {
    const { host } = this.#services
    const until = signal ?? this.ended
    const key = apiKey === this.#target.apiKey ? {} : { apiKey }
    const given = isObject(params) ? params.source : undefined
    const bytes = file ?? host.again(given)
    for (let repeats = 0; ; ) {
      await this.#absence.over(until)
      this.ended.throwIfAborted()
      const session = this.#session as Session
      const source = bytes && host.offer(bytes)
      const sent = source === undefined ? params : { ...(params as object), source }
      let begun = false
      const request = () => {
        // The session may have changed while the request waited for its turn.
        if (session !== this.#session) throw session.lost
        begun = true
        return session.channel.request('call', { method, params: sent, ...key }, signal)
      }
      try {
        return await (sizeOf(params, LARGE) <= LARGE
          ? session.calls.run(until, request)
          : this.#large.run(until, request))
      } catch (error) {
        if (isNotStarted(error)) continue
        if (error !== session.lost) throw error
        if (!begun) continue
        const again = isRepeatable(method, params) && (given === undefined || bytes)
        if (!again || ++repeats > MOST_REPEATS) {
          throw unknownOutcome(this.#target.engine, method, session.lost)
        }
      } finally {
        if (source !== undefined) void host.release(source)
      }
    }
  }

  listen(name: EventName, listened: boolean): void {
    if (listened) this.#listened.add(name)
    else this.#listened.delete(name)
    this.#session?.channel.notify(listened ? 'listen' : 'ignore', name)
  }

  async close(patience = CLOSE_PATIENCE): Promise<void> {
    const connection = this.#connection
    const reason = new ClosedError()
    // Broken before `#end`, so that pending calls get this reason and not `lost`.
    this.#session?.channel.break(reason)
    this.#end(reason)
    if (!connection) return
    connection.leave(CLOSE.done, 'closed')
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
    if (name === LEAVING) this.#absence.begin()
    else if (this.#listened.has(name as EventName)) {
      this.#services.emit(name as EventName, args as Events[EventName])
    }
  }

  async #connect(): Promise<void> {
    const session = this.#session
    const resumed = session && { session: session.id, received: session.link.received }
    await connect(this.#target, resumed, (socket, welcome) => this.#greet(socket, welcome))
  }

  #greet(socket: WebSocket, welcome: Welcome): void {
    if (this.ended.aborted) {
      socket.terminate()
      return
    }
    this.#messageBytes = welcome.messageBytes
    const before = this.#session
    const session = before?.id === welcome.session ? before : this.#begin(welcome)
    const connection = new Connection(socket, welcome.heartbeatSeconds, {
      onFrame: (bytes) => this.#receive(session.link, bytes),
      onPulse: () => session.link.pulse(),
      onGone: (code, reason) => this.#cut(code, reason),
    })
    this.#connection = connection
    session.link.attach(connection.send, welcome.received)
    if (session !== before) before?.channel.break(before.lost)
    this.#absence.end()
  }

  #begin({ session: id, calls }: Welcome): Session {
    const link = new Link(() => this.#messageBytes)
    const channel = new Channel(link, this)
    const lost = new ClosedError(
      `The engine at ${this.#target.engine} ended, or gave this client up.`,
    )
    this.#session = { id, link, channel, calls: new Limiter(calls), lost }
    for (const name of this.#listened) channel.notify('listen', name)
    return this.#session
  }

  #receive(link: Link, bytes: Uint8Array): void {
    try {
      link.receive(bytes)
    } catch (error) {
      this.#connection?.leave(CLOSE.badFrame, messageOf(error))
      this.#fail(CLOSE.badFrame, messageOf(error))
    }
  }

  /** The connection ended, and this side did not close it. */
  #cut(code: number, reason: string): void {
    if (this.ended.aborted) return
    if (FINAL.includes(code)) {
      this.#fail(code, reason)
      return
    }
    this.#leave()
    const { engine, reconnectSeconds } = this.#target
    const left = code === CLOSE.leaving
    const why = left
      ? `The engine at ${engine} was closed there: ${reason}.`
      : `The connection to ${engine} was lost.`
    this.#services.host.log('warn', why, left ? undefined : reason || code)
    this.#absence.begin()
    if (left) {
      // The session ended with the service.
      const session = this.#session
      this.#session = undefined
      session?.channel.break(session.lost)
      this.#absence.limit(
        LEFT_PATIENCE,
        `${why} Calls are answered again when it is back within ${reconnectSeconds} s (reconnectSeconds).`,
      )
    }
    void this.#reconnect(why)
  }

  async #reconnect(why: string): Promise<void> {
    const { engine, reconnectSeconds } = this.#target
    const end = performance.now() + reconnectSeconds * 1000
    for (let wait = FIRST_WAIT; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
      try {
        await this.#connect()
        this.#services.host.log('info', `Connected to ${engine} again.`)
        return
      } catch (error) {
        const late = performance.now() + wait > end
        if (!(error instanceof Unreachable) || late) {
          this.#end(error instanceof KeyError ? error : gone(`${why} ${messageOf(error)}`, error))
          return
        }
      }
      // Jitter, so that the clients of one server do not all come back at the same moment.
      await sleep(wait * (0.5 + Math.random()), undefined, { ref: false })
      if (this.ended.aborted) return
    }
  }

  #fail(code: number, reason: string): void {
    const why = `The connection to ${this.#target.engine} was ended: ${reason} (${code}).`
    this.#end(code === CLOSE.key ? new KeyError('invalid_key', why) : gone(why))
  }

  #end(reason: Error): void {
    if (this.ended.aborted) return
    this.#leave()
    this.#ended.abort(reason)
    const session = this.#session
    session?.channel.break(session.lost)
    this.#absence.end()
  }

  #leave(): void {
    this.#session?.link.detach()
    this.#connection = undefined
  }
}

function gone(why: string, cause?: unknown): ClosedError {
  return new ClosedError(`${why.replace(/\.?$/, '.')} Open a new Audile to go on.`, { cause })
}
