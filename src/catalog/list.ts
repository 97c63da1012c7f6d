import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { pageParameters } from '../options/parameter-types.ts'
import type { CatalogType } from './item.ts'
import type { CatalogRoom } from './room.ts'

/** A catalog. */
export interface CatalogInfo {
  /** `CA…` */
  id: string
  /** Unique among those of its key. */
  name: string
  /** Whether its items are songs or artists. */
  type: CatalogType
  /** Items in it. */
  total: number
}

/** A page of catalogs. */
export interface CatalogPage {
  /** Where the page begins. */
  start: number
  /** The number of all catalogs. */
  total: number
  /** In the order of creation. */
  catalogs: CatalogInfo[]
}

/** `catalog/list`: the catalogs of the calling key, in the order of creation. */
export const listCatalogs = method({
  name: 'catalog/list',
  verbs: ['GET'],
  parameters: z.strictObject(pageParameters(30)),
  run({ catalogs }: CatalogRoom, { results, start }, { caller }): CatalogPage {
    const rows = catalogs.list(caller.id, results, start)
    return {
      start,
      total: catalogs.count(caller.id),
      catalogs: rows.map(({ id, name, type, total }) => ({ id, name, type, total })),
    }
  },
})
