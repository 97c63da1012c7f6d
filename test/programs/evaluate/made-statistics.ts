import { resolve } from 'node:path'
import { madeSong } from '../bench/shards.ts'
import { madeSongs, modelsOf } from './made-songs.ts'
import { type Codes, OURS, songCodes, TIME_UNITS } from './systems.ts'

/** An excerpt that is aligned with other songs: where it begins, as a share of its song; seconds. */
const EXCERPT = { at: 0.4, seconds: 20 }

/**
 * Prints how the codes of made songs compare with those of the real songs they are drawn from: as
 * many of either, so that what depends on the number of songs is comparable. Those of the bench's
 * shards too, which are drawn from no song.
 */
export async function compareMadeSongs(folder: string): Promise<void> {
  const models = await modelsOf(resolve(folder))
  for (const system of [OURS, 'echoprint'] as const) {
    const real = system === OURS ? models.landmarks.map(songCodes) : models.echoprint
    const made = madeSongs(system, models, real.length)
    compare(system, real, made, TIME_UNITS[system])
    if (system !== OURS) continue
    const drawn = real.map((_, i) => madeSong(0, i))
    compare(`${system}, as in the shards of the bench`, real, drawn, TIME_UNITS[system])
  }
}

/** @param second - units of the codes' times in a second */
export function compare(
  system: string,
  real: readonly Codes[],
  made: readonly Codes[],
  second: number,
): void {
  console.log(`\n${system}: ${real.length} songs of each sort`)
  console.log(`  ${''.padEnd(64)}${'real'.padStart(10)}${'made'.padStart(10)}`)
  const [ofReal, ofMade] = [statisticsOf(real, second), statisticsOf(made, second)]
  for (const [title, value] of ofReal) {
    console.log(`  ${title.padEnd(64)}${shown(value)}${shown(ofMade.get(title) as number)}`)
  }
  for (const [title, songs] of [
    ['real', real],
    ['made', made],
  ] as const) {
    const counts = alignments(real, songs, second)
    const [pairs, best] = [counts.flat(), counts.map((list) => Math.max(0, ...list))]
    console.log(
      `  codes of 20 s of a real song at one offset in another, ${title}: ` +
        `50/99/100 % of pairs ${quantiles(pairs, [0.5, 0.99, 1])}, ` +
        `the best song's 50/90/100 % ${quantiles(best, [0.5, 0.9, 1])}`,
    )
  }
}

/** @param second - units of the codes' times in a second */
function statisticsOf(songs: readonly Codes[], second: number): Map<string, number> {
  const sets = songs.map(({ codes }) => new Set(codes))
  const codes = songs.reduce((sum, song) => sum + song.codes.length, 0)
  const seconds = songs.reduce((sum, { times }) => sum + last(times) / second, 0)
  const distinct = sets.reduce((sum, set) => sum + set.size, 0)
  const songsWith = counted(sets.flatMap((set) => [...set]))
  const frequencies = [...counted(songs.flatMap((song) => [...song.codes])).values()]
  frequencies.sort((a, b) => b - a)
  const head = (keys: number) => (100 * sum(frequencies.slice(0, keys))) / codes
  // Of what share of the other songs a query reads a posting, for a code of a song.
  const shares = songs.flatMap((song) =>
    [...song.codes].map((key) => (100 * (songsWith.get(key)! - 1)) / (songs.length - 1)),
  )
  const common = sets.flatMap((set, i) =>
    sets.slice(0, i).map((other) => 100 * inCommon(set, other)),
  )
  const gaps = songs.flatMap((song) => repeats(song).map((gap) => gap / second))
  const together = sum(
    songs.map(({ times }) => sum([...counted([...times]).values()].map((n) => n * n))),
  )
  return new Map([
    ['codes a second', codes / seconds],
    ['distinct keys of a song, % of its codes', (100 * distinct) / codes],
    ['distinct keys of all songs', songsWith.size],
    ...[10, 100, 1_000, 10_000].map(
      (n) => [`the ${n} most frequent keys, % of codes`, head(n)] as const,
    ),
    ['other songs that have the key of a code, %: mean', sum(shares) / shares.length],
    ...[0.5, 0.75, 0.95, 0.99].map(
      (q) => [`  ${100 * q} % of codes: at most`, quantile(shares, q)] as const,
    ),
    ["keys common to two songs, % of the smaller's: mean", sum(common) / common.length],
    ...[0.05, 0.5, 0.95].map(
      (q) => [`  ${100 * q} % of pairs: at most`, quantile(common, q)] as const,
    ),
    ['codes at the time of a code', together / codes],
    ...[0.25, 0.5, 0.75].map(
      (q) => [`a key comes again after s, ${100 * q} %: at most`, quantile(gaps, q)] as const,
    ),
  ])
}

/** For each song's excerpt and each other song: how many distinct keys agree on some offset. */
function alignments(
  queries: readonly Codes[],
  songs: readonly Codes[],
  second: number,
): number[][] {
  const places = songs.map(({ codes, times }) => {
    const found = new Map<number, number[]>()
    for (const [i, key] of codes.entries()) {
      const list = found.get(key) ?? []
      list.push(times[i]!)
      found.set(key, list)
    }
    return found
  })
  return queries.map(({ codes, times }, own) => {
    const from = EXCERPT.at * last(times)
    const to = from + EXCERPT.seconds * second
    const excerpt = [...codes.keys()].filter((i) => times[i]! >= from && times[i]! < to)
    return places
      .filter((_, song) => songs !== queries || song !== own)
      .map((place) => {
        const agreed = new Map<number, Set<number>>()
        for (const i of excerpt) {
          for (const time of place.get(codes[i]!) ?? []) {
            for (const offset of [-1, 0, 1].map((by) => time - times[i]! + by)) {
              const keys = agreed.get(offset) ?? new Set()
              agreed.set(offset, keys.add(codes[i]!))
            }
          }
        }
        return Math.max(0, ...[...agreed.values()].map((keys) => keys.size))
      })
  })
}

/** How long after one occurrence of a key the next one comes. */
function repeats({ codes, times }: Codes): number[] {
  const before = new Map<number, number>()
  const gaps: number[] = []
  for (const i of [...codes.keys()].sort((a, b) => times[a]! - times[b]!)) {
    const time = before.get(codes[i]!)
    if (time !== undefined) gaps.push(times[i]! - time)
    before.set(codes[i]!, times[i]!)
  }
  return gaps
}

function inCommon(one: ReadonlySet<number>, other: ReadonlySet<number>): number {
  let common = 0
  for (const key of one) if (other.has(key)) common++
  return common / Math.max(1, Math.min(one.size, other.size))
}

function counted(list: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const value of list) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

function last(times: Uint32Array): number {
  return times.reduce((latest, time) => Math.max(latest, time), 0)
}

function sum(list: readonly number[]): number {
  return list.reduce((total, value) => total + value, 0)
}

function quantile(list: readonly number[], share: number): number {
  const sorted = [...list].sort((a, b) => a - b)
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0
}

function quantiles(list: readonly number[], shares: readonly number[]): string {
  return shares.map((share) => quantile(list, share)).join('/')
}

function shown(value: number): string {
  return (value >= 1_000 ? value.toFixed(0) : value.toFixed(2)).padStart(10)
}
