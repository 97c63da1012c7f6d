import { isDeepStrictEqual } from 'node:util'
import { DETAILS, exclude, IDENTITY, type Item } from './item.ts'

/** What names a song or an artist, as submitted. */
export type Identity = Partial<Pick<Item, (typeof IDENTITY)[number]>>
/** What else is said of an item, as submitted. */
export type Details = Partial<Pick<Item, (typeof DETAILS)[number]>>

/**
 * What an item is after an update. Values that are the same as before are no change. Any other is one:
 * what the entry gives takes the place of all that named the item, but a fingerprint, a title or an
 * artist that comes alone joins the rest. What else is said of the item stays. `null` clears a field.
 *
 * @returns whether it has to be resolved anew
 */
export function merged(
  before: { identity: Identity; details: Details },
  item: Item,
): { identity: Identity; details: Details; changed: boolean } {
  const given = pick(item, IDENTITY)
  const details = cleared({ ...before.details, ...pick(item, DETAILS) })
  const same = Object.entries(given).every(([name, value]) => {
    const old = before.identity[name as keyof Identity]
    return value === null ? old === undefined : isDeepStrictEqual(value, old)
  })
  if (same) return { identity: before.identity, details, changed: false }
  const identity = cleared({ ...left(before.identity, given), ...given })
  return { identity, details, changed: true }
}

/** What stays of an identity beside one that is given. */
function left(before: Identity, given: Identity): Identity {
  const [name, another] = Object.keys(cleared(given))
  if (name === undefined) return before
  // These name a song by themselves: nothing of the one before is true of it.
  if (another !== undefined || name === 'songId' || name === 'trackId') return {}
  return Object.fromEntries(Object.entries(before).filter(([old]) => !exclude(old, name)))
}

function pick<K extends keyof Item>(item: Item, names: readonly K[]): Partial<Pick<Item, K>> {
  const given: Partial<Pick<Item, K>> = {}
  for (const name of names) if (item[name] !== undefined) given[name] = item[name]
  return given
}

/** Without what is null. */
function cleared<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as T
}
