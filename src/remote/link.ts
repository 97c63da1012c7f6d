import type { Message, Port } from '../engine/channel.ts'
import { atTurnEnd } from '../kernel/timers.ts'
import { limitExceeded } from '../values/errors.ts'
import { decodeFrame, encodeFrame, encodeMessage, FrameFault, FULL_FRAME_BYTES } from './frames.ts'

/** Received frames after which a separate frame acknowledges them. */
const MAX_UNACKNOWLEDGED_FRAMES = 32
/** The other side keeps that much. */
const MAX_UNACKNOWLEDGED_BYTES = 1_000_000

export type SendBytes = (bytes: Uint8Array) => void

interface KeptFrame {
  number: number
  bytes: Uint8Array
}

/**
 * A port that outlives its connections: frames are kept until acknowledged, and sent again.
 * So each message arrives once and in order.
 */
export class Link implements Port {
  readonly #maxBytes: () => number
  readonly #maxContainers: number | undefined
  #listener: (message: Message) => void = () => {}
  #send: SendBytes | undefined
  /** Not acknowledged, the oldest first. */
  #keptFrames: KeptFrame[] = []
  #keptBytes = 0
  #number = 0
  #received = 0
  /** Received since the last acknowledgement. */
  #unacknowledged = 0
  #unacknowledgedBytes = 0
  #messages: Uint8Array[] = []
  #bytes = 0
  readonly #onBacklog: () => void

  /**
   * @param maxBytes - of the largest message that the other side takes
   * @param maxContainers - lists and objects in a frame of the other side; default: any number
   */
  constructor(maxBytes: () => number, maxContainers?: number, onBacklog = () => {}) {
    this.#maxBytes = maxBytes
    this.#maxContainers = maxContainers
    this.#onBacklog = onBacklog
  }

  on(_event: 'message', listener: (message: Message) => void): void {
    this.#listener = listener
  }

  /** Of the last frame. */
  get received(): number {
    return this.#received
  }

  /** Not acknowledged by the other side. */
  get backlog(): number {
    return this.#keptBytes + this.#bytes
  }

  /**
   * In one frame with others of the same turn.
   * @throws {ParameterError} `limit_exceeded` when it is too large
   * @throws when it cannot be encoded
   */
  postMessage(message: unknown): void {
    const bytes = encodeMessage(message as Message)
    const maxBytes = this.#maxBytes()
    if (bytes.length > maxBytes) {
      throw limitExceeded(
        'parameters',
        `${bytes.length} bytes; one message holds at most ${maxBytes}`,
      )
    }
    // Sending a frame costs more than making it.
    if (this.#messages.length === 0) atTurnEnd(() => this.flush())
    else if (this.#bytes + bytes.length > FULL_FRAME_BYTES) this.flush()
    this.#messages.push(bytes)
    this.#bytes += bytes.length
  }

  /** @param received - the number of the last frame that the other side received */
  attach(send: SendBytes, received: number): void {
    this.flush()
    this.#acknowledge(received)
    this.#send = send
    for (const { bytes } of this.#keptFrames) send(bytes)
  }

  detach(): void {
    this.#send = undefined
  }

  /** @throws {FrameFault} when it is not a frame, or not the next one */
  receive(bytes: Uint8Array): void {
    const { number, received, messages } = decodeFrame(bytes, this.#maxContainers)
    this.#acknowledge(received)
    // A frame with the number 0 only acknowledges.
    if (number === 0) return
    if (number !== this.#received + 1) throw new FrameFault('a frame is missing before it')
    this.#received = number
    this.#unacknowledged++
    this.#unacknowledgedBytes += bytes.length
    for (const message of messages) this.#listener(message)
    if (
      this.#unacknowledged >= MAX_UNACKNOWLEDGED_FRAMES ||
      this.#unacknowledgedBytes >= MAX_UNACKNOWLEDGED_BYTES
    )
      this.pulse()
  }

  /** Unless that is done or the next frame will do it. */
  pulse(): void {
    if (this.#unacknowledged === 0 || this.#messages.length > 0) return
    this.#send?.(encodeFrame(0, this.#acknowledgement(), []))
  }

  flush(): void {
    if (this.#messages.length === 0) return
    const number = ++this.#number
    const bytes = encodeFrame(number, this.#acknowledgement(), this.#messages)
    this.#messages = []
    this.#bytes = 0
    this.#keptFrames.push({ number, bytes })
    this.#keptBytes += bytes.length
    this.#send?.(bytes)
    this.#onBacklog()
  }

  /** For the head of the frame that is sent now. */
  #acknowledgement(): number {
    this.#unacknowledged = 0
    this.#unacknowledgedBytes = 0
    return this.#received
  }

  #acknowledge(received: number): void {
    if (received > this.#number) throw new FrameFault('it acknowledges a frame that was never sent')
    let removed = 0
    for (const { number, bytes } of this.#keptFrames) {
      if (number > received) break
      this.#keptBytes -= bytes.length
      removed++
    }
    if (removed === 0) return
    this.#keptFrames.splice(0, removed)
    this.#onBacklog()
  }
}
