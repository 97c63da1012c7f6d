import { once } from 'node:events'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, it } from 'vitest'
import { run, start } from '../support/built.ts'
import { clip, waveFile } from '../support/clips.ts'
import { scratch } from '../support/scratch.ts'

const FILES = 10

const REGISTER = `
import { Audile } from 'audile'
const [database, kills, ...files] = process.argv.slice(1).filter((a) => a !== '--')
const music = await Audile.open({ database })
let complete = 0
// By its own hand: on a busy machine another's would come too late.
music.on('track', ({ status }) => {
  if (status === 'complete' && ++complete === Number(kills)) process.kill(process.pid, 'SIGKILL')
})
for (const file of files) await music.tracks.upload({ file })
await new Promise(() => setInterval(() => {}, 1000))
`

const FINISH = `
import { Audile } from 'audile'
const [database] = process.argv.slice(1).filter((a) => a !== '--')
const music = await Audile.open({ database })
const { tracks, total } = await music.tracks.list({ results: 100 })
const statuses = []
for (const track of tracks) statuses.push((await track.analyzed()).status)
await music.close()
console.log(JSON.stringify({ total, statuses }))
`

it.each([0, 4])(
  'kill -9 after %d of 10 analyses: every file ends complete, none twice',
  async (kills) => {
    const folder = scratch()
    const database = join(folder, 'music.db')
    const files: string[] = []
    for (let i = 0; i < FILES; i++) {
      files.push(await waveFile(folder, `${i}.wav`, clip({ seconds: 2, seed: i + 1 })))
    }
    const child = start(REGISTER, [database, String(kills), ...files])
    let stderr = ''
    child.stderr?.on('data', (chunk) => {
      stderr += chunk
    })
    if (kills === 0) {
      // In the middle of registering and of the first analysis.
      const db = await opened(database)
      while (db.prepare('SELECT count(*) FROM tracks').pluck().get() === 0) await tick()
      db.close()
      child.kill('SIGKILL')
    }
    await once(child, 'close')
    expect(stderr).toBe('')

    const db = new Sqlite(database)
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    const analyses = 'SELECT track_id, analyzed_at FROM analyses ORDER BY track_id'
    const before = db.prepare<[], { track_id: string }>(analyses).all()
    const registered = db.prepare('SELECT count(*) FROM tracks').pluck().get()
    expect(registered).toBeGreaterThanOrEqual(Math.max(1, kills))

    const finished = await run(FINISH, [database])
    expect(finished.stderr).toBe('')
    const { total, statuses } = JSON.parse(finished.stdout)
    expect(total).toBe(registered)
    expect(statuses).toEqual(Array(registered).fill('complete'))

    // What was complete before the kill was not done again, and nothing is left to do.
    const after = db.prepare<[], { track_id: string }>(analyses).all()
    expect(after).toHaveLength(registered as number)
    const ids = new Set(before.map(({ track_id }) => track_id))
    expect(after.filter(({ track_id }) => ids.has(track_id))).toEqual(before)
    expect(db.prepare('SELECT count(*) FROM jobs').pluck().get()).toBe(0)
    expect(db.pragma('foreign_key_check')).toEqual([])
    db.close()
  },
)

async function opened(path: string): Promise<Sqlite.Database> {
  for (;;) {
    try {
      const db = new Sqlite(path, { fileMustExist: true })
      if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'tracks'").get()) return db
      db.close()
    } catch {
      // Not there yet.
    }
    await tick()
  }
}

function tick(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 2))
}
