// npx tsx test/programs/trainers/names.ts [--each 40] [--seed 1] [--rounds 1] [--drop] [--only artist] [--show]
import { parseArgs } from 'node:util'
import { matchArtist } from '../../../src/artist/match.ts'
import { ArtistStore } from '../../../src/artist/store.ts'
import { openDatabase } from '../../../src/kernel/database/open.ts'
import { MATCH_LIMITS, PENALTY_WEIGHTS } from '../../../src/naming/distance.ts'
import { nameKey } from '../../../src/naming/names.ts'
import { type MatchContext, matchSong } from '../../../src/song/match.ts'
import { SongStore } from '../../../src/song/store.ts'
import type { Names } from '../../support/corruptions.ts'
import { addNamed } from '../../support/stored-songs.ts'
import { madeNames, type Question } from './names-made.ts'

/**
 * Fits the weights of `src/naming/distance.ts` to made names: each is scaled in turn, and the scale
 * is kept by which the most questions more are answered right, if that is more than chance. A wrong
 * answer costs as much as {@link WRONG} right ones. Penalties that say "another
 * name" stay, and those of lengths and releases, which the made songs do not have.
 *
 * What is printed is what each change gains, with its standard error: the root of the sum of squares
 * over the questions that it changes. `--drop` tells instead what comes of each penalty that is
 * forgiven (0), or refused (1): a rule that forgives what nobody asks for can go.
 */
const WRONG = 5
const SCALES = [0, 0.5, 0.85, 1.15, 1.5]
/** A gain counts from so many standard errors. */
const ERRORS = 2
/** A weight that no value of a penalty makes bearable. */
const REFUSED = 100

const { values } = parseArgs({
  options: {
    each: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '1' },
    drop: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    show: { type: 'boolean', default: false },
  },
})

const { songs, questions } = madeNames(Number(values.seed), Number(values.each))
const context = stored(songs)
// The tables are constants to everybody else.
const tables: Record<string, number>[] = [PENALTY_WEIGHTS, MATCH_LIMITS]

let points = pointsOf(questions, values.show)
console.log(`${songs.length} songs, ${questions.length} questions; ${told(points)}`)
if (values.drop) drop()
else if (values.show) console.log('Nothing was tried.')
else for (let round = 0; round < Number(values.rounds); round++) fitted()

function drop(): void {
  const shown = ({ gain, error }: { gain: number; error: number }) =>
    `${gain} ± ${error.toFixed(1)}`.padEnd(14)
  for (const name of Object.keys(PENALTY_WEIGHTS)) {
    const forgiven = shown(tried(PENALTY_WEIGHTS, name, 0))
    const refused = isFinal(name) ? '' : shown(tried(PENALTY_WEIGHTS, name, REFUSED))
    console.log(`${name.padEnd(22)} forgiven ${forgiven} refused ${refused}`)
  }
}

function fitted(): void {
  for (const table of tables) {
    for (const [name, value] of Object.entries(table)) {
      if (isFinal(name) || !name.startsWith(values.only)) continue
      let best = { value, gain: 0, error: 0, points }
      for (const scale of SCALES) {
        const trial = tried(table, name, value * scale)
        if (trial.gain > Math.max(best.gain, ERRORS * trial.error)) {
          best = { ...trial, value: value * scale }
        }
      }
      table[name] = best.value
      points = best.points
      const change = best.value === value ? '' : ` → ${best.value} (${best.gain} ± ${best.error})`
      console.log(`${name.padEnd(22)} ${value}${change}`)
    }
  }
  console.log(told(points))
}

/** Whether a penalty says that names are different, which no weight makes uncertain. */
function isFinal(name: string): boolean {
  return /\.(?:other|otherLength|numbers|tribute)$/.test(name)
}

/** What another value of one entry gains. The entry stays as it was. */
function tried(table: Record<string, number>, name: string, value: number) {
  const before = table[name] as number
  table[name] = value
  const now = pointsOf(questions)
  table[name] = before
  let gain = 0
  let squares = 0
  for (const [i, point] of now.entries()) {
    const change = point - (points[i] as number)
    gain += change
    squares += change * change
  }
  return { gain, error: Math.sqrt(squares), points: now }
}

/** Of each question: 1 for the right answer, 0 for none, -{@link WRONG} for a wrong one. */
function pointsOf(asked: readonly Question[], show = false): number[] {
  return asked.map((question) => {
    const { artist, title, truth, kind } = question
    if (title === undefined) return pointOfArtist(artist, truth?.artist)
    const found = matchSong(context, { songName: title, ...(artist && { artistName: artist }) })
    const song = found && context.store.byNum(found.num)
    const right = song && truth && sameKeys(song.title, truth.title)
    if (show && (song ? !right : truth)) {
      console.log(
        `  ${kind}: ${artist} | ${title}: ${song ? `${song.artistName} | ${song.title}` : '-'}`,
      )
    }
    if (!song) return 0
    return right && sameKeys(song.artistName ?? '', truth.artist) ? 1 : -WRONG
  })
}

function pointOfArtist(artistName: string, truth: string | undefined): number {
  const found = matchArtist(context.artists, artistName)
  const name = found && context.artists.byNum(found.num)?.name
  if (name === undefined) return 0
  return truth !== undefined && sameKeys(name, truth) ? 1 : -WRONG
}

function sameKeys(one: string, other: string): boolean {
  return nameKey(one) === nameKey(other)
}

function told(all: readonly number[]): string {
  const there = questions.filter(({ truth }) => truth !== null).length
  const right = all.filter((point) => point > 0).length
  return `right ${right} of ${there}, wrong ${all.filter((point) => point < 0).length}`
}

function stored(list: readonly Names[]): MatchContext {
  const db = openDatabase(':memory:')
  const context = { store: new SongStore(db), artists: new ArtistStore(db) }
  addNamed(context, list)
  return context
}
