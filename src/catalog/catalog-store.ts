import { all, count, one, run, storeOf, value } from '../kernel/database/statements.ts'
import type { Caller } from '../kernel/method.ts'
import { KeyError, unknownIdentifier } from '../values/errors.ts'
import type { CatalogType } from './item.ts'

export interface CatalogRow {
  num: number
  id: string
  keyId: string
  name: string
  type: CatalogType
  total: number
  /** JSON. */
  keyvalues: string
}

const SELECT_CATALOG = 'SELECT num, id, key_id AS keyId, name, type, total, keyvalues FROM catalogs'

export class CatalogStore extends storeOf({
  byId: one<[id: string], CatalogRow>(`${SELECT_CATALOG} WHERE id = ?`),
  byName: one<[keyId: string, name: string], CatalogRow>(
    `${SELECT_CATALOG} WHERE key_id = ? AND name = ?`,
  ),
  list: all<[keyId: string, results: number, start: number], CatalogRow>(
    `${SELECT_CATALOG} WHERE key_id = ? AND gone = 0 ORDER BY num LIMIT ? OFFSET ?`,
  ),
  count: count<[keyId: string]>('SELECT count(*) FROM catalogs WHERE key_id = ? AND gone = 0'),
  typeOf: value<[num: number], CatalogType>('SELECT type FROM catalogs WHERE num = ?'),
  keyvaluesOf: value<[num: number], string>('SELECT keyvalues FROM catalogs WHERE num = ?'),
  add: run<Pick<CatalogRow, 'id' | 'keyId' | 'name' | 'type'> & { now: number }>(
    'INSERT INTO catalogs (id, key_id, name, type, created_at) VALUES (@id, @keyId, @name, @type, @now)',
  ),
  setKeyvalues: run<[keyvalues: string, num: number]>(
    'UPDATE catalogs SET keyvalues = ? WHERE num = ?',
  ),
  saveSearch: run<{ catalog: number; name: string; content: string }>(
    'INSERT OR REPLACE INTO catalog_searches (catalog, name, content) VALUES (@catalog, @name, @content)',
  ),
  removeSearch: run<[num: number, name: string]>(
    'DELETE FROM catalog_searches WHERE catalog = ? AND name = ?',
  ),
  searches: all<[num: number], { name: string; content: string }>(
    'SELECT name, content FROM catalog_searches WHERE catalog = ? ORDER BY name',
  ),
  /** `removeDeleted` removes its contents. */
  markDeleted: run<[num: number]>(
    "UPDATE catalogs SET gone = 1, total = 0, id = id || ' gone', name = id || ' gone' WHERE num = ?",
  ),
  firstDeleted: value<[], number>('SELECT num FROM catalogs WHERE gone = 1 LIMIT 1'),
  removeItems: run<[num: number, most: number]>(
    'DELETE FROM catalog_items WHERE num IN (SELECT num FROM catalog_items WHERE catalog = ? LIMIT ?)',
  ),
  removeInfos: run<[num: number, most: number]>(
    `DELETE FROM ticket_infos WHERE num IN (
       SELECT i.num FROM tickets t JOIN ticket_infos i ON i.ticket = t.num WHERE t.catalog = ? LIMIT ?)`,
  ),
  removeTickets: run<[num: number, most: number]>(
    'DELETE FROM tickets WHERE num IN (SELECT num FROM tickets WHERE catalog = ? LIMIT ?)',
  ),
  remove: run<[num: number]>('DELETE FROM catalogs WHERE num = ?'),
}) {
  findCatalog(id: string): CatalogRow {
    const row = this.byId(id)
    if (row) return row
    throw unknownIdentifier(id)
  }

  findOwn(id: string, caller: Caller): CatalogRow {
    const row = this.findCatalog(id)
    if (row.keyId === caller.id) return row
    throw new KeyError(
      'not_allowed',
      `id - Not allowed: the catalog ${id} was made with another api key; only that one may change it`,
    )
  }

  /** Returns whether there may be more. */
  removeDeleted(maxRows: number): boolean {
    const num = this.firstDeleted()
    if (num === undefined) return false
    const removals = [this.removeItems, this.removeInfos, this.removeTickets]
    if (!removals.some((remove) => remove(num, maxRows).changes > 0)) this.remove(num)
    return true
  }
}
