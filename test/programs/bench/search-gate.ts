import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import MiniSearch from 'minisearch'
import { Audile } from '../../../src/index.ts'
import { pick, seeded } from '../../support/chance.ts'
import { type MadeTrack, madeLibrary, storeLibrary } from '../../support/made-library.ts'
import { sized } from './sized.ts'

const SIZE = sized(100_000, 300)
const CALLS = sized(40, 2)
const PAGE = { start: SIZE / 2, results: 100 }

/** How many times as fast as a peer each must be: about half of what was measured. */
const FLOORS: Readonly<Record<string, number>> = {
  'titles / MiniSearch': 0.2,
  'a page of a sort / SQLite': 1,
  'albums / SQLite': 3,
  'import of songs / SQLite with FTS5': 0.1,
}

type Ask = (i: number) => unknown

/** Search, a sort, albums and an import at 100,000 tracks beside peers, each in turn; a slow one fails. */
export async function gateSearch(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'audile-bench-'))
  const tracks = madeLibrary(SIZE)
  const path = join(folder, 'music.db')
  storeLibrary(path, tracks)
  const music = await Audile.open({ database: path, engine: 'inline', workers: 0 })
  const plain = new Sqlite(join(folder, 'plain.db'))
  try {
    const songs = tracks.map(({ title, artist: artistName, release }) => ({
      ...{ title, artistName, release },
    }))
    const imported = await cpuOf(() => music.songs.import(songs))
    const inserted = await cpuOf(() => fillPlain(plain, tracks))
    const random = seeded(11)
    const titles = Array.from({ length: CALLS }, () => pick(random, tracks).title)
    const peer = new MiniSearch({ fields: ['title'] })
    peer.addAll(tracks.map(({ title }, id) => ({ id, title })))
    const sorted = plain.prepare('SELECT num FROM tracks ORDER BY duration LIMIT 100 OFFSET ?')
    const grouped = plain.prepare(
      `SELECT artist, release, count(*), max(year) AS year FROM tracks GROUP BY artist, release
       ORDER BY year DESC LIMIT 100`,
    )
    const ratios = {
      'titles / MiniSearch': await ratioOf(
        (i) => music.songs.search({ title: titles[i] as string }),
        (i) => peer.search(titles[i] as string, { combineWith: 'AND' }),
      ),
      'a page of a sort / SQLite': await ratioOf(
        () => music.tracks.list({ ...PAGE, sort: 'duration-asc' }),
        () => sorted.all(PAGE.start),
      ),
      'albums / SQLite': await ratioOf(
        () => music.tracks.albums({ results: 100, sort: 'year-desc' }),
        () => grouped.all(),
      ),
      'import of songs / SQLite with FTS5': inserted / imported,
    }
    report(ratios)
  } finally {
    plain.close()
    await music.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function report(ratios: Readonly<Record<string, number>>): void {
  console.log(`\n${SIZE} tracks and songs: how many times as fast as a peer, by CPU`)
  for (const [name, ratio] of Object.entries(ratios)) {
    const floor = FLOORS[name] ?? 0
    const isSlow = ratio < floor && SIZE >= 100_000
    console.log(`  ${name.padEnd(38)} ${ratio.toFixed(2)} of ${floor}${isSlow ? '  TOO SLOW' : ''}`)
    if (isSlow) process.exitCode = 1
  }
}

function fillPlain(db: Sqlite.Database, tracks: readonly MadeTrack[]): void {
  db.exec(`CREATE TABLE tracks (num INTEGER PRIMARY KEY, title TEXT, artist TEXT, release TEXT,
      year INTEGER, duration REAL);
    CREATE INDEX tracks_title ON tracks (title); CREATE INDEX tracks_artist ON tracks (artist);
    CREATE VIRTUAL TABLE names USING fts5 (title, artist, content = '')`)
  const add = db.prepare('INSERT INTO tracks VALUES (?, ?, ?, ?, ?, ?)')
  const addNames = db.prepare('INSERT INTO names (rowid, title, artist) VALUES (?, ?, ?)')
  db.transaction(() => {
    for (const [num, { title, artist, release, year, duration }] of tracks.entries()) {
      add.run(num, title, artist, release, year, duration)
      addNames.run(num, title, artist)
    }
  })()
}

/** How many times as fast the first is, by the medians of calls in turn. */
async function ratioOf(ours: Ask, theirs: Ask): Promise<number> {
  const times: [number[], number[]] = [[], []]
  // The first call reads what the others have.
  await ours(0)
  for (let i = 0; i < CALLS; i++) {
    times[0].push(await cpuOf(() => ours(i)))
    times[1].push(await cpuOf(() => theirs(i)))
  }
  const [mine, peers] = times.map((list) => list.sort((a, b) => a - b)[list.length >> 1] as number)
  return (peers as number) / (mine as number)
}

async function cpuOf(work: () => unknown): Promise<number> {
  const begun = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(begun)
  return user + system
}
