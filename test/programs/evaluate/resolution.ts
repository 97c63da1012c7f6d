import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { ArtistStore } from '../../../src/artist/store.ts'
import { Audile } from '../../../src/index.ts'
import { openDatabase } from '../../../src/kernel/database/open.ts'
import { nameKey } from '../../../src/naming/names.ts'
import { type MatchContext, matchSong, type SongQuery } from '../../../src/song/match.ts'
import { SongStore } from '../../../src/song/store.ts'
import { CORRUPTIONS, JUNK, type Names, tribute } from '../../support/corruptions.ts'
import { record } from '../../support/figures.ts'
import { seeded } from '../../support/music.ts'
import type { ReferenceRow } from './reference-data.ts'

export interface Listed {
  id: string
  artist: string
  title: string
  dur?: number
}

/** A question, and the song that is meant; `null` if it is not there. */
interface Asked {
  id: string
  query: { artist_name?: string; song_name?: string }
  truth: Names | null
  category: string
}

/** Songs asked about of each category of damage that is made here, and of those not there. */
const MADE = { each: 60, strangers: 600, tributes: 200 } as const
const SEED = 20
/** Clean names, to measure how fast they are found. */
const CLEAN = 2000

/**
 * How well names are resolved, against the songs of `resolve-catalog.jsonl.gz`: the queries of
 * `resolve-dev.jsonl`, and others made here of other songs (seeded). Recall is the share of queries
 * with a truth that are answered right, precision the share of answers that are right; another entry
 * of the very names is right too.
 *
 * @param folder - holds `data`
 * @param onMiss - told each query that was not answered right, and how many of each category were
 * @returns rows of the evaluation's table; none when the data is not there
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
    await loadSongs(database, songs)
    return measure(database, songs, queries, onMiss)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

export async function loadSongs(database: string, songs: readonly Listed[]): Promise<void> {
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

function measure(
  database: string,
  songs: readonly Listed[],
  queries: readonly Asked[],
  onMiss: (text: string) => void,
): ReferenceRow[] {
  const db = openDatabase(database)
  try {
    const context = { store: new SongStore(db), artists: new ArtistStore(db) }
    const given = ask(context, queries, onMiss)
    const made = ask(context, madeOf(songs), onMiss)
    const clean = pick(songs, CLEAN).map((song): Asked => asked('clean', song, song))
    const { perSecond } = ask(context, clean, () => {})
    const { recall, precision, p50, p95 } = given
    record('evaluate', 'resolution', { recall, precision, 'p50 ms': p50, 'p95 ms': p95 })
    return [
      row('names resolved: recall', given.recall, 0.985),
      row('… precision', given.precision, 0.995),
      ...strangers(given),
      most('… p50', given.p50, 1.5, 'ms'),
      most('… p95', given.p95, 12, 'ms'),
      least('… queries a second', given.perSecond, 400),
      least('… clean names a second', perSecond, 1500),
      row('names damaged here: recall', made.recall, 0.97),
      row('… precision', made.precision, 0.99),
      ...strangers(made),
    ]
  } finally {
    db.close()
  }
}

interface Outcome {
  recall: number
  precision: number
  /** Questions of what is not there, and how many of them were answered. */
  strangers: number
  guessed: number
  /** Milliseconds a question. */
  p50: number
  p95: number
  perSecond: number
}

