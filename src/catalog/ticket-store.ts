import { all, one, run, storeOf, value } from '../kernel/database/statements.ts'
import type { CatalogType } from './item.ts'

export interface TicketRow {
  num: number
  id: string
  /** Its number, its type, and the items in it. */
  catalog: number
  type: CatalogType
  total: number
  /** `open` while its parts are sent; then the stages in `update.ts`. */
  state: 'open' | 'accepted' | 'checked' | 'applied' | 'complete' | 'error'
  /** Whether local files of items are to be analysed. */
  analyze: 0 | 1
  totalItems: number
  applied: number
  updated: number
  toResolve: number
  resolved: number
  details: string | null
  acceptedAt: number | null
}

export interface BatchRow {
  seq: number
  entries: string
  applied: number
}

const MAX_INFO_LENGTH = 300

/** Exactly as in the index `tickets_unfinished`, which SQLite uses for no other wording. */
const IS_UNFINISHED = "t.state NOT IN ('complete', 'error')"
const SELECT_TICKET = `
SELECT t.num, t.id, t.catalog, c.type, c.total, t.state, t.analyze, t.total_items AS totalItems,
  t.applied, t.updated, t.to_resolve AS toResolve, t.resolved, t.details, t.accepted_at AS acceptedAt
FROM tickets t JOIN catalogs c ON c.num = t.catalog`

export class TicketStore extends storeOf({
  byId: one<[id: string], TicketRow>(`${SELECT_TICKET} WHERE t.id = ? AND c.gone = 0`),
  byNum: one<[num: number], TicketRow>(`${SELECT_TICKET} WHERE t.num = ?`),
  analyzes: value<[num: number], 0 | 1>('SELECT analyze FROM tickets WHERE num = ?'),
  firstUnapplied: one<[catalog: number], TicketRow>(
    `${SELECT_TICKET} WHERE t.catalog = ? AND ${IS_UNFINISHED} AND t.state IN ('accepted', 'checked')
     ORDER BY t.turn LIMIT 1`,
  ),
  unfinished: all<[catalog: number], TicketRow>(
    `${SELECT_TICKET} WHERE t.catalog = ? AND ${IS_UNFINISHED} AND t.state <> 'open' ORDER BY t.turn`,
  ),
  add: run<{ id: string; catalog: number; analyze: 0 | 1; now: number }>(
    `INSERT INTO tickets (id, catalog, state, analyze, created_at)
     VALUES (@id, @catalog, 'open', @analyze, @now)`,
  ),
  accept: run<{ num: number; catalog: number; now: number }>(
    `UPDATE tickets SET state = 'accepted', accepted_at = @now,
       turn = (SELECT coalesce(max(turn), 0) + 1 FROM tickets t
         WHERE catalog = @catalog AND ${IS_UNFINISHED})
     WHERE num = @num`,
  ),
  setState: run<[state: TicketRow['state'], num: number]>(
    'UPDATE tickets SET state = ? WHERE num = ?',
  ),
  setError: run<[details: string, num: number]>(
    "UPDATE tickets SET state = 'error', details = ? WHERE num = ?",
  ),
  setApplied: run<{ num: number }>(
    `UPDATE tickets SET state = 'applied',
       to_resolve = (SELECT count(*) FROM catalog_items WHERE ticket = @num)
     WHERE num = @num`,
  ),
  countApplied: run<{ num: number; applied: number; updated: number }>(
    'UPDATE tickets SET applied = applied + @applied, updated = updated + @updated WHERE num = @num',
  ),
  countResolved: run<[items: number, num: number]>(
    'UPDATE tickets SET resolved = resolved + ? WHERE num = ?',
  ),
  releaseItems: run<[num: number]>(
    'UPDATE catalog_items SET ticket = NULL, tried = 0 WHERE ticket = ?',
  ),
  removeAbandoned: run<[begunBefore: number]>(
    `DELETE FROM tickets AS t WHERE ${IS_UNFINISHED} AND t.state = 'open' AND t.created_at < ?`,
  ),

  insertBatch: run<{ num: number; entries: string }>(
    `INSERT INTO ticket_batches (ticket, seq, entries)
     SELECT @num, coalesce(max(seq), -1) + 1, @entries FROM ticket_batches WHERE ticket = @num`,
  ),
  countEntries: run<[entries: number, num: number]>(
    'UPDATE tickets SET total_items = total_items + ? WHERE num = ?',
  ),
  batch: one<[num: number, from: number], BatchRow>(
    `SELECT seq, entries, applied FROM ticket_batches WHERE ticket = ? AND seq >= ?
     ORDER BY seq LIMIT 1`,
  ),
  setBatchApplied: run<[applied: number, num: number, seq: number]>(
    'UPDATE ticket_batches SET applied = ? WHERE ticket = ? AND seq = ?',
  ),
  removeBatch: run<[num: number, seq: number]>(
    'DELETE FROM ticket_batches WHERE ticket = ? AND seq = ?',
  ),
  removeBatches: run<[num: number]>('DELETE FROM ticket_batches WHERE ticket = ?'),

  insertInfo: run<[num: number, itemId: string | null, info: string]>(
    'INSERT INTO ticket_infos (ticket, item_id, info) VALUES (?, ?, ?)',
  ),
  infos: all<[num: number, most: number], { itemId: string | null; info: string }>(
    'SELECT item_id AS itemId, info FROM ticket_infos WHERE ticket = ? ORDER BY num LIMIT ?',
  ),
}) {
  addBatch(num: number, entries: string, count: number): void {
    this.insertBatch({ num, entries })
    this.countEntries(count, num)
  }

  addInfo(num: number, itemId: string | null, info: string): void {
    const shortInfo = info.length <= MAX_INFO_LENGTH ? info : `${info.slice(0, MAX_INFO_LENGTH)}…`
    this.insertInfo(num, itemId, shortInfo)
  }

  /** No more entries are applied, and no item waits for it. */
  failUpdate(num: number, details: string): void {
    this.setError(details, num)
    this.removeBatches(num)
    this.releaseItems(num)
  }
}
