import type { Message, Port } from '../engine/channel.ts'
import { atTurnEnd } from '../kernel/timers.ts'
import { limitExceeded } from '../values/errors.ts'
import { decodeFrame, encodeMessage, FrameFault, FULL_FRAME, frameOf } from './frames.ts'

/** Received frames after which a separate frame acknowledges them. */
const UNACKNOWLEDGED = 32
/** The same in bytes: the other side keeps that much. */
const UNACKNOWLEDGED_BYTES = 1_000_000

export type Send = (bytes: Uint8Array) => void

interface Kept {
  number: number
  bytes: Uint8Array
}

/**
 * A port that outlives its connections. Each side numbers its frames and keeps them until the other
 * side has acknowledged them; lost frames are sent again over a new connection. So each message
 * arrives once and in order, and no request is done twice.
 */
export class Link implements Port {
  readonly #mostBytes: () => number
  readonly #mostContainers: number | undefined
  #listener: (message: Message) => void = () => {}
  #send: Send | undefined
  /** Frames that are not acknowledged, oldest first. */
  #kept: Kept[] = []
  #keptBytes = 0
  #number = 0
  #received = 0
  /** Frames that were received since the last acknowledgement. */
  #unsaid = 0
  #unsaidBytes = 0
  #messages: Uint8Array[] = []
  #bytes = 0
  readonly #onBacklog: () => void

  /**
   * @param mostBytes - the size of the largest message that the other side takes
   * @param mostContainers - lists and objects in a frame of the other side. Default: any number
   * @param onBacklog - called when the backlog has changed
   */
  constructor(mostBytes: () => number, mostContainers?: number, onBacklog = () => {}) {
    this.#mostBytes = mostBytes
    this.#mostContainers = mostContainers
    this.#onBacklog = onBacklog
  }

  on(_event: 'message', listener: (message: Message) => void): void {
    this.#listener = listener
  }

  /** The number of the last frame that was received. */
  get received(): number {
    return this.#received
  }

  /** Bytes that the other side has not acknowledged. */
  get backlog(): number {
    return this.#keptBytes + this.#bytes
  }

  /**
   * Sends a message, in one frame with others of the same turn.
   *
   * @throws {ParameterError} `limit_exceeded` when it is too large; and when it cannot be encoded
   */
  postMessage(message: unknown): void {
    const bytes = encodeMessage(message as Message)
    const most = this.#mostBytes()
    if (bytes.length > most) {
      throw limitExceeded('parameters', `${bytes.length} bytes; one message holds at most ${most}`)
    }
    // Messages of one turn share a frame, because sending a frame costs more than making it.
    if (this.#messages.length === 0) atTurnEnd(() => this.flush())
    else if (this.#bytes + bytes.length > FULL_FRAME) this.flush()
    this.#messages.push(bytes)
    this.#bytes += bytes.length
  }

  /**
   * Continues over a new connection.
   *
   * @param received - the number of the last frame that the other side received
   */
  attach(send: Send, received: number): void {
    this.flush()
    this.#acknowledge(received)
    this.#send = send
    for (const { bytes } of this.#kept) send(bytes)
  }

  detach(): void {
    this.#send = undefined
  }

  /**
   * Receives a frame.
   *
   * @throws {FrameFault} when it is not a frame, or not the next one
   */
  receive(bytes: Uint8Array): void {
    const { number, received, messages } = decodeFrame(bytes, this.#mostContainers)
    this.#acknowledge(received)
    // A frame with the number 0 only acknowledges.
    if (number === 0) return
    if (number !== this.#received + 1) throw new FrameFault('a frame is missing before it')
    this.#received = number
    this.#unsaid++
    this.#unsaidBytes += bytes.length
    for (const message of messages) this.#listener(message)
    if (this.#unsaid >= UNACKNOWLEDGED || this.#unsaidBytes >= UNACKNOWLEDGED_BYTES) this.pulse()
  }

  /** Acknowledges received frames, unless that is done or the next frame will do it. */
  pulse(): void {
    if (this.#unsaid === 0 || this.#messages.length > 0) return
    this.#send?.(frameOf(0, this.#said(), []))
  }

  /** Sends the messages of this turn now. */
  flush(): void {
    if (this.#messages.length === 0) return
    const number = ++this.#number
    const bytes = frameOf(number, this.#said(), this.#messages)
    this.#messages = []
    this.#bytes = 0
    this.#kept.push({ number, bytes })
    this.#keptBytes += bytes.length
    this.#send?.(bytes)
    this.#onBacklog()
  }

  /** The number for the head of the frame that is sent now. */
  #said(): number {
    this.#unsaid = 0
    this.#unsaidBytes = 0
    return this.#received
  }

  #acknowledge(received: number): void {
    if (received > this.#number) throw new FrameFault('it acknowledges a frame that was never sent')
    let gone = 0
    for (const { number, bytes } of this.#kept) {
      if (number > received) break
      this.#keptBytes -= bytes.length
      gone++
    }
    if (gone === 0) return
    this.#kept.splice(0, gone)
    this.#onBacklog()
  }
}
