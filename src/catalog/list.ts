import { z } from 'zod'
import { method } from '../kernel/method.ts'
import type { CatalogType } from './item.ts'
import type { CatalogRoom } from './room.ts'

const parameters = z.strictObject({
  /** How many are answered at most, 0…100. Default 30. */
  results: z.int().min(0).max(100).default(30),
  /** How many are passed over. Default 0. */
  start: z.int().min(0).default(0),
})

/** A page of catalogs. */
export interface CatalogPage {
  /** Where the page begins. */
  start: number
  /** Catalogs in all. */
  total: number
  /** In the order they were made. */
  catalogs: {
    /** `CA…` */
    id: string
    /** Unique among those of the key. */
    name: string
    /** Whether its items are songs or artists. */
    type: CatalogType
    /** Items in it. */
    total: number
  }[]
}

/** `catalog/list`: the catalogs of the calling key, in the order they were made. */
export const list = method({
  name: 'catalog/list',
  verbs: ['GET'],
  parameters,
  run({ store }: CatalogRoom, { results, start }, { caller }): CatalogPage {
    const catalogs = store
      .list(caller.id, start, results)
      .map(({ id, name, type, total }) => ({ id, name, type, total }))
    return { start, total: store.countOf(caller.id), catalogs }
  },
})
