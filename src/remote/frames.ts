import { Decoder, Encoder } from '@msgpack/msgpack'
import type { Message } from '../engine/channel.ts'
import type { PlainError } from '../values/errors.ts'
import { faultOf } from './message-pack.ts'

// A frame is a run of MessagePack values: its number, the number of the last frame that its sender has
// received, and its messages. Each message is a list that begins with its kind.

const REQUEST = 0
const CANCEL = 1
const ANSWER = 2
const FAILURE = 3
const NOTICE = 4

/** Bytes at the head of a frame, at most: two whole numbers of MessagePack. */
const HEAD_BYTES = 18
/** Bytes of messages after which a frame is sent; only a single larger message makes a larger one. */
export const FULL_FRAME = 65_536
/** The most bytes that head, kinds and other messages add to the largest message in a frame. */
export const FRAME_BYTES = FULL_FRAME + HEAD_BYTES + 256
/** The most causes of an error that are read; the sender sends no more. */
const MOST_CAUSES = 10

export class FrameFault extends Error {}

export interface Frame {
  number: number
  /** The last frame of the other direction that the sender has received. */
  received: number
  messages: Message[]
}

// Undefined fields are left out, because zod and the typed client treat both alike.
const encoder = new Encoder({ ignoreUndefined: true })
const decoder = new Decoder()

/**
 * A message as bytes.
 *
 * @throws on a value that no message can hold, such as a function
 */
export function encodeMessage(message: Message): Uint8Array {
  return encoder.encode(listOf(message))
}

function listOf(message: Message): unknown[] {
  switch (message.type) {
    case 'request':
      return [REQUEST, message.id, message.name, message.args]
    case 'cancel':
      return [CANCEL, message.id]
    case 'answer':
      return message.value === undefined
        ? [ANSWER, message.id]
        : [ANSWER, message.id, message.value]
    case 'failure':
      return [FAILURE, message.id, message.error]
    case 'notice':
      return [NOTICE, message.name, message.args]
  }
}

export function frameOf(
  number: number,
  received: number,
  messages: readonly Uint8Array[],
): Uint8Array {
  return Buffer.concat([encoder.encode(number), encoder.encode(received), ...messages])
}

/**
 * Reads a frame from the other side, which is not trusted.
 *
 * @param mostContainers - the most lists and objects in it. Default: any number
 * @throws {FrameFault} on anything that is not a frame
 */
export function decodeFrame(bytes: Uint8Array, mostContainers = Number.POSITIVE_INFINITY): Frame {
  const fault = faultOf(bytes, mostContainers)
  if (fault !== undefined) throw new FrameFault(fault)
  const values: unknown[] = []
  try {
    // A plain view, because from a Buffer the decoder would make further Buffers.
    const view = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (const value of decoder.decodeMulti(view)) values.push(value)
  } catch (error) {
    throw new FrameFault('it cannot be decoded', { cause: error })
  }
  const [number, received, ...messages] = values
  if (!isCount(number) || !isCount(received)) throw new FrameFault('its head is wrong')
  return { number, received, messages: messages.map(messageOf) }
}

function messageOf(value: unknown): Message {
  if (!Array.isArray(value)) throw new FrameFault('a message is no list')
  const [kind, first, second, third] = value as unknown[]
  if (kind === NOTICE) {
    if (typeof first !== 'string') throw new FrameFault('a notice has no name')
    return { type: 'notice', name: first, args: second }
  }
  if (!isCount(first)) throw new FrameFault('a message has no number')
  switch (kind) {
    case REQUEST:
      if (typeof second !== 'string') throw new FrameFault('a request has no name')
      return { type: 'request', id: first, name: second, args: third }
    case CANCEL:
      return { type: 'cancel', id: first }
    case ANSWER:
      return { type: 'answer', id: first, value: detached(second) }
    case FAILURE:
      return { type: 'failure', id: first, error: plainError(second) }
    default:
      throw new FrameFault('a message of an unknown kind')
  }
}

/** Copies bytes that are a whole answer, so that they do not keep the memory of the frame. */
function detached(value: unknown): unknown {
  return value instanceof Uint8Array ? value.slice() : value
}

function plainError(value: unknown, causes = 0): PlainError {
  if (!isObject(value) || causes > MOST_CAUSES) throw new FrameFault('an error is none')
  const { kind, name, message, code, systemCode, stack, cause } = value
  if (typeof kind !== 'string' || typeof name !== 'string' || typeof message !== 'string') {
    throw new FrameFault('an error is none')
  }
  return {
    // An unknown kind becomes a plain Error.
    ...({ kind, name, message } as Pick<PlainError, 'kind' | 'name' | 'message'>),
    ...(typeof code === 'string' && { code: code as NonNullable<PlainError['code']> }),
    ...(typeof systemCode === 'string' && { systemCode }),
    ...(typeof stack === 'string' && { stack }),
    ...(cause !== undefined && { cause: plainError(cause, causes + 1) }),
  }
}

/** Whether a value is a plain object, with named fields. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value is a whole number from 0. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
