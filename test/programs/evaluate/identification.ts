import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { decode } from '../../../src/audio/decode.ts'
import { Examiner } from '../../../src/examiner.ts'
import { atOnce } from '../../../src/kernel/scheduler.ts'
import {
  type Identified,
  identifying,
  identifyingCodes,
  type Prints,
} from '../../../src/recognition/search/identifying.ts'
import type { Codes, Lookup } from '../../../src/recognition/systems/codes.ts'
import { Fingerprinter } from '../../../src/recognition/systems/fingerprinter.ts'
import { songCodes } from '../../../src/recognition/systems/landmarks.ts'
import type { Family } from '../../../src/recognition/systems/version.ts'
import { indexOf } from '../../support/code-index.ts'
import { type Bits, ChromaprintIndex, chromaprintOf } from './chromaprint.ts'

/** A file of the corpus. */
interface Track {
  id: string
  /** Relative to the corpus' folder. */
  file: string
}

/** An excerpt to identify. */
interface Query {
  id: string
  file: string
  kind: string
  /** The track it is of; null if that is not in the index. */
  truth: string | null
}

export interface IdentificationOptions {
  /** A folder with corpus.json and the audio it names. */
  folder: string
  /** Queries of a seed are in `queries-SEED` of the folder (queries.json, reference.json). */
  seeds: readonly string[]
  /** A script that makes these queries where they are missing (with ffmpeg). */
  degrade?: string
  /** Analyse as well, for the codes of system A: takes several times as long. */
  chroma: boolean
  /** So many files are encoded anew as a whole and asked about, spread over the corpus. Default: all. */
  whole?: number
  /** Only queries whose kind contains this. */
  only?: string
}

/** Seconds cut off the start of a file. */
const TRIMMED = 4.3

/** Other encodings of whole files: extension, and what ffmpeg is told before and after the input. */
const ENCODINGS: Readonly<Record<string, readonly [string, string[], string[]]>> = {
  'whole mp3 64k': ['mp3', [], ['-c:a', 'libmp3lame', '-b:a', '64k']],
  'whole vorbis': ['ogg', [], ['-c:a', 'libvorbis', '-q:a', '3']],
  'whole aac': ['m4a', [], ['-c:a', 'aac', '-b:a', '96k']],
  'whole, trimmed': ['mp3', ['-ss', String(TRIMMED)], ['-c:a', 'libmp3lame', '-b:a', '128k']],
}
/** One more change of speed, which the script does not make. */
const SLOWER = { kind: 'speed_m1', rate: 0.99, seconds: 20, at: 20 }

/** How often the queries of a kind were answered rightly and wrongly, by one way of asking. */
class Tally {
  asked = 0
  right = 0
  wrong = 0
  /** Queries of music that is not in the index, and how many got an answer all the same. */
  unknown = 0
  mistaken = 0

  add(truth: string | null, answer: string | undefined): void {
    if (truth === null) {
      this.unknown++
      if (answer !== undefined) this.mistaken++
      return
    }
    this.asked++
    if (answer === truth) this.right++
    else if (answer !== undefined) this.wrong++
  }

  get text(): string {
    const share = this.asked === 0 ? '–' : ((100 * this.right) / this.asked).toFixed(1)
    return `${share.padStart(6)}${String(this.wrong).padStart(4)}${String(this.mistaken).padStart(4)}`
  }
}

/**
 * Identifies excerpts and whole files of a corpus of music: short, noisy, compressed, re-recorded
 * and sped up. Prints, for each kind of query and way of asking, the share of right answers, how
 * many answers named a wrong song, and how many were given to music that the index does not hold.
 */
