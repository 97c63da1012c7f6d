import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Audile } from '../../src/index.ts'
import { openDatabase } from '../../src/kernel/database/open.ts'
import { madeLibrary, storeLibrary } from '../support/made-library.ts'
import { scratch } from '../support/scratch.ts'

/** Takes the index of tracks out of a database. */
function forgetIndex(path: string): void {
  const db = openDatabase(path)
  for (const table of ['track_nums', 'track_columns', 'track_texts']) {
    db.exec(`DELETE FROM ${table}`)
  }
  db.exec('INSERT OR IGNORE INTO track_changes SELECT id FROM tracks')
  db.close()
}

const open = (database: string) => Audile.open({ database, engine: 'inline', workers: 0 })

it('indexes tracks again where their index was emptied, as a migration may do', async () => {
  const path = join(scratch(), 'music.db')
  const tracks = madeLibrary(700)
  storeLibrary(path, tracks)
  forgetIndex(path)
  const music = await open(path)
  try {
    expect((await music.tracks.search()).total).toBe(700)
    const [track] = tracks
    const { tracks: found } = await music.tracks.search({ text: track?.title ?? '' })
    expect(found[0]?.answer.title).toBe(track?.title)
  } finally {
    await music.close()
  }
})

it('finds what another engine on the same database adds, changes and removes', async () => {
  const path = join(scratch(), 'music.db')
  storeLibrary(path, madeLibrary(20))
  const [one, other] = [await open(path), await open(path)]
  try {
    expect((await one.tracks.search({ text: 'quokka' })).total).toBe(0)
    storeLibrary(path, [{ ...madeLibrary(1)[0]!, title: 'Quokka Song' }], 1000)
    expect((await other.tracks.search({ text: 'quok' })).total).toBe(1)
    const { tracks } = await one.tracks.search({ text: 'quok' })
    expect(tracks).toHaveLength(1)
    await one.tracks.remove(tracks[0]?.id ?? '')
    expect((await other.tracks.search({ text: 'quokka' })).total).toBe(0)
    expect((await other.tracks.list()).total).toBe(20)
  } finally {
    await one.close()
    await other.close()
  }
})

it('knows which files are gone, whichever connection noted it', async () => {
  const path = join(scratch(), 'music.db')
  storeLibrary(path, madeLibrary(3))
  const music = await open(path)
  const missing = async () => (await music.tracks.list({ missing: true })).total
  const db = openDatabase(path)
  try {
    expect(await missing()).toBe(3)
    db.exec(
      `INSERT INTO track_files (path, track_id) SELECT '/music/' || id, id FROM tracks LIMIT 1`,
    )
    expect(await missing()).toBe(2)
    db.exec('UPDATE track_files SET present = 0')
    expect(await missing()).toBe(3)
    const audioSummary = { tempo: 120, duration: 60 }
    await music.tracks.import([{ title: 'Known by name', audioSummary }], { strict: true })
    expect(await missing()).toBe(4)
  } finally {
    db.close()
    await music.close()
  }
})
