import type { RawData, WebSocket } from 'ws'
import { loadPeer } from '../kernel/load-package.ts'
import { clearInterval, setInterval } from '../kernel/timers.ts'

export type WebSockets = Pick<typeof import('ws'), 'WebSocket' | 'WebSocketServer'>

/**
 * @param field - the option or function that needs the package `ws`
 * @throws {ParameterError} when it is not installed, or another version
 */
export function loadWebSockets(field: 'engine' | 'serveEngine'): Promise<WebSockets> {
  return loadPeer<WebSockets>('ws', field)
}

/** Both sides must speak it. */
export const PROTOCOL = 'audile.1'

/** Those from 4000 on belong to this protocol. */
export const CLOSE_CODES = {
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

/** After these a new connection would end the same way. */
export const FINAL_CLOSE_CODES: readonly number[] = [
  CLOSE_CODES.tooLarge,
  CLOSE_CODES.badFrame,
  CLOSE_CODES.key,
  CLOSE_CODES.tooSlow,
]

/** Above it a ping is not answered: the data itself is a sign of life. */
const MAX_BUFFERED_BYTES = 65_536

interface ConnectionListener {
  onFrame(bytes: Uint8Array): void
  onPulse(): void
  /** Called once. */
  onGone(code: number, reason: string): void
}

/** A connection over which nothing came for two heartbeats is cut. */
export class Connection {
  readonly #socket: WebSocket
  readonly #heart: NodeJS.Timeout
  readonly gone: Promise<void>
  #silentBeats = 0
  #isGone = false

  constructor(socket: WebSocket, heartbeatSeconds: number, listener: ConnectionListener) {
    this.#socket = socket
    this.#heart = setInterval(() => this.#sendBeat(listener), heartbeatSeconds * 1000)
    this.#heart.unref()
    const noteLife = () => {
      this.#silentBeats = 0
    }
    socket.on('ping', (data) => {
      noteLife()
      // Pongs that the other side does not read would fill the memory.
      if (socket.bufferedAmount < MAX_BUFFERED_BYTES) socket.pong(data)
    })
    socket.on('pong', noteLife)
    socket.on('message', (data: RawData) => {
      this.#silentBeats = 0
      // Frames that arrive after the decision to leave are sent again over the next connection.
      if (!this.#isGone) listener.onFrame(data as Buffer)
    })
    let failure = ''
    let fault: number | undefined
    socket.on('error', (error: NodeJS.ErrnoException) => {
      failure = error.message
      if (error.code?.startsWith('WS_ERR_')) fault = CLOSE_CODES.badFrame
    })
    this.gone = new Promise((resolve) => {
      socket.on('close', (code, reason) => {
        clearInterval(this.#heart)
        resolve()
        if (this.#isGone) return
        this.#isGone = true
        listener.onGone(fault ?? code, reason.toString() || failure)
      })
    })
  }

  readonly send = (bytes: Uint8Array): void => {
    this.#socket.send(bytes)
  }

  /** No callback follows. */
  leave(code: number, reason: string): void {
    this.#isGone = true
    clearInterval(this.#heart)
    this.#socket.close(code, reason)
  }

  /** Does not wait for the other side; no callback follows. */
  cut(): void {
    this.#isGone = true
    clearInterval(this.#heart)
    this.#socket.terminate()
  }

  #sendBeat(listener: ConnectionListener): void {
    if (++this.#silentBeats > 2) {
      this.#socket.terminate()
      return
    }
    this.#socket.ping()
    listener.onPulse()
  }
}
