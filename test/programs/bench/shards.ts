import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase, settleFile } from '../../../src/kernel/database/open.ts'
import { openReference } from '../../../src/kernel/database/open-reference.ts'
import { atOnce } from '../../../src/kernel/scheduler.ts'
import { CodeIndex } from '../../../src/recognition/index/code-index.ts'
import { joinIndexes } from '../../../src/recognition/index/joined-index.ts'
import { CHUNKS } from '../../../src/recognition/index/layout.ts'
import { chooseLayout } from '../../../src/recognition/index/merge.ts'
import { ChunkPostings } from '../../../src/recognition/index/rows.ts'
import { RecordingStore } from '../../../src/recognition/recording-store.ts'
import { matchCodes } from '../../../src/recognition/search/match.ts'
import { type MatchRules, rulesOf, SAMPLE_RULES } from '../../../src/recognition/search/rules.ts'
import {
  codeOfKey,
  keyBitsOf,
  keyOfCode,
  sampleCodes,
} from '../../../src/recognition/systems/code-keys.ts'
import type { Codes } from '../../../src/recognition/systems/codes.ts'
import { KeyedWriter } from '../../../src/recognition/systems/keyed-postings.ts'
import { SongStore } from '../../../src/song/store.ts'
import { byFrequency } from '../../support/chance.ts'
import { record } from '../../support/figures.ts'
import { UNKNOWN_FACTS } from '../../support/made-recordings.ts'
import { seeded } from '../../support/music.ts'
import { sized } from './sized.ts'

/** The family of the codes: any whose codes are wide. */
const FAMILY = 'triplets'
const BITS = keyBitsOf(FAMILY)!
/** Frames of 46 ms of a song of four minutes, and its codes: 11 a second. */
const FRAMES = 5_168
const CODES = 2_640
/**
 * Codes that occur at all, and how unequal their frequencies are: log-normal. 2^26 and 1.73 have two
 * songs share 0.08 % of their codes, as real songs do whose codes are triplets of landmarks.
 */
const KEY_BITS = 26
const SPREAD = 1.73
/** Songs in one file. */
const SHARD = 250_000
/** Songs of each shard that are made whole, so that excerpts of them can be asked for. */
const KNOWN = sized(100, 4)
/** Codes of a query of 20 s: of few landmarks, and of many. */
const FEW = 1_500
const MANY = 8_600

type Random = () => number

/**
 * How long identification takes in indexes of many songs, in shards on disk. The codes are made: each
 * is drawn by its frequency, without the repetitions of a song. An excerpt has 14 to 50 % of the codes
 * of 20 s of its song, the rest are others.
 */
export async function benchShards(
  sizes: readonly number[],
  folder: string,
  isKept: boolean,
): Promise<void> {
  console.log('\nIdentifying in shards of many songs')
  for (const size of sizes) {
    mkdirSync(folder, { recursive: true })
    const paths: string[] = []
    let made = 0
    const began = process.cpuUsage()
    for (let from = 0; from < size; from += SHARD) {
      const songs = Math.min(SHARD, size - from)
      const path = join(folder, `shard-${paths.length}-of-${songs}.db`)
      if (!existsSync(path)) {
        build(path, songs, paths.length)
        made += songs
      }
      paths.push(path)
    }
    const built = cpuSince(began) / 1000
    const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0)
    record('bench', 'shards', { [`${size}: kB a song`]: bytes / size / 1024 })
    console.log(
      `  ${size.toLocaleString('en')} songs in ${paths.length} files: ${(bytes / size / 1024).toFixed(2)} kB a song, ${made} songs made, at ${(made / built).toFixed(0)} a second of CPU`,
    )
    ask(paths, size)
    if (!isKept) for (const path of paths) rmSync(path, { force: true })
  }
}

function cpuSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}

