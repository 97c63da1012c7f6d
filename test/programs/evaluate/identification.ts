import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Bits, ChromaprintIndex, chromaprintOf } from './chromaprint.ts'
import { excerptsOf, type Piece, piecesIn, type Query, spread } from './excerpts.ts'
import { IdentificationReport } from './identification-report.ts'
import { type Models, madeSongs, modelsOf } from './made-songs.ts'
import { indexedCodes, type Prints, printsOf, Reference, type System } from './systems.ts'

export interface IdentificationOptions {
  /** A folder with corpus.json and the audio it names. */
  folder: string
  /** Queries of a seed are in `queries-SEED` of the folder; they are made where they are missing. */
  seeds: readonly string[]
  /** The corpus' script that makes its kinds of queries (with ffmpeg). */
  degrade?: string
  /** Of how many pieces queries are made. */
  pieces: number
  /** Of how many of these, evenly spread, the kinds of excerpts.ts are made. */
  added: number
  /** Of how many of the latter the whole is encoded anew. */
  whole: number
  /** Analyse as well, for the codes of system A: takes several times as long. */
  chroma: boolean
  /** Compare with an exhaustive search of Chromaprint codes, by fpcalc. */
  chromaprint: boolean
  /** So many made songs are in the index besides; they have no codes of system A. */
  reference: number
  /** The folder of a corpus from which made songs are drawn: not of music that is asked about. */
  models?: string
  /** Only queries whose kind contains this. */
  only?: string
  /** A file for all answers, one JSON object a line. */
  answers?: string
}

interface Material {
  pieces: readonly Piece[]
  prints: ReadonlyMap<string, Prints>
  bits: ReadonlyMap<string, Bits>
  models: Models | undefined
  options: IdentificationOptions
}

/**
 * Identifies excerpts and whole files of a corpus of music: short, noisy, compressed, re-recorded,
 * at another speed, pitch or tempo. Prints, for each kind of query and way of asking, the share of
 * right answers, how many answers named a wrong piece, and how many were given to music that the
 * index does not hold.
 */
export async function evaluateIdentification(options: IdentificationOptions): Promise<void> {
  const folder = resolve(options.folder)
  const pieces = piecesIn(folder)
  const prints = new Map<string, Prints>()
  const bits = new Map<string, Bits>()
  // Queries first: they take longest, and are there next time.
  const queries = options.seeds.map((seed) => queriesOf(seed, folder, pieces, options))
  console.log(`\nIdentification: ${pieces.length} pieces`)
  const started = process.cpuUsage()
  for (const { id, file } of pieces) {
    const path = join(folder, file)
    prints.set(id, await printsOf(path, options.chroma))
    if (options.chromaprint) bits.set(id, chromaprintOf(path))
  }
  console.log(`  fingerprints of all pieces: ${(cpuSince(started) / 1000).toFixed(0)} s of CPU`)
  if (options.reference > 0 && options.models === undefined) {
    throw new Error('Name the corpus that made songs are drawn from: --models DIR.')
  }
  const models = options.models === undefined ? undefined : await modelsOf(resolve(options.models))
  for (const [i, seed] of options.seeds.entries()) {
    await evaluateSeed(seed, queries[i]!, { pieces, prints, bits, models, options })
  }
}

/** A seed's queries, and the ids of the pieces that they are searched among. */
interface Questions {
  queries: Query[]
  known: ReadonlySet<string>
}

function queriesOf(
  seed: string,
  corpus: string,
  pieces: readonly Piece[],
  options: IdentificationOptions,
): Questions {
  const folder = join(corpus, `queries-${seed}`)
  if (!existsSync(join(folder, 'queries.json'))) degrade(folder, seed, corpus, options)
  const given: Query[] = json(join(folder, 'queries.json'))
  const known = new Set(json<{ id: string }[]>(join(folder, 'reference.json')).map(({ id }) => id))
  const asked = pieces.filter(({ id }) => given.some((query) => query.id.startsWith(nameIn(id))))
  const { added, whole } = options
  const more = excerptsOf({ corpus, folder, seed, pieces: spread(asked, added), known, whole })
  const queries = [...given, ...more].map((query) => ({ ...query, file: join(folder, query.file) }))
  return { queries, known }
}

/** How the ids of a piece's queries begin, as the script writes them. */
function nameIn(id: string): string {
  return `${id}__`.replace(/[^\w.+-]+/g, '_')
}

async function evaluateSeed(
  seed: string,
  { queries, known }: Questions,
  { pieces, prints, bits, models, options }: Material,
): Promise<void> {
  const songs = pieces.filter(({ id }) => known.has(id))
  const sparse = pieces.filter(({ tags }) => tags?.includes('sparse')).map(({ id }) => nameIn(id))
  const reference = new Reference((system) => {
    const indexed = songs.map(({ id }) => indexedCodes(system, prints.get(id) as Prints))
    return [...indexed, ...(models ? madeSongs(system, models, options.reference) : [])]
  })
  const chromaprint =
    bits.size > 0 ? new ChromaprintIndex(songs.map(({ id }) => bits.get(id) as Bits)) : undefined
  const systems: System[] = options.chroma ? ['echoprint', 'chroma'] : ['echoprint']
  const report = new IdentificationReport(['audio', ...systems, ...(chromaprint ? ['fpcalc'] : [])])
  const answers: string[] = []
  for (const query of queries) {
    if (options.only !== undefined && !query.kind.includes(options.only)) continue
    const isSparse = sparse.some((name) => nameIn(query.id).startsWith(name))
    const begun = process.cpuUsage()
    const print = await printsOf(query.file, options.chroma)
    const fingerprints = cpuSince(begun)
    const searching = process.cpuUsage()
    const found = reference.find(print)
    const search = cpuSince(searching)
    report.addWork(query, fingerprints, search)
    note('audio', found)
    for (const system of systems) {
      note(system, reference.findByCodes(system, indexedCodes(system, print)))
    }
    if (chromaprint) note('fpcalc', chromaprint.find(chromaprintOf(query.file)))
    const { id, kind, truth } = query
    const answer = found && { ...found, song: nameOf(found.song) }
    answers.push(JSON.stringify({ seed, id, kind, truth, answer, fingerprints, search }))

    function note(way: string, one: { song: number; score: number; family?: string } | undefined) {
      const by = one?.family === undefined ? '' : ` by ${one.family}`
      const text = one && { piece: nameOf(one.song), note: `${one.score.toFixed(1)}${by}` }
      report.add(way, query, isSparse, text)
    }
  }
  console.log(
    `\nSeed ${seed}: ${songs.length} of the pieces and ${options.reference} made songs indexed`,
  )
  report.print()
  if (options.answers !== undefined) {
    writeFileSync(options.answers, `${answers.join('\n')}\n`, { flag: 'a' })
  }

  function nameOf(song: number): string {
    return songs[song]?.id ?? `made song ${song - songs.length}`
  }
}

function degrade(
  out: string,
  seed: string,
  corpus: string,
  { degrade: script, pieces }: IdentificationOptions,
): void {
  if (script === undefined) {
    throw new Error(`There are no queries in ${out}; name the script that makes them.`)
  }
  mkdirSync(out, { recursive: true })
  const from = ['--corpus', join(corpus, 'corpus.json'), '--root', corpus]
  const what = ['--tracks', String(pieces), '--out', out, '--seed', seed]
  const made = spawnSync(process.execPath, [script, ...from, ...what], { stdio: 'inherit' })
  if (made.status !== 0) throw new Error(`The queries of seed ${seed} could not be made.`)
}

/** Milliseconds. */
function cpuSince(started: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1e3
}

function json<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T
}