export async function evaluateIdentification(options: IdentificationOptions): Promise<void> {
  const folder = resolve(options.folder)
  const tracks: Track[] = json(join(folder, 'corpus.json'))
  const prints = new Map<string, Prints>()
  const bits = new Map<string, Bits>()
  const baseline = spawnSync('fpcalc', ['-version']).status === 0
  console.log(`\nIdentification: ${tracks.length} tracks`)
  const started = process.cpuUsage()
  for (const { id, file } of tracks) {
    const path = join(folder, file)
    prints.set(id, await printsOf(path, options.chroma))
    if (baseline) bits.set(id, chromaprintOf(path))
  }
  console.log(`  fingerprints of all tracks: ${cpuSince(started).toFixed(0)} s of CPU`)
  for (const seed of options.seeds) {
    const scratch = mkdtempSync(join(tmpdir(), 'audile-identification-'))
    try {
      await evaluateSeed(seed, { folder, tracks, prints, bits, scratch, options })
    } finally {
      rmSync(scratch, { recursive: true, force: true })
    }
  }
}

interface Material {
  folder: string
  tracks: readonly Track[]
  prints: ReadonlyMap<string, Prints>
  bits: ReadonlyMap<string, Bits>
  scratch: string
  options: IdentificationOptions
}

async function evaluateSeed(seed: string, material: Material): Promise<void> {
  const { folder, tracks, prints, bits, scratch, options } = material
  const queries = join(folder, `queries-${seed}`)
  if (!existsSync(join(queries, 'queries.json'))) makeQueries(queries, seed, material)
  const known = new Set(json<Track[]>(join(queries, 'reference.json')).map(({ id }) => id))
  const songs = tracks.filter(({ id }) => known.has(id))
  const all = songs.map(({ id }) => prints.get(id) as Prints)
  const lookups: Partial<Record<Family, Lookup>> = {
    landmarks: indexOf(all.map(({ landmarks }) => songCodes(landmarks))),
    echoprint: indexOf(all.map(({ echoprint }) => echoprint.codes)),
    chroma: indexOf(all.map(({ chroma }) => chroma)),
  }
  const lookup = (family: Family) => lookups[family] as Lookup
  // As in a database in which every file is a song of its own.
  const recordingOf = (song: number) => song
  const chromaprint =
    bits.size > 0 ? new ChromaprintIndex(songs.map(({ id }) => bits.get(id) as Bits)) : undefined

  const ways = [
    'audio',
    '4.11',
    ...(options.chroma ? ['A'] : []),
    ...(chromaprint ? ['fpcalc'] : []),
  ]
  const kinds = new Map<string, Map<string, Tally>>()
  const totals = new Map(ways.map((way) => [way, new Tally()]))
  const mistakes: string[] = []
  const times: number[] = []
  const wanted = json<Query[]>(join(queries, 'queries.json')).map((query) => ({
    ...query,
    file: join(queries, query.file),
  }))
  const made = others(spread(tracks, options.whole), known, folder, scratch)
  for (const next of [wanted, made]) {
    for await (const query of next) {
      if (options.only !== undefined && !query.kind.includes(options.only)) continue
      const print = await printsOf(query.file, options.chroma)
      const begun = performance.now()
      const found = atOnce(identifying(print, lookup, recordingOf))[0]
      times.push(performance.now() - begun)
      const byCodes = (family: Family, codes: Codes) =>
        atOnce(identifyingCodes(family, codes, lookup(family), recordingOf)).accepted[0]
      note('audio', query, found)
      note('4.11', query, byCodes('echoprint', print.echoprint.codes))
      if (options.chroma) note('A', query, byCodes('chroma', print.chroma))
      if (chromaprint) note('fpcalc', query, chromaprint.find(chromaprintOf(query.file)))
    }
  }

  console.log(`\nSeed ${seed}: ${songs.length} of the tracks in the index`)
  console.log('  each: % right, wrong song named, unknown music named')
  console.log(`  ${'kind'.padEnd(16)}${ways.map((way) => way.padStart(14)).join('  ')}   queries`)
  for (const [kind, tallies] of [...kinds, ['all', totals] as const]) {
    const { asked, unknown } = tallies.get('audio') as Tally
    const cells = ways.map((way) => (tallies.get(way) as Tally).text)
    console.log(`  ${kind.padEnd(16)}${cells.join('  ')}   ${asked} + ${unknown} unknown`)
  }
  times.sort((a, b) => a - b)
  const ms = (share: number) => (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(1)
  console.log(`  audio answered in ms: p50 ${ms(0.5)}, p99 ${ms(0.99)}`)
  for (const mistake of mistakes) console.log(`  ${mistake}`)

  function note(way: string, query: Query, found: Pick<Identified, 'song' | 'score'> | undefined) {
    const answer = found && songs[found.song]?.id
    let tallies = kinds.get(query.kind)
    if (!tallies) {
      tallies = new Map(ways.map((name) => [name, new Tally()]))
      kinds.set(query.kind, tallies)
    }
    tallies.get(way)?.add(query.truth, answer)
    totals.get(way)?.add(query.truth, answer)
    if (answer === undefined || answer === query.truth || way === 'fpcalc') return
    const by = found && 'family' in found ? ` by ${found.family}` : ''
    const what = query.truth === null ? 'unknown' : query.truth
    mistakes.push(`${way}: ${query.id} (${what}) named ${answer}, ${found?.score.toFixed(1)}${by}`)
  }
}

/** So many of a list, evenly spread. */
function spread<T>(list: readonly T[], most = list.length): T[] {
  const count = Math.min(most, list.length)
  return Array.from({ length: count }, (_, i) => list[Math.floor((i * list.length) / count)]!)
}

/** Whole files in other encodings, and one more change of speed; made, asked about and removed. */
async function* others(
  tracks: readonly Track[],
  known: ReadonlySet<string>,
  folder: string,
  scratch: string,
): AsyncGenerator<Query> {
  if (spawnSync('ffmpeg', ['-version']).status !== 0) return
  for (const { id, file } of tracks) {
    const input = join(folder, file)
    const truth = known.has(id) ? id : null
    for (const [kind, [extension, before, after]] of Object.entries(ENCODINGS)) {
      yield encoded(kind, extension, before, after)
    }
    const { kind, rate, seconds, at } = SLOWER
    const slower = `aresample=44100,asetrate=${Math.round(44_100 * rate)},aresample=44100`
    const piece = ['-ss', String(at), '-t', String(seconds * rate)]
    yield encoded(kind, 'mp3', piece, ['-af', slower, '-b:a', '128k'])

    function encoded(kind: string, extension: string, before: string[], after: string[]): Query {
      const output = join(scratch, `query.${extension}`)
      ffmpeg([...before, '-i', input, '-vn', ...after, output])
      return { id: `${id}, ${kind}`, file: output, kind, truth }
    }
  }
}

function makeQueries(queries: string, seed: string, { folder, options }: Material): void {
  if (options.degrade === undefined) {
    throw new Error(`There are no queries in ${queries}; name the script that makes them.`)
  }
  mkdirSync(queries, { recursive: true })
  const corpus = ['--corpus', join(folder, 'corpus.json'), '--root', folder, '--tracks', '9999']
  const made = spawnSync(
    process.execPath,
    [options.degrade, ...corpus, '--out', queries, '--seed', seed],
    { stdio: 'inherit' },
  )
  if (made.status !== 0) throw new Error(`The queries of seed ${seed} could not be made.`)
}

function ffmpeg(args: string[]): void {
  const run = spawnSync('ffmpeg', ['-v', 'error', '-y', ...args])
  if (run.status !== 0) throw new Error(`ffmpeg: ${run.stderr.toString().slice(0, 400)}`)
}

async function printsOf(file: string, chroma: boolean): Promise<Prints> {
  let taker: Examiner | Fingerprinter | undefined
  for await (const { channels, sampleRate } of decode(file, { ffmpegPath: 'ffmpeg' })) {
    const format = { sampleRate, channels: channels.length }
    taker ??= chroma ? new Examiner(format) : new Fingerprinter(format)
    taker.push(channels)
  }
  if (taker === undefined) throw new Error(`${file} holds no sound.`)
  if (taker instanceof Examiner) return taker.finish().prints
  return { ...taker.finish(), chroma: { codes: new Uint32Array(0), times: new Uint32Array(0) } }
}

function cpuSince(started: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1e6
}

function json<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T
}
