import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Audile } from '../../../src/index.ts'
import { openDatabase } from '../../../src/kernel/database/open.ts'
import { transaction } from '../../../src/kernel/database/transaction.ts'
import { record } from '../../support/figures.ts'
import { madeLibrary, storeLibrary } from '../../support/made-library.ts'

/** Files of an album's folder; a cover lies beside them. */
const ALBUM = 10
const ROUNDS = 3

/** How long a scan of files takes that did not change: files of no bytes, and made tracks. */
export async function benchRescan(sizes: readonly number[]): Promise<void> {
  for (const size of sizes) {
    const folder = mkdtempSync(join(tmpdir(), 'audile-rescan-'))
    try {
      const path = join(folder, 'music.db')
      storeLibrary(path, madeLibrary(size))
      const music = join(folder, 'music')
      storeFiles(path, music)
      await rescan(path, music)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** Makes a file for each track of a library, and lets it know them. */
function storeFiles(path: string, folder: string): void {
  const db = openDatabase(path)
  const ids = db.prepare('SELECT id FROM tracks ORDER BY id').pluck().all() as string[]
  const add = db.prepare(
    'INSERT INTO track_files (path, track_id, size, modified) VALUES (?, ?, ?, ?)',
  )
  transaction(db)(() => {
    for (const [i, id] of ids.entries()) {
      const album = join(folder, `artist ${Math.floor(i / 100)}`, `album ${Math.floor(i / ALBUM)}`)
      if (i % ALBUM === 0) {
        mkdirSync(album, { recursive: true })
        writeFileSync(join(album, 'cover.jpg'), '')
      }
      const file = join(album, `${String(i).padStart(6, '0')}.mp3`)
      writeFileSync(file, '')
      const { size, mtimeMs } = statSync(file)
      add.run(file, id, size, mtimeMs)
    }
  })
  db.close()
}

async function rescan(database: string, folder: string): Promise<void> {
  const music = await Audile.open({ database, engine: 'inline', workers: 0 })
  try {
    await music.tracks.list({ results: 1 })
    for (let round = 1; round <= ROUNDS; round++) {
      const begun = process.cpuUsage()
      const started = performance.now()
      let longest = 0
      let last = started
      const watch = setInterval(() => {
        const now = performance.now()
        longest = Math.max(longest, now - last)
        last = now
      }, 1)
      const scan = music.tracks.scan(folder)
      for await (const { kind } of scan) if (kind !== 'unchanged') throw new Error(kind)
      clearInterval(watch)
      const { user, system } = process.cpuUsage(begun)
      const seconds = (performance.now() - started) / 1000
      record('bench', 'rescan', {
        [`${scan.sum?.unchanged}: CPU s, run ${round}`]: (user + system) / 1e6,
      })
      console.log(
        `  ${scan.sum?.unchanged} files that did not change, run ${round}: ${((user + system) / 1e6).toFixed(1)} s of CPU, ${seconds.toFixed(1)} s; longest block ${longest.toFixed(0)} ms; ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MiB`,
      )
    }
  } finally {
    await music.close()
  }
}
