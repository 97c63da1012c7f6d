import type { Database } from 'better-sqlite3'
import { pick, whole } from '../../../support/chance.ts'
import { BASE_SONGS, baseSong, COUNTER } from './base.ts'
import { idsOf, type Kind } from './deed.ts'

/** An update of a catalog: an item with its plays, more items, and as many plays of the counter. */
export interface Update {
  op: string
  catalog: string
  plays: number
  items: number
}

/** More entries than one message holds make an update of several. */
const LARGE = 1_400

export const update: Kind<Update, { ticket: string }> = {
  name: 'update',
  weight: 5,
  draw(op, random, { ground }) {
    const items = random() < 0.06 ? LARGE : whole(random, 0, 60)
    return { op, catalog: pick(random, ground.catalogs), plays: whole(random, 1, 6), items }
  },
  async perform(music, { op, catalog, plays, items }, signal) {
    const handle = await music.catalogs.get({ id: catalog })
    const play = (itemId: string) =>
      Array.from({ length: plays }, () => ({ action: 'play' as const, item: { itemId } }))
    const song = (i: number) => `imported:song:${baseSong(i % BASE_SONGS)}`
    const entries = [
      { item: { itemId: op, songId: song(op.length) } },
      ...play(op),
      ...Array.from({ length: items }, (_, i) => ({
        item: { itemId: `${op}_${i}`, songId: song(i) },
      })),
      ...play(COUNTER),
    ]
    const ticket = await handle.update(entries, { signal })
    return { ticket: ticket.id }
  },
  atOnce: () => true,
  find(database, { op, catalog, plays, items }, answer) {
    const { from, end } = idsOf(op)
    const found = database
      .prepare<[string, string, string, string], { count: number; songs: number; plays: number }>(
        `SELECT count(*) AS count, count(i.song) AS songs, coalesce(sum(i.play_count), 0) AS plays
         FROM catalogs c JOIN catalog_items i ON i.catalog = c.num
         WHERE c.id = ? AND (i.item_id = ? OR (i.item_id >= ? AND i.item_id < ?))`,
      )
      .get(catalog, op, from, end)
    const state =
      answer === undefined
        ? undefined
        : database
            .prepare<[string], string>('SELECT state FROM tickets WHERE id = ?')
            .pluck()
            .get(answer.ticket)
    if (answer !== undefined && state !== undefined && state !== 'complete') {
      return { broken: `its ticket is ${state}` }
    }
    if (!found || found.count === 0) return 'absent'
    const { count, songs } = found
    if (count !== items + 1) return { broken: `${count} of its ${items + 1} items are there` }
    if (songs !== count) return { broken: `${count - songs} of ${count} items are not resolved` }
    if (found.plays !== plays) return { broken: `${found.plays} plays, not ${plays}` }
    return answer !== undefined && state === undefined
      ? { broken: 'its ticket is gone' }
      : 'present'
  },
}

/** Counters of catalogs that do not show exactly the plays of the updates that are there. */
export function wrongCounters(database: Database, updates: readonly Update[]): string[] {
  const expected = new Map<string, number>()
  for (const { catalog, plays } of updates) {
    expected.set(catalog, (expected.get(catalog) ?? 0) + plays)
  }
  const counters = database
    .prepare<[string], { catalog: string; plays: number }>(
      `SELECT c.id AS catalog, coalesce(i.play_count, 0) AS plays
       FROM catalog_items i JOIN catalogs c ON c.num = i.catalog WHERE i.item_id = ?`,
    )
    .all(COUNTER)
  return counters
    .filter(({ catalog, plays }) => plays !== (expected.get(catalog) ?? 0))
    .map(
      ({ catalog, plays }) =>
        `the counter of ${catalog} shows ${plays} plays, not ${expected.get(catalog) ?? 0}`,
    )
}
