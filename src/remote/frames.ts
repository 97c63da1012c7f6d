import { Decoder, Encoder } from '@msgpack/msgpack'
import type { Message } from '../engine/channel.ts'
import type { PlainError } from '../values/errors.ts'
import { findFault } from './message-pack.ts'

// A frame: its number, the last received frame's number, and messages that begin with their kind.

const REQUEST_KIND = 0
const CANCEL_KIND = 1
const ANSWER_KIND = 2
const FAILURE_KIND = 3
const NOTICE_KIND = 4

/** Two whole numbers of MessagePack. */
const MAX_HEAD_BYTES = 18
/** Only a single larger message makes a larger frame. */
export const FULL_FRAME_BYTES = 65_536
/** What head, kinds and other messages add to the largest message in a frame. */
export const FRAME_OVERHEAD_BYTES = FULL_FRAME_BYTES + MAX_HEAD_BYTES + 256
/** Of an error; the sender sends no more. */
const MAX_ERROR_CAUSES = 10

export class FrameFault extends Error {}

export interface MessageFrame {
  number: number
  /** Of the other direction, received by the sender. */
  received: number
  messages: Message[]
}

// zod and the typed client treat undefined and missing fields alike.
const encoder = new Encoder({ ignoreUndefined: true })
const decoder = new Decoder()

/** @throws on a value that no message can hold, such as a function */
export function encodeMessage(message: Message): Uint8Array {
  return encoder.encode(messageToList(message))
}

function messageToList(message: Message): unknown[] {
  switch (message.type) {
    case 'request':
      return [REQUEST_KIND, message.id, message.name, message.args]
    case 'cancel':
      return [CANCEL_KIND, message.id]
    case 'answer':
      return message.value === undefined
        ? [ANSWER_KIND, message.id]
        : [ANSWER_KIND, message.id, message.value]
    case 'failure':
      return [FAILURE_KIND, message.id, message.error]
    case 'notice':
      return [NOTICE_KIND, message.name, message.args]
  }
}

export function encodeFrame(
  number: number,
  received: number,
  messages: readonly Uint8Array[],
): Uint8Array {
  return Buffer.concat([encoder.encode(number), encoder.encode(received), ...messages])
}

/**
 * The other side is not trusted.
 * @param maxContainers - lists and objects in the frame; default: any number
 * @throws {FrameFault} on anything that is not a frame
 */
export function decodeFrame(
  bytes: Uint8Array,
  maxContainers = Number.POSITIVE_INFINITY,
): MessageFrame {
  const fault = findFault(bytes, maxContainers)
  if (fault !== undefined) throw new FrameFault(fault)
  const values: unknown[] = []
  try {
    // From a Buffer the decoder would make further Buffers.
    const view = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (const value of decoder.decodeMulti(view)) values.push(value)
  } catch (error) {
    throw new FrameFault('it cannot be decoded', { cause: error })
  }
  const [number, received, ...messages] = values
  if (!isCount(number) || !isCount(received)) throw new FrameFault('its head is wrong')
  return { number, received, messages: messages.map(messageFromList) }
}

function messageFromList(value: unknown): Message {
  if (!Array.isArray(value)) throw new FrameFault('a message is no list')
  const [kind, first, second, third] = value as unknown[]
  if (kind === NOTICE_KIND) {
    if (typeof first !== 'string') throw new FrameFault('a notice has no name')
    return { type: 'notice', name: first, args: second }
  }
  if (!isCount(first)) throw new FrameFault('a message has no number')
  switch (kind) {
    case REQUEST_KIND:
      if (typeof second !== 'string') throw new FrameFault('a request has no name')
      return { type: 'request', id: first, name: second, args: third }
    case CANCEL_KIND:
      return { type: 'cancel', id: first }
    case ANSWER_KIND:
      return { type: 'answer', id: first, value: copyBytes(second) }
    case FAILURE_KIND:
      return { type: 'failure', id: first, error: readPlainError(second) }
    default:
      throw new FrameFault('a message of an unknown kind')
  }
}

/** So that bytes of an answer do not keep the memory of the frame. */
function copyBytes(value: unknown): unknown {
  return value instanceof Uint8Array ? value.slice() : value
}

function readPlainError(value: unknown, causes = 0): PlainError {
  if (!isObject(value) || causes > MAX_ERROR_CAUSES) throw new FrameFault('an error is none')
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
    ...(cause !== undefined && { cause: readPlainError(cause, causes + 1) }),
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
