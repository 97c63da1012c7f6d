import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import MiniSearch from 'minisearch'
import type { Params } from '../../../src/host/door.ts'
import { Audile, type SongRecord } from '../../../src/index.ts'
import { record } from '../../support/figures.ts'
import { type Random, seeded } from '../../support/music.ts'
import { sized } from './sized.ts'

/** Names to make a collection of: real pairs where they are at hand, else made up. */
export interface Names {
  artists: readonly string[]
  titles: readonly string[]
  real: boolean
}

const ASKED = sized(200, 24)

/**
 * Importing and searching collections of several sizes, recombined from names, against MiniSearch
 * with the same rows and the same questions where it can answer them (AND over artist and title).
 */
export async function benchSearch(sizes: readonly number[], data: string): Promise<void> {
  const names = namesOf(data)
  console.log(
    `\nSearching songs recombined from ${names.titles.length} ${names.real ? 'real' : 'made-up'} names`,
  )
  for (const size of sizes) {
    const folder = mkdtempSync(join(tmpdir(), 'audile-bench-'))
    try {
      await benchSize(size, names, join(folder, 'music.db'))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

async function benchSize(size: number, names: Names, path: string): Promise<void> {
  const music = await Audile.open({ database: path, engine: 'inline', workers: 0 })
  try {
    const started = cpuMilliseconds()
    const { imported } = await music.songs.import(songsOf(size, names))
    const seconds = (cpuMilliseconds() - started) / 1000
    console.log(
      `  ${imported} songs: import ${(size / seconds).toFixed(0)} songs/s, ${(statSync(path).size / 2 ** 20).toFixed(0)} MiB, ${(statSync(path).size / size).toFixed(0)} bytes a song`,
    )
    const questions = questionsOf(size, names)
    await music.songs.search({ results: 1 })
    const times: Record<string, number[]> = {}
    for (const { kind, query } of questions) {
      const begun = cpuMilliseconds()
      await music.songs.search(query)
      const taken = cpuMilliseconds() - begun
      for (const name of [kind, 'all']) {
        times[name] ??= []
        times[name].push(taken)
      }
    }
    record('bench', 'search', {
      [`${size}: imported a second`]: size / seconds,
      [`${size}: MiB`]: statSync(path).size / 2 ** 20,
      ...spread(`${size}: all`, times.all ?? []),
      ...spread(`${size}: title`, times.title ?? []),
    })
    for (const [kind, taken] of Object.entries(times))
      console.log(`    ${kind.padEnd(22)} ${show(taken)}`)
    if (size <= 100_000) compare(size, names, questions, times)
  } finally {
    await music.close()
  }
}

function compare(
  size: number,
  names: Names,
  questions: readonly Question[],
  times: Record<string, number[]>,
): void {
  const peer = new MiniSearch<{ id: number; title: string; artist: string }>({
    fields: ['title', 'artist'],
  })
  const started = cpuMilliseconds()
  let id = 0
  peer.addAll(
    [...songsOf(size, names)].map(({ title, artistName }) => ({
      id: id++,
      title,
      artist: artistName,
    })),
  )
  const seconds = (cpuMilliseconds() - started) / 1000
  console.log(`    MiniSearch 7.2.0: ${(size / seconds).toFixed(0)} songs/s`)
  for (const kind of ['title', 'artist', 'combined']) {
    const taken = questions
      .filter((one) => one.kind === kind)
      .map(({ query }) => {
        const begun = cpuMilliseconds()
        const fields = kind === 'combined' ? ['title', 'artist'] : [kind]
        const text = (query.title ?? query.artist ?? query.combined) as string
        peer.search(text, { combineWith: 'AND', fields })
        return cpuMilliseconds() - begun
      })
    record('bench', 'search', spread(`${size}: MiniSearch ${kind}`, taken))
    const ours = quantile(times[kind] ?? [], 0.5)
    const theirs = quantile(taken, 0.5)
    console.log(
      `    ${kind.padEnd(22)} MiniSearch ${show(taken)}   p50 ${(theirs / ours).toFixed(2)} of ours`,
    )
  }
}

interface Question {
  kind: string
  query: Params<'song/search'>
}

/** What people ask: names whole and in part, terms, ranges, sorts, and far down the list. */
function questionsOf(size: number, names: Names): Question[] {
  const random = seeded(7)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const word = (text: string) =>
    pick(
      text
        .split(/\s+/)
        .filter((one) => /\w/.test(one))
        .concat(text),
    )
  const makers: (() => Question)[] = [
    () => ({ kind: 'title', query: { title: pick(names.titles) } }),
    () => ({ kind: 'title', query: { title: word(pick(names.titles)), results: 100 } }),
    () => ({ kind: 'artist', query: { artist: pick(names.artists) } }),
    () => ({ kind: 'artist', query: { artist: word(pick(names.artists)), results: 50 } }),
    () => ({
      kind: 'combined',
      query: { combined: `${word(pick(names.artists))} ${word(pick(names.titles))}` },
    }),
    () => ({ kind: 'combined', query: { combined: pick(names.titles) } }),
    () => ({ kind: 'terms', query: { style: pick(TERMS), mood: pick(TERMS) } }),
    () => ({
      kind: 'terms',
      query: { description: [`${pick(TERMS)}^2`, `-${pick(TERMS)}`, pick(TERMS)] },
    }),
    () => {
      const low = 60 + random() * 100
      return {
        kind: 'ranges',
        query: {
          minTempo: low,
          maxTempo: low + 5,
          minLoudness: -12,
          mode: 'major',
          key: Math.floor(random() * 12),
        },
      }
    },
    () => ({
      kind: 'ranges and a sort',
      query: {
        minEnergy: random() * 0.9 + 0.01,
        artistMinFamiliarity: 0.4,
        sort: 'danceability-desc',
      },
    }),
    () => ({
      kind: 'sort of everything',
      query: {
        sort: pick([
          'tempo-asc',
          'duration-desc',
          'artist_hotttnesss-desc',
          'song_hotttnesss-desc',
        ] as const),
      },
    }),
    () => ({
      kind: 'deep start',
      query: {
        title: pick(['love', 'you', 'the']),
        sort: 'tempo-asc',
        start: Math.floor(random() * size * 0.01),
        results: 100,
      },
    }),
  ]
  return Array.from({ length: ASKED }, (_, i) => (makers[i % makers.length] as () => Question)())
}

const TERMS = Array.from({ length: 400 }, (_, i) => `style ${i}`)

function* songsOf(size: number, names: Names): Generator<SongRecord> {
  const random = seeded(11)
  for (let i = 0; i < size; i++) {
    const place = Math.floor(random() * names.artists.length)
    const artistName = names.artists[place] as string
    yield {
      title: names.titles[i % names.titles.length] as string,
      artistName,
      duration: 120 + Math.floor(random() * 200) + Math.floor(i / names.titles.length) * 4,
      ...(random() < 0.5 && { songHotttnesss: random() }),
      artistFamiliarity: (place % 1000) / 1000,
      artistHotttnesss: (place % 777) / 777,
      terms: termsOf(place),
      audioSummary: {
        tempo: 60 + random() * 120,
        key: Math.floor(random() * 12),
        mode: Math.floor(random() * 2),
        loudness: -25 + random() * 22,
        energy: random(),
        danceability: random(),
        timeSignature: 4,
      },
    }
  }
}

function termsOf(artist: number): NonNullable<SongRecord['terms']> {
  const random: Random = seeded(artist)
  return Array.from({ length: 4 }, (_, i) => ({
    // A few are said of very many.
    name: TERMS[Math.floor(random() ** 3 * TERMS.length)] as string,
    weight: 1 - i / 5,
  }))
}

/** The pairs of the reference data, or names made up of syllables. */
export function namesOf(data: string): Names {
  const file = join(data, 'data', 'resolve-catalog.jsonl.gz')
  if (!existsSync(file)) {
    const random = seeded(3)
    const name = () =>
      Array.from({ length: 1 + Math.floor(random() * 4) }, () => madeUp(random)).join(' ')
    const many = (n: number) => [...new Set(Array.from({ length: n }, name))]
    return { artists: many(sized(60_000, 600)), titles: many(sized(140_000, 1_400)), real: false }
  }
  const lines = gunzipSync(readFileSync(file)).toString().trim().split('\n')
  const pairs = lines.map((line) => JSON.parse(line) as { artist: string; title: string })
  return {
    artists: [...new Set(pairs.map(({ artist }) => artist))],
    titles: pairs.map(({ title }) => title),
    real: true,
  }
}

function madeUp(random: Random): string {
  const syllable = () =>
    'bdfgklmnprstvz'[Math.floor(random() * 14)] + ('aeiou'[Math.floor(random() * 5)] as string)
  return Array.from({ length: 1 + Math.floor(random() ** 2 * 4) }, syllable).join('')
}

/** Of the whole process: other work on the machine counts little. */
function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Times as their quantiles, in milliseconds. */
export function show(times: readonly number[]): string {
  const at = (share: number) => quantile(times, share).toFixed(2).padStart(7)
  return `p50 ${at(0.5)}  p95 ${at(0.95)}  most ${at(1)} ms`
}

/** The median, the 95th percentile and the longest, as figures. */
function spread(name: string, times: readonly number[]): Record<string, number> {
  return {
    [`${name} p50 ms`]: quantile(times, 0.5),
    [`${name} p95 ms`]: quantile(times, 0.95),
    [`${name} most ms`]: quantile(times, 1),
  }
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(Math.ceil(share * sorted.length), sorted.length) - 1] ?? Number.NaN
}
