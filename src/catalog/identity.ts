import { isDeepStrictEqual } from 'node:util'
import { known } from '../values/known.ts'
import { DETAILS, exclude, IDENTITY, type Item } from './item.ts'

export type Identity = Partial<Pick<Item, (typeof IDENTITY)[number]>>
/** The other fields of an item that are kept as submitted. */
export type Details = Partial<Pick<Item, (typeof DETAILS)[number]>>

/**
 * An item after an update. `null` clears a field. A name that differs from before replaces all names
 * of the item; but a fingerprint, a title or an artist that comes alone joins the other names. The
 * details that are not given stay.
 *
 * @returns `isRenamed`: whether the item has to be resolved again
 */
export function merged(
  before: { identity: Identity; details: Details },
  item: Item,
): { identity: Identity; details: Details; isRenamed: boolean } {
  const given = pick(item, IDENTITY)
  const details = known({ ...before.details, ...pick(item, DETAILS) })
  const same = Object.entries(given).every(([name, value]) => {
    const old = before.identity[name as keyof Identity]
    return value === null ? old === undefined : isDeepStrictEqual(value, old)
  })
  if (same) return { identity: before.identity, details, isRenamed: false }
  const identity = known({ ...left(before.identity, given), ...given })
  return { identity, details, isRenamed: true }
}

function left(before: Identity, given: Identity): Identity {
  const [name, another] = Object.keys(known(given))
  if (name === undefined) return before
  // These identify a song alone: the old names may belong to another song.
  if (another !== undefined || name === 'songId' || name === 'trackId') return {}
  return Object.fromEntries(Object.entries(before).filter(([old]) => !exclude(old, name)))
}

function pick<K extends keyof Item>(item: Item, names: readonly K[]): Partial<Pick<Item, K>> {
  const given = names.filter((name) => item[name] !== undefined)
  return Object.fromEntries(given.map((name) => [name, item[name]])) as Partial<Pick<Item, K>>
}
