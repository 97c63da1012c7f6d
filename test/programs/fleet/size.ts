import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRooms } from '../../../src/engine/rooms.ts'
import { LocalHost } from '../../../src/host.ts'
import { newId } from '../../../src/ids.ts'
import { openDatabase } from '../../../src/kernel/database/open.ts'
import { transaction } from '../../../src/kernel/database/transaction.ts'
import { openKernel } from '../../../src/kernel/open.ts'
import { resolveOptions } from '../../../src/options.ts'
import { ANALYZE_JOB } from '../../../src/track/request-analysis.ts'
import { analyzeFile } from '../../../src/workers/tasks.ts'
import type { Workers } from '../../../src/workers/workers.ts'
import { waveFile } from '../../support/clips.ts'
import { madeLibrary } from '../../support/made-library.ts'
import { tune } from '../../support/tune.ts'
import { madePrints } from './made-prints.ts'

/** Length of a track, seconds. */
const SECONDS = 240
/** Results between two figures. */
const WINDOW = 2_500

/** What so many tracks cost their owner. */
export interface Costs {
  tracks: number
  /** Processor time of the last results, a result. */
  milliseconds: number
  bytesPerTrack: number
}

/**
 * What storing a result costs with many tracks in the database, apart from queue and store: the bytes,
 * and the processor time with the packing of the index. Results are those of `ownerShare`.
 *
 * @param documents - whether the database keeps the analysis documents
 */
export async function growth(
  tracks: number,
  documents: boolean,
  tell: (costs: Costs) => void,
): Promise<{ documentBytes: number; bytes: Record<string, number> }> {
  const home = mkdtempSync(join(tmpdir(), 'audile-fleet-'))
  mkdirSync(join(home, 'music'))
  const long = await waveFile(home, 'long.wav', tune({ seed: 1, seconds: SECONDS }))
  const result = await analyzeFile({ path: long, decode: {}, meta: {} }, () => {})
  const kept = documents ? result : { ...result, document: undefined }
  const database = join(home, 'music.db')
  const { config } = resolveOptions({ database, engine: 'inline', workers: 0 })
  const db = openDatabase(database)
  let ended = 0
  /** Processor time that makes prints, microseconds. */
  let making = 0
  const workers = {
    ...{ width: 100, isolates: true, close: async () => {} },
    async run() {
      const began = process.cpuUsage()
      const prints = madePrints(SECONDS, ended++)
      making += spent(began)
      return { ...kept, prints }
    },
  } as unknown as Workers
  const { kernel, jobs } = openKernel(db, config, {
    host: new LocalHost({ fetch, logger: {} }),
    ...{ emit: () => {}, now: Date.now, connect: () => Promise.reject() },
  })
  await openRooms(kernel, workers)
  jobs.start()
  const library = madeLibrary(tracks)
  const addTrack = db.prepare(
    `INSERT INTO tracks (id, md5, status, title, artist, release, tags, created_at, updated_at)
     VALUES (@id, @md5, 'pending', @title, @artist, @release, @tags, 0, 0)`,
  )
  const addFile = db.prepare(
    'INSERT INTO track_files (path, track_id, size, modified) VALUES (?, ?, ?, ?)',
  )
  for (let from = 0; from < tracks; from += WINDOW) {
    const paths = library
      .slice(from, from + WINDOW)
      .map((_, i) => join(home, 'music', `${from + i}`))
    for (const path of paths) writeFileSync(path, '')
    transaction(db)(() => {
      for (const [i, path] of paths.entries()) {
        const { title, artist, release } = library[from + i] as (typeof library)[0]
        const [id, md5] = [newId('track', Date.now()), (from + i).toString(16).padStart(32, '0')]
        addTrack.run({ id, md5, title, artist, release, tags: '{}' })
        const { size, mtimeMs: modified } = statSync(path)
        addFile.run(path, id, size, modified)
        kernel.enqueue({ kind: ANALYZE_JOB, subject: id, payload: { size, modified }, priority: 0 })
      }
    })
    const began = process.cpuUsage()
    making = 0
    const waiting = db.prepare<[], number>('SELECT count(*) FROM jobs').pluck()
    while ((waiting.get() ?? 0) > 0) await new Promise((resolve) => setTimeout(resolve, 200))
    const milliseconds = (spent(began) - making) / 1000 / paths.length
    db.pragma('wal_checkpoint(TRUNCATE)')
    const bytesPerTrack = Math.round(statSync(database).size / (from + paths.length))
    tell({ tracks: from + paths.length, milliseconds, bytesPerTrack })
  }
  await jobs.close()
  const pages = db
    .prepare<[], { name: string; bytes: number }>(
      'SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name ORDER BY bytes DESC LIMIT 8',
    )
    .all()
  const bytes = Object.fromEntries(
    pages.map(({ name, bytes }) => [name, Math.round(bytes / tracks)]),
  )
  db.close()
  rmSync(home, { recursive: true, force: true })
  return { documentBytes: result.document.length, bytes }
}

function spent(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return user + system
}