export function build(path: string, songs: number, shard: number): void {
  const building = `${path}.building`
  rmSync(building, { force: true })
  const db = openDatabase(building)
  // A shard whose making was interrupted is made again: nothing has to be safe.
  settleFile(db)
  db.pragma('journal_mode = OFF')
  db.pragma('synchronous = OFF')
  const store = new RecordingStore(db)
  store.index.setLayout(chooseLayout(songs))
  const layout = store.index.layout()[FAMILY]
  const names = new SongStore(db)
  store.atomically(() => {
    for (let id = 1; id <= songs; id++) {
      const songId = `SO${shard}-${id}`
      names.addSong(songId, { ...UNKNOWN_FACTS, title: 'made up', duration: 240 }, 1, 0)
      const recording = { songId, trackId: null, duration: 240, codeMd5: null }
      store.addAs({ ...recording, id, fingerprintVersion: 'made' })
    }
  })
  const whole = Array.from({ length: Math.min(KNOWN, songs) }, (_, i) => {
    const { codes, times } = madeSong(shard, i)
    const id = numberOf(i, songs)
    return Array.from(codes, (code, n) => ({ key: layout.keyOf(code), id, time: times[n]! }))
  })
    .flat()
    .sort((one, other) => one.key - other.key || one.id - other.id || one.time - other.time)
  let at = 0
  const step = 2 ** (BITS - KEY_BITS)
  const random = seeded(1_000 + shard)
  const width = 2 ** KEY_BITS / CHUNKS
  const mean = Math.exp(SPREAD ** 2 / 2)
  const writer = new KeyedWriter()
  writer.beginRun()
  for (let chunk = 0; chunk < CHUNKS; chunk++) {
    // All come in their order: rows are written as they are drawn, without sorting.
    const append = (slot: number) => {
      const run = writer.endRun()
      if (run.length > 0) store.index.append(layout.rowOf(slot), run)
      writer.beginRun()
    }
    const postings = () => {
      let slot = layout.slotOf(chunk * width * step)
      for (let i = chunk * width; i < (chunk + 1) * width; i++) {
        const key = i * step
        if (layout.slotOf(key) !== slot) append(slot)
        slot = layout.slotOf(key)
        const weight = Math.exp(SPREAD * probit((keyOfCode(i, KEY_BITS) + 0.5) / 2 ** KEY_BITS))
        const count = Math.floor((songs * CODES * weight) / mean / 2 ** KEY_BITS + random())
        // Ascending by chance: each song is a step from the one before.
        for (let song = 0, n = count; n > 0; n--) {
          song += Math.max(1, Math.round((-Math.log(1 - random()) * (songs - song)) / n))
          if (song > songs) break
          writer.addPosting(layout.restOf(key), song, Math.floor(random() * FRAMES))
        }
      }
      append(slot)
    }
    const end = layout.firstKeyOf((chunk + 1) * layout.chunk)
    const extra = new ChunkPostings(layout, chunk)
    for (; at < whole.length && whole[at]!.key < end; at++) {
      extra.addPosting(whole[at]!.key, whole[at]!.id, whole[at]!.time)
    }
    store.atomically(() => {
      postings()
      for (const { id, run } of extra.makeRows(0)) store.index.append(id, run)
    })
  }
  db.close()
  renameSync(building, path)
}

/** The numbers of the songs that are made whole are spread over the shard. */
function numberOf(i: number, songs: number): number {
  return 1 + Math.floor((i * songs) / Math.min(KNOWN, songs))
}

/** The codes of a song of a shard. */
export function madeSong(shard: number, i: number): Codes {
  const random = seeded(Math.imul(1 + 1_000 * shard + i, 0x85ebca6b))
  return {
    codes: Uint32Array.from({ length: CODES }, () => madeCode(random)),
    times: Uint32Array.from({ length: CODES }, (_, n) => Math.floor((n * FRAMES) / CODES)),
  }
}

/** A code, as often as it is frequent. */
function madeCode(random: Random): number {
  const index = codeOfKey(Math.floor(byFrequency(random, SPREAD) * 2 ** KEY_BITS), KEY_BITS)
  return codeOfKey(index * 2 ** (BITS - KEY_BITS), BITS)
}

/** The inverse of the normal distribution function (Abramowitz and Stegun, 26.2.23). */
function probit(p: number): number {
  if (p > 0.5) return -probit(1 - p)
  const t = Math.sqrt(-2 * Math.log(p))
  return -(
    t -
    (2.515517 + t * (0.802853 + t * 0.010328)) /
      (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))
  )
}

