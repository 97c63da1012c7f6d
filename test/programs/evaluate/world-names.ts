import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { ArtistStore } from '../../../src/artist/store.ts'
import { openDatabase } from '../../../src/kernel/database/open.ts'
import { nameKey } from '../../../src/naming/names.ts'
import { type MatchContext, matchSong } from '../../../src/song/match.ts'
import { SongStore } from '../../../src/song/store.ts'
import { isHeldBack, WORLD_NAMES, type WorldName } from '../../support/world-names.ts'
import type { ReferenceRow } from './reference-data.ts'
import { type Listed, linesOf, loadSongs } from './resolution.ts'

/** The least share of names that are found. */
const GOAL = 0.85

/**
 * How names as files and people of all countries write them are resolved, against the songs of
 * `resolve-catalog.jsonl.gz`: of all names, and of the third that was held back.
 *
 * @param folder - holds `data`
 * @param onMiss - told each name that was not answered right
 */
export async function evaluateWorldNames(
  folder: string,
  onMiss: (text: string) => void = () => {},
): Promise<ReferenceRow[]> {
  const file = join(folder, 'data', 'resolve-catalog.jsonl.gz')
  if (!existsSync(file)) {
    console.log(`There are no songs to resolve against in ${file}.`)
    return []
  }
  const songs = linesOf<Listed>(gunzipSync(readFileSync(file)).toString())
  const scratch = mkdtempSync(join(tmpdir(), 'audile-world-names-'))
  try {
    const database = join(scratch, 'songs.db')
    await loadSongs(database, songs)
    const db = openDatabase(database)
    const showHeld = process.argv.includes('--held') ? onMiss : () => {}
    try {
      const context = { store: new SongStore(db), artists: new ArtistStore(db) }
      const rows = rowsOf(
        'names of the world',
        outcomeOf(context, WORLD_NAMES, () => {}),
      )
      const part = (held: boolean) => WORLD_NAMES.filter((_, i) => isHeldBack(i) === held)
      outcomeOf(context, part(false), onMiss)
      return [...rows, ...rowsOf('… held back', outcomeOf(context, part(true), showHeld))]
    } finally {
      db.close()
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

interface Outcome {
  asked: number
  found: number
  /** Another song than the one that is meant. */
  wrong: number
  strangers: number
  /** Strangers that got an answer. */
  guessed: number
}

function outcomeOf(
  context: MatchContext,
  names: readonly WorldName[],
  onMiss: (text: string) => void,
): Outcome {
  const outcome: Outcome = { asked: 0, found: 0, wrong: 0, strangers: 0, guessed: 0 }
  for (const { kind, artist, title, song } of names) {
    const match = matchSong(context, { songName: title, ...(artist && { artistName: artist }) })
    const known = match && context.store.byNum(match.num)
    const answer = known && `${known.artistName} — ${known.title}`
    const isRight =
      song === undefined
        ? answer === undefined
        : answer !== undefined && song.split(' | ').some((one) => nameKey(one) === nameKey(answer))
    if (song === undefined) outcome.strangers++
    else outcome.asked++
    if (!isRight) onMiss(`  ${kind}: ${artist} – ${title}: ${answer ?? 'nothing'}`)
    else if (song !== undefined) outcome.found++
    if (isRight || answer === undefined) continue
    if (song === undefined) outcome.guessed++
    else outcome.wrong++
  }
  return outcome
}

function rowsOf(
  title: string,
  { asked, found, wrong, strangers, guessed }: Outcome,
): ReferenceRow[] {
  const none = (what: string, count: number, of: number): ReferenceRow => {
    return { title: `… ${what}`, measured: `${count} of ${of}`, goal: '0', reached: count === 0 }
  }
  const measured = `${found} of ${asked}`
  return [
    { title: `${title}: found`, measured, goal: `>= ${GOAL}`, reached: found >= GOAL * asked },
    none('another song', wrong, asked),
    none('answers to what is not there', guessed, strangers),
  ]
}
