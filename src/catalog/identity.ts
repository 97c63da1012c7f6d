import { isDeepStrictEqual } from 'node:util'
import { known } from '../values/known.ts'
import { areExclusive, DETAILS, IDENTITY, type Item } from './item.ts'

export type Identity = Partial<Pick<Item, (typeof IDENTITY)[number]>>
export type Details = Partial<Pick<Item, (typeof DETAILS)[number]>>

/**
 * An item after an update; a lone fingerprint, title or artist joins the old names, others replace
 * them.
 * @returns `isRenamed`: whether the item has to be resolved again
 */
export function mergeItem(
  oldItem: { identity: Identity; details: Details },
  item: Item,
): { identity: Identity; details: Details; isRenamed: boolean } {
  const newNames = pickFields(item, IDENTITY)
  const details = known({ ...oldItem.details, ...pickFields(item, DETAILS) })
  const isUnchanged = Object.entries(newNames).every(([name, value]) => {
    const oldValue = oldItem.identity[name as keyof Identity]
    return value === null ? oldValue === undefined : isDeepStrictEqual(value, oldValue)
  })
  if (isUnchanged) return { identity: oldItem.identity, details, isRenamed: false }
  const identity = known({ ...remainingNames(oldItem.identity, newNames), ...newNames })
  return { identity, details, isRenamed: true }
}

function remainingNames(oldNames: Identity, newNames: Identity): Identity {
  const [name, secondName] = Object.keys(known(newNames))
  if (name === undefined) return oldNames
  // These identify a song alone: the old names may belong to another song.
  if (secondName !== undefined || name === 'songId' || name === 'trackId') return {}
  return Object.fromEntries(
    Object.entries(oldNames).filter(([oldName]) => !areExclusive(oldName, name)),
  )
}

function pickFields<K extends keyof Item>(item: Item, names: readonly K[]): Partial<Pick<Item, K>> {
  const givenNames = names.filter((name) => item[name] !== undefined)
  return Object.fromEntries(givenNames.map((name) => [name, item[name]])) as Partial<Pick<Item, K>>
}
