import type { RawData, WebSocket } from 'ws'
import { loadPeer } from '../kernel/load-package.ts'
import { clearInterval, setInterval } from '../kernel/timers.ts'

/** The part of the package `ws` that is used. */
export type WebSockets = Pick<typeof import('ws'), 'WebSocket' | 'WebSocketServer'>

/**
 * Loads the optional package `ws`.
 *
 * @param field - the option or function that needs it
 * @throws {ParameterError} when it is not installed, or another version
 */
export function loadWebSockets(field: 'engine' | 'serveEngine'): Promise<WebSockets> {
  return loadPeer<WebSockets>('ws', field)
}

/** The name and version of the protocol, which both sides must speak. */
export const PROTOCOL = 'audile.1'

/** Close codes of WebSocket; those from 4000 on belong to this protocol. */
export const CLOSE = {
  /** The client does not need the connection any more. */
  done: 1000,
  /** The engine or its server ends; it may come back. */
  leaving: 1001,
  /** A message is larger than is allowed. */
  tooLarge: 1009,
  /** The bytes that came are not a frame. */
  badFrame: 4400,
  /** The key was revoked. */
  key: 4401,
  /** The client does not read what it is sent. */
  tooSlow: 4408,
} as const

/** Unsent bytes above which a ping is not answered: the data itself is a sign of life. */
const MOST_BUFFERED = 65_536

interface ConnectionListener {
  onFrame(bytes: Uint8Array): void
  onPulse(): void
  /** Called once, when the connection has ended. */
  onGone(code: number, reason: string): void
}

/**
 * One WebSocket: frames, heartbeats and its end. A connection over which nothing came for two
 * heartbeats is cut.
 */
export class Connection {
  readonly #socket: WebSocket
  readonly #heart: NodeJS.Timeout
  /** Resolves when the socket is closed. */
  readonly gone: Promise<void>
  #silent = 0
  #gone = false

  constructor(socket: WebSocket, heartbeatSeconds: number, listener: ConnectionListener) {
    this.#socket = socket
    this.#heart = setInterval(() => this.#beat(listener), heartbeatSeconds * 1000)
    this.#heart.unref()
    const alive = () => {
      this.#silent = 0
    }
    socket.on('ping', (data) => {
      alive()
      // Pongs that the other side does not read would fill the memory.
      if (socket.bufferedAmount < MOST_BUFFERED) socket.pong(data)
    })
    socket.on('pong', alive)
    socket.on('message', (data: RawData) => {
      this.#silent = 0
      // Frames that arrive after the decision to leave are sent again over the next connection.
      if (!this.#gone) listener.onFrame(data as Buffer)
    })
    let failure = ''
    let fault: number | undefined
    socket.on('error', (error: NodeJS.ErrnoException) => {
      failure = error.message
      if (error.code?.startsWith('WS_ERR_')) fault = CLOSE.badFrame
    })
    this.gone = new Promise((resolve) => {
      socket.on('close', (code, reason) => {
        clearInterval(this.#heart)
        resolve()
        if (this.#gone) return
        this.#gone = true
        listener.onGone(fault ?? code, reason.toString() || failure)
      })
    })
  }

  readonly send = (bytes: Uint8Array): void => {
    this.#socket.send(bytes)
  }

  /** Closes the connection with a reason; no callback follows. */
  leave(code: number, reason: string): void {
    this.#gone = true
    clearInterval(this.#heart)
    this.#socket.close(code, reason)
  }

  /** Cuts the connection without waiting for the other side; no callback follows. */
  cut(): void {
    this.#gone = true
    clearInterval(this.#heart)
    this.#socket.terminate()
  }

  #beat(listener: ConnectionListener): void {
    if (++this.#silent > 2) {
      this.#socket.terminate()
      return
    }
    this.#socket.ping()
    listener.onPulse()
  }
}
