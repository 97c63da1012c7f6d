import { isDeepStrictEqual } from 'node:util'
import { DETAILS, IDENTITY, type Item } from './item.ts'

/** What names a song or an artist, as submitted. */
export type Identity = Partial<Pick<Item, (typeof IDENTITY)[number]>>
/** What else is said of an item, as submitted. */
export type Details = Partial<Pick<Item, (typeof DETAILS)[number]>>

/**
 * What an item is after an update. Values that are the same as before are no change; any that is
 * not replaces all that named the item, and what was said of it then, as it is another one now.
 * `null` clears a field.
 *
 * @returns whether it has to be resolved anew
 */
export function merged(
  before: { identity: Identity; details: Details },
  item: Item,
): { identity: Identity; details: Details; changed: boolean } {
  const given = pick(item, IDENTITY)
  const said = pick(item, DETAILS)
  const same = Object.entries(given).every(([name, value]) => {
    const old = before.identity[name as keyof Identity]
    return value === null ? old === undefined : isDeepStrictEqual(value, old)
  })
  if (same) {
    return {
      identity: before.identity,
      details: cleared({ ...before.details, ...said }),
      changed: false,
    }
  }
  const named = Object.values(given).some((value) => value !== null)
  return {
    identity: cleared(named ? given : { ...before.identity, ...given }),
    details: cleared(said),
    changed: true,
  }
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