function ask(
  context: MatchContext,
  queries: readonly Asked[],
  onMiss: (text: string) => void,
): Outcome {
  const times: number[] = []
  const categories = new Map<string, { asked: number; missed: number }>()
  let right = 0
  let answers = 0
  let guessed = 0
  for (const { id, query, truth, category } of queries) {
    const names: SongQuery = {}
    if (query.song_name) names.songName = query.song_name
    if (query.artist_name) names.artistName = query.artist_name
    const begun = performance.now()
    const found = matchSong(context, names)
    times.push(performance.now() - begun)
    const song = found && context.store.byNum(found.num)
    const good = song ? truth !== null && isIt(song, truth) : truth === null
    if (song) answers++
    if (song && good) right++
    if (song && truth === null) guessed++
    const tally = categories.get(category) ?? { asked: 0, missed: 0 }
    categories.set(category, tally)
    tally.asked++
    if (good) continue
    tally.missed++
    const got = song ? `${song.artistName} – ${song.title}` : 'nothing'
    onMiss(`  ${id} ${category}: ${query.artist_name} – ${query.song_name}: ${got}`)
  }
  for (const [name, { asked, missed }] of categories) {
    if (missed > 0) onMiss(`  ${name}: ${missed} of ${asked} not as they should be`)
  }
  const positives = queries.filter(({ truth }) => truth !== null).length
  return {
    recall: right / positives,
    precision: right / Math.max(answers, 1),
    strangers: queries.length - positives,
    guessed,
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    perSecond: (1000 * times.length) / times.reduce((sum, time) => sum + time, 0),
  }
}

/** Questions of songs spread over the list, each kind of damage on its own; and of what is not there. */
function madeOf(songs: readonly Listed[]): Asked[] {
  const random = seeded(SEED)
  const any = () => songs[Math.floor(random() * songs.length)] as Listed
  const made: Asked[] = []
  for (const [category, corrupt] of Object.entries(CORRUPTIONS)) {
    for (let i = 0; i < MADE.each; ) {
      const song = any()
      const query = corrupt(random, song)
      if (!query?.title.trim()) continue
      made.push(asked(category, query, song))
      i++
    }
  }
  const titles = new Map<string, string[]>()
  for (const { artist, title } of songs) {
    const key = nameKey(title)
    titles.set(key, [...(titles.get(key) ?? []), artist])
  }
  for (let i = 0; i < MADE.strangers; ) {
    const [{ artist }, { title }] = [any(), any()]
    if (titles.get(nameKey(title))?.some((other) => shareWords(artist, other))) continue
    made.push(asked('stranger', { artist, title }, null))
    i++
  }
  for (let i = 0; i < MADE.tributes; i++) {
    made.push(asked('tribute', tribute(random, any()), null))
  }
  for (const junk of JUNK) made.push(asked('junk', junk, null))
  return made
}

function shareWords(one: string, other: string): boolean {
  const words = nameKey(other).split(' ')
  return nameKey(one)
    .split(' ')
    .some((word) => words.includes(word))
}

let count = 0

function asked(category: string, { artist, title }: Names, truth: Names | null): Asked {
  const id = `made-${count++}`
  return { id, category, query: { artist_name: artist, song_name: title }, truth }
}

/** Every so-manieth of a list. */
function pick<T>(list: readonly T[], most: number): T[] {
  const step = Math.max(1, Math.floor(list.length / most))
  return list.filter((_, i) => i % step === 0)
}

function isIt(song: { title: string; artistName: string | null }, truth: Names): boolean {
  return (
    nameKey(song.title) === nameKey(truth.title) &&
    nameKey(song.artistName ?? '') === nameKey(truth.artist)
  )
}

function row(title: string, share: number, goal: number): ReferenceRow {
  return { title, measured: share.toFixed(4), goal: `>= ${goal}`, reached: share >= goal }
}

function least(title: string, value: number, goal: number): ReferenceRow {
  return { title, measured: value.toFixed(0), goal: `>= ${goal}`, reached: value >= goal }
}

function most(title: string, value: number, goal: number, unit: string): ReferenceRow {
  const measured = `${value.toFixed(2)} ${unit}`
  return { title, measured, goal: `<= ${goal}`, reached: value <= goal }
}

function strangers({ strangers: all, guessed }: Outcome): ReferenceRow[] {
  const measured = `${guessed} of ${all}`
  const allowed = Math.ceil(0.015 * all)
  const goal = `<= ${allowed}`
  return [{ title: '… answers to what is not there', measured, goal, reached: guessed <= allowed }]
}

export function linesOf<T>(text: string): T[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN
}
