import { randomBytes, randomInt } from 'node:crypto'
import { md5 } from './md5.ts'

/** The first two letters of an id, by type. */
const ID_PREFIX = Object.freeze({
  artist: 'AR',
  song: 'SO',
  release: 'RE',
  track: 'TR',
  catalog: 'CA',
} as const)

type IdType = keyof typeof ID_PREFIX

const ID_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const NATIVE_ID = /^(AR|SO|RE|TR|CA)[0-9A-Z]{16}$/
const FOREIGN_ID = /^([^:]+):(artist|song|release|track|catalog):(.+)$/s

/** Of sequences of five letters. */
const LETTER_SEQUENCES = ID_LETTERS.length ** 5

let sequence = randomInt(LETTER_SEQUENCES)

/**
 * Two letters for the type, five letters, and the time in milliseconds as eleven hexadecimal
 * digits.
 * The letters count on from a random start, so that ids of one millisecond differ and an index
 * grows at one place.
 */
export function newId(type: IdType, now: number): string {
  sequence = (sequence + 1) % LETTER_SEQUENCES
  let letters = ''
  for (let quotient = sequence, i = 0; i < 5; i++, quotient = Math.floor(quotient / 26))
    letters = ID_LETTERS[quotient % 26] + letters
  return ID_PREFIX[type] + letters + now.toString(16).toUpperCase().padStart(11, '0')
}

/** The same foreign id gives the same id in the service's format. */
export function derivedId(type: IdType, foreignId: Omit<ForeignId, 'type'>): string {
  return (
    ID_PREFIX[type] +
    md5(formatForeignId({ type, ...foreignId }))
      .slice(0, 16)
      .toUpperCase()
  )
}

/** 32 lower-case hexadecimal digits. */
export function newTicket(): string {
  return randomBytes(16).toString('hex')
}

export function isId(type: IdType, value: string): boolean {
  return NATIVE_ID.test(value) && value.startsWith(ID_PREFIX[type])
}

/** An id of another id space, `<catalog>:<type>:<id>`. */
export interface ForeignId {
  catalog: string
  type: IdType
  id: string
}

/** `undefined` when `value` is not `<catalog>:<type>:<id>`. */
export function parseForeignId(value: string): ForeignId | undefined {
  const match = FOREIGN_ID.exec(value)
  if (!match) return undefined
  const [, catalog, type, id] = match
  return { catalog: catalog as string, type: type as IdType, id: id as string }
}

export function formatForeignId({ catalog, type, id }: ForeignId): string {
  return `${catalog}:${type}:${id}`
}
