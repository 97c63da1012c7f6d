import type { Database } from 'better-sqlite3'
import { CHUNKS, createLayout, WRITABLE_LAYOUT } from '../../../src/recognition/index/layout.ts'
import { forEachPosting } from '../../../src/recognition/index/rows.ts'
import { storedKeys } from '../../../src/recognition/recording-store.ts'
import { FAMILIES } from '../../../src/recognition/systems/version.ts'
import { CODES } from './deeds/base.ts'
import { WAITING } from './settle.ts'

/** What each of these counts there must be none of, in a database at rest. */
const NONE: Readonly<Record<string, string>> = {
  'tracks pending': "SELECT count(*) FROM tracks WHERE status = 'pending'",
  // One that is open never got its last part: nobody was answered.
  'updates under way':
    "SELECT count(*) FROM tickets WHERE state NOT IN ('open', 'complete', 'error')",
  'updates that ended before their entries':
    "SELECT count(*) FROM tickets WHERE state = 'complete' AND applied <> total_items",
  'batches of updates that ended': `SELECT count(*) FROM ticket_batches b JOIN tickets t ON t.num = b.ticket
    WHERE t.state <> 'open'`,
  'entries refused': 'SELECT count(*) FROM ticket_infos',
  'items that wait for a ticket': 'SELECT count(*) FROM catalog_items WHERE ticket IS NOT NULL',
  'catalogs whose count is wrong': `SELECT count(*) FROM catalogs c
    WHERE c.gone = 0 AND c.total <> (SELECT count(*) FROM catalog_items i WHERE i.catalog = c.num)`,
  'feeds being refreshed or removed': 'SELECT count(*) FROM feeds WHERE state <> 0',
  'feed items of no feed':
    'SELECT count(*) FROM feed_items i WHERE NOT EXISTS (SELECT 1 FROM feed_entries e WHERE e.item = i.num)',
  'songs of tracks that are gone':
    'SELECT count(*) FROM songs s WHERE imported = 0 AND NOT EXISTS (SELECT 1 FROM tracks t WHERE t.song_id = s.id)',
  'songs without words': `SELECT abs((SELECT count(*) FROM songs) - (SELECT count(*) FROM song_words_docsize))`,
  'artists without words': `SELECT abs((SELECT count(*) FROM artists) - (SELECT count(*) FROM artist_words_docsize))`,
  'tasks of the index begun': 'SELECT count(*) FROM index_state WHERE task IS NOT NULL',
  'jobs claimed': 'SELECT count(*) FROM jobs WHERE claimed_by IS NOT NULL',
}

/** What is wrong with a database that is at rest, whatever was done with it. */
export function flawsOf(database: Database): string[] {
  const flaws: string[] = []
  const integrity = database.pragma('integrity_check', { simple: true })
  if (integrity !== 'ok') flaws.push(`integrity: ${integrity}`)
  const dangling = database.pragma('foreign_key_check') as { table: string }[]
  if (dangling[0]) flaws.push(`${dangling.length} foreign keys dangle, of ${dangling[0].table}`)
  for (const [what, sql] of Object.entries(NONE)) {
    const count = database.prepare<[], number>(sql).pluck().get() ?? 0
    if (count > 0) flaws.push(`${count} ${what}`)
  }
  const waiting = WAITING.map((kind) => `'${kind}'`).join()
  const jobs = database
    .prepare(
      `SELECT kind, subject, attempts, error FROM jobs
       WHERE failed_at IS NULL AND kind NOT IN (${waiting})`,
    )
    .all()
  if (jobs.length > 0) flaws.push(`jobs are left: ${JSON.stringify(jobs)}`)
  return [...flaws, ...wrongPostings(database)]
}

/**
 * Imported recordings that the index of fingerprints does not hold exactly once: either unpacked or
 * in the postings, with every one of their codes.
 */
function wrongPostings(database: Database): string[] {
  const codes = new Map<number, number>()
  const count = (recording: number) => codes.set(recording, (codes.get(recording) ?? 0) + 1)
  const unpacked = database
    .prepare<[number], { id: number; codes: Buffer }>(
      'SELECT recording_id AS id, codes FROM recording_codes WHERE family = ?',
    )
    .all(FAMILIES.enmfp)
  for (const { id, codes } of unpacked) for (const _ of storedKeys(codes).keys) count(id)
  const layout = createLayout(WRITABLE_LAYOUT).enmfp
  const rows = database
    .prepare<[number, number], { id: number; postings: Buffer }>(
      'SELECT id, postings FROM postings WHERE id BETWEEN ? AND ?',
    )
    .all(layout.rowOf(0), layout.lastRowOf(CHUNKS * layout.chunk - 1))
  for (const row of rows) forEachPosting(layout, row, (_key, recording) => count(recording))
  const imported = database
    .prepare<[], number>('SELECT id FROM recordings WHERE track_id IS NULL')
    .pluck()
    .all()
  const wrong = imported.filter((id) => codes.get(id) !== CODES)
  for (const id of imported) codes.delete(id)
  const flaws: string[] = []
  const [first] = wrong
  if (first !== undefined) {
    flaws.push(`${wrong.length} recordings are not indexed once, ${first} the first`)
  }
  if (codes.size > 0) flaws.push(`${codes.size} recordings are indexed that are not there`)
  return flaws
}