function ask(paths: readonly string[], size: number): void {
  const places = paths.map((path) => {
    const recordings = new RecordingStore(openReference(path))
    return { recordings, index: new CodeIndex(recordings), name: path }
  })
  const random = seeded(9)
  const tell = (
    what: string,
    rules: MatchRules,
    queries: readonly { codes: Codes; song?: string }[],
  ) => {
    const times: number[] = []
    const walls: number[] = []
    let right = 0
    let wrong = 0
    for (const { codes, song } of queries) {
      const began = process.cpuUsage()
      const start = performance.now()
      const view = joinIndexes(places)
      const { accepted } = atOnce(view.readInSteps(matchCodes(codes, view.lookup(FAMILY), rules)))
      times.push(cpuSince(began))
      walls.push(performance.now() - start)
      const found = accepted[0] && view.byId(accepted[0].song)?.songId
      if (found !== undefined && found === song) right++
      else if (found !== undefined) wrong++
    }
    const [first] = times
    const [p50, longest] = spanOf(times)
    const [wall50, longestWall] = spanOf(walls)
    record('bench', 'shards', { [`${size}: ${what} p50 ms`]: Number(p50) })
    const known = queries.filter(({ song }) => song !== undefined).length
    console.log(
      `    ${what}: CPU p50 ${p50} ms, longest ${longest} ms, first ${first!.toFixed(0)} ms; wall ${wall50}, ${longestWall} ms; right ${right} of ${known}, wrong ${wrong} of ${queries.length}`,
    )
  }
  const truths = paths.flatMap((_, shard) =>
    Array.from({ length: KNOWN }, (_, i) => {
      const songs = Math.min(SHARD, size - shard * SHARD)
      return { codes: madeSong(shard, i), song: `SO${shard}-${numberOf(i, songs)}` }
    }),
  )
  const some = truths.filter((_, i) => i % paths.length === 0)
  tell(
    'whole file, by the sample of its codes',
    SAMPLE_RULES,
    some.map(({ codes, song }) => ({
      codes: sampleCodes(damaged(codes, 0, CODES, 0.6, 0, random)),
      song,
    })),
  )
  tell(
    'whole file that is unknown',
    SAMPLE_RULES,
    some.map((_, i) => ({ codes: sampleCodes(madeSong(99, i)) })),
  )
  tell(
    '20 s, few codes',
    rulesOf(FAMILY, 'fewLandmarks'),
    some.map(({ codes, song }) => ({ codes: excerpt(codes, FEW, random), song })),
  )
  const unknown = (count: number) => some.map(() => ({ codes: noise(count, random) }))
  tell('20 s that are unknown, few codes', rulesOf(FAMILY, 'fewLandmarks'), unknown(FEW))
  tell(
    '20 s, many codes',
    rulesOf(FAMILY),
    some.map(({ codes, song }) => ({ codes: excerpt(codes, MANY, random), song })),
  )
  tell('20 s that are unknown, many codes', rulesOf(FAMILY), unknown(MANY))
}

/** 20 s of a song, by its codes and others. */
function excerpt(codes: Codes, others: number, random: Random): Codes {
  return damaged(codes, 900, 1_120, 0.14 + 0.36 * random(), others, random)
}

/** 20 s of a song of a shard, as the first search asks for them. */
export function excerptOf(shard: number, song: number, random: Random): Codes {
  return excerpt(madeSong(shard, song % KNOWN), FEW, random)
}

/** The median and the longest. */
function spanOf(times: readonly number[]): [string, string] {
  const sorted = times.toSorted((one, other) => one - other)
  return [sorted[Math.floor(sorted.length / 2)]!.toFixed(1), sorted.at(-1)!.toFixed(1)]
}

/** A share of the codes of a part of a song, and other codes. */
function damaged(
  { codes, times }: Codes,
  from: number,
  to: number,
  share: number,
  others: number,
  random: Random,
): Codes {
  const kept = [...codes.keys()].filter((i) => i >= from && i < to && random() < share)
  const start = times[from]!
  const added = noise(others, random)
  return {
    codes: Uint32Array.of(...kept.map((i) => codes[i]!), ...added.codes),
    times: Uint32Array.of(...kept.map((i) => times[i]! - start), ...added.times),
  }
}

/** Codes at any time of 20 s. */
function noise(count: number, random: Random): Codes {
  return {
    codes: Uint32Array.from({ length: count }, () => madeCode(random)),
    times: Uint32Array.from({ length: count }, () => Math.floor(random() * 430)),
  }
}
