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

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const NATIVE = /^(AR|SO|RE|TR|CA)[0-9A-Z]{16}$/
const FOREIGN = /^([^:]+):(artist|song|release|track|catalog):(.+)$/s

/** The number of sequences of five letters. */
const SETS = LETTERS.length ** 5

let set = randomInt(SETS)

/**
 * A new id in the service's format: two letters for the type, five letters, and the current time in
 * milliseconds as eleven hexadecimal digits, e.g. `TRTLKZV12E5AC92E11`.
 *
 * The letters count on from a random start: ids of one process in the same millisecond differ, as
 * an import makes dozens of them; and their order is that of making, so that an index of ids grows
 * at one place, and not on all its pages at once.
 */
export function newId(type: IdType, now: number): string {
  set = (set + 1) % SETS
  let letters = ''
  for (let rest = set, i = 0; i < 5; i++, rest = Math.floor(rest / 26))
    letters = LETTERS[rest % 26] + letters
  return ID_PREFIX[type] + letters + now.toString(16).toUpperCase().padStart(11, '0')
}

/** The id for a foreign id, in the service's format; the same foreign id gives the same id. */
export function derivedId(type: IdType, of: Omit<ForeignId, 'type'>): string {
  return (
    ID_PREFIX[type] +
    md5(formatForeignId({ type, ...of }))
      .slice(0, 16)
      .toUpperCase()
  )
}

/** A new ticket: 32 lower-case hexadecimal digits. */
export function newTicket(): string {
  return randomBytes(16).toString('hex')
}

/** Whether `value` has the form of an id of this type. */
export function isId(type: IdType, value: string): boolean {
  return NATIVE.test(value) && value.startsWith(ID_PREFIX[type])
}

/** An id of another id space, `<catalog>:<type>:<id>`. */
export interface ForeignId {
  catalog: string
  type: IdType
  id: string
}

/** Reads `<catalog>:<type>:<id>`; `undefined` when `value` is not of that form. */
export function parseForeignId(value: string): ForeignId | undefined {
  const match = FOREIGN.exec(value)
  if (!match) return undefined
  const [, catalog, type, id] = match
  return { catalog: catalog as string, type: type as IdType, id: id as string }
}

export function formatForeignId({ catalog, type, id }: ForeignId): string {
  return `${catalog}:${type}:${id}`
}
