import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { AnalysisDocument } from '../../../src/analysis/document.ts'
import { type AnalysisSummary, analyze, moodsOf, summarize } from '../../../src/analysis-entry.ts'
import { type Random, seeded } from '../../support/music.ts'
import { type OrderedPair, orderedPairs } from '../../support/ordered-music.ts'

type Value = OrderedPair['value']

/** A document of the old service, and the values that were published of the same song. */
interface Judged {
  artist: string
  document: AnalysisDocument
  published: Record<Value, number>
}

const GOALS: readonly [value: Value, spearman: number][] = [
  ['danceability', 0.7],
  ['energy', 0.6],
  ['valence', 0.5],
  ['acousticness', 0.5],
]
/** Of the published energy, and of the published valence. */
const MEDIAN = 0.66
/** Of each kind of pair. */
const PAIRS = 8
const RESAMPLED = 400

/**
 * Judges the derived values of the summary: their rank correlation with the published values of songs
 * whose documents are there, and the order of made recordings.
 *
 * @param data - the folder of the reference data
 */
export function evaluateSummary(data: string) {
  const file = join(data, 'data', 'echonest_documents.jsonl.gz')
  return [...(existsSync(file) ? documentRows(file) : []), ...pairRows()]
}

function documentRows(file: string) {
  const lines = gunzipSync(readFileSync(file)).toString('utf8').trim().split('\n')
  const songs = lines.map((line) => {
    const { artist, document, published } = JSON.parse(line) as Judged
    return { artist, published, summary: summarize(document) }
  })
  const ranked = (value: Value) => {
    const pairs = songs.map(({ artist, published, summary }) => ({
      artist,
      ours: summary[value] ?? 0,
      theirs: published[value],
    }))
    const found = spearman(pairs)
    return { found, measured: `${found.toFixed(3)} ± ${standardError(pairs).toFixed(3)}` }
  }
  const rows = GOALS.map(([value, goal]) => {
    const { found, measured } = ranked(value)
    return {
      title: `${value}: Spearman, ${songs.length} documents`,
      measured,
      goal: `${goal}`,
      reached: found >= goal,
    }
  })
  // It tells speech from music, and is not to rank music.
  console.log(`speechiness: Spearman ${ranked('speechiness').measured}`)
  printMoods(songs)
  const spoken = songs.filter(({ summary }) => (summary.speechiness ?? 0) > 0.66).length
  const title = `speechiness over 0.66, of ${songs.length} documents of music`
  return [...rows, { title, measured: `${spoken}`, goal: '0', reached: spoken === 0 }]
}

/** How many of the moods that songs get are those on whose side their published values lie. */
function printMoods(
  songs: readonly { published: Judged['published']; summary: AnalysisSummary }[],
) {
  const given = new Map<string, { right: number; all: number }>()
  for (const { published, summary } of songs) {
    const { energy, valence } = published
    const theirs = moodsOf({ energy: Number(energy > MEDIAN), valence: Number(valence > MEDIAN) })
    for (const { name } of moodsOf(summary)) {
      const { right, all } = given.get(name) ?? { right: 0, all: 0 }
      const isRight = theirs.some((mood) => mood.name === name)
      given.set(name, { right: right + Number(isRight), all: all + 1 })
    }
  }
  for (const [name, { right, all }] of given) console.log(`Mood ${name}: ${right} right of ${all}`)
}

interface Pair {
  artist: string
  ours: number
  theirs: number
}

/** By drawing artists again and again, with all of their songs. */
function standardError(pairs: readonly Pair[]): number {
  const random = seeded(1)
  const artists = [...new Set(pairs.map(({ artist }) => artist))]
  const byArtist = artists.map((name) => pairs.filter(({ artist }) => artist === name))
  const found = Array.from({ length: RESAMPLED }, () => spearman(drawn(byArtist, random)))
  const mean = found.reduce((sum, value) => sum + value / RESAMPLED, 0)
  return Math.sqrt(found.reduce((sum, value) => sum + (value - mean) ** 2 / RESAMPLED, 0))
}

function drawn(groups: readonly Pair[][], random: Random): Pair[] {
  return groups.flatMap(() => groups[Math.floor(random() * groups.length)]!)
}

function spearman(pairs: readonly Pair[]): number {
  const [x, y] = [ranks(pairs.map(({ ours }) => ours)), ranks(pairs.map(({ theirs }) => theirs))]
  const middle = (pairs.length - 1) / 2
  const product = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, i) => sum + (value - middle) * (b[i]! - middle), 0)
  return product(x, y) / Math.sqrt(product(x, x) * product(y, y))
}

/** Places in ascending order, from 0; equal values share theirs. */
function ranks(values: readonly number[]): number[] {
  const order = values.map((_, i) => i).sort((a, b) => values[a]! - values[b]!)
  const places = new Array<number>(values.length)
  for (let from = 0; from < order.length; ) {
    let to = from
    while (to < order.length && values[order[to]!] === values[order[from]!]) to++
    for (let i = from; i < to; i++) places[order[i]!] = (from + to - 1) / 2
    from = to
  }
  return places
}

function pairRows() {
  const pairs = Array.from({ length: PAIRS }, (_, seed) => orderedPairs(seed)).flat()
  const heard = (samples: Float32Array, value: Value) =>
    summarize(analyze({ samples: [samples], sampleRate: 22_050 }))[value] ?? 0
  const wrong = pairs.filter(
    ({ value, higher, lower }) => heard(higher(), value) <= heard(lower(), value),
  )
  for (const { name } of wrong) console.log(`In the wrong order: ${name}`)
  const right = 1 - wrong.length / pairs.length
  const title = `made recordings in the right order, of ${pairs.length} pairs`
  return [{ title, measured: right.toFixed(3), goal: '0.9', reached: right >= 0.9 }]
}
