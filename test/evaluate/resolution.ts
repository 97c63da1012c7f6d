import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { nameKey } from '../../src/artist/names.ts'
import { ArtistStore } from '../../src/artist/store.ts'
import { openDatabase } from '../../src/database/open.ts'
import { Audile } from '../../src/index.ts'
import { matchSong, type SongQuery } from '../../src/song/match.ts'
import { SongStore } from '../../src/song/store.ts'
import type { ReferenceRow } from './reference-data.ts'

interface Listed {
  id: string
  artist: string
  title: string
  dur?: number
}

interface Asked {
  id: string
  query: { artist_name?: string; song_name?: string }
  truth: Listed | null
  category: string
}

/**
 * How well names are resolved: the queries of `resolve-dev.jsonl` against the songs of
 * `resolve-catalog.jsonl.gz`. Recall is the share of queries with a truth that are answered right,
 * precision the share of answers that are right; another entry of the very names is right too.
 *
 * @param folder - holds `data`
 * @param onMiss - told each query that was not answered right
 */
export async function evaluateResolution(
  folder: string,
  onMiss: (text: string) => void = () => {},
): Promise<ReferenceRow[]> {
  const file = join(folder, 'data', 'resolve-catalog.jsonl.gz')
  if (!existsSync(file)) {
    console.log(`There are no songs to resolve against in ${file}.`)
    return []
  }
  const songs = linesOf<Listed>(gunzipSync(readFileSync(file)).toString())
  const queries = linesOf<Asked>(readFileSync(join(folder, 'data', 'resolve-dev.jsonl'), 'utf8'))
  const scratch = mkdtempSync(join(tmpdir(), 'audile-resolution-'))
  try {
    const database = join(scratch, 'songs.db')
    await load(database, songs)
    return ask(database, queries, onMiss)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function load(database: string, songs: readonly Listed[]): Promise<void> {
  const music = await Audile.open({ database, engine: 'inline', workers: 0 })
  try {
    await music.songs.import(
      songs.map(({ id, title, artist, dur = 0 }) => ({
        id,
        title,
        artistName: artist,
        ...(dur > 0 && { duration: dur }),
      })),
    )
  } finally {
    await music.close()
  }
}

function ask(
  database: string,
  queries: readonly Asked[],
  onMiss: (text: string) => void,
): ReferenceRow[] {
  const db = openDatabase(database)
  try {
    const context = { store: new SongStore(db), artists: new ArtistStore(db) }
    const times: number[] = []
    let right = 0
    let wrong = 0
    let guessed = 0
    for (const { id, query, truth, category } of queries) {
      const given: SongQuery = {}
      if (query.song_name) given.songName = query.song_name
      if (query.artist_name) given.artistName = query.artist_name
      const begun = performance.now()
      const found = matchSong(context, given)
      times.push(performance.now() - begun)
      const song = found && context.store.byNum(found.num)
      const good = song ? truth !== null && isIt(song, truth) : truth === null
      if (song && good) right++
      else if (song) wrong++
      if (song && truth === null) guessed++
      if (!good) {
        const got = song ? `${song.artistName} – ${song.title}` : 'nothing'
        onMiss(`  ${id} ${category}: ${query.artist_name} – ${query.song_name}: ${got}`)
      }
    }
    const positives = queries.filter(({ truth }) => truth !== null).length
    const recall = right / positives
    const precision = right / Math.max(right + wrong, 1)
    const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)]
    const row = (title: string, measured: string, goal: string, reached: boolean) => ({
      title,
      measured,
      goal,
      reached,
    })
    return [
      row('names resolved: recall', recall.toFixed(3), '>= 0.985', recall >= 0.985),
      row('… precision', precision.toFixed(3), '>= 0.995', precision >= 0.995),
      row(
        '… answers to what is not there',
        `${guessed} of ${queries.length - positives}`,
        'few',
        guessed <= 2,
      ),
      row('… p50', `${p50.toFixed(2)} ms`, '<= 1.5', p50 <= 1.5),
      row('… p95', `${p95.toFixed(2)} ms`, '<= 12', p95 <= 12),
    ]
  } finally {
    db.close()
  }
}

function isIt(song: { title: string; artistName: string | null }, truth: Listed): boolean {
  return (
    nameKey(song.title) === nameKey(truth.title) &&
    nameKey(song.artistName ?? '') === nameKey(truth.artist)
  )
}

function linesOf<T>(text: string): T[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN
}
