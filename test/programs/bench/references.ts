import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '../../../src/kernel/database/open.ts'
import { openReference } from '../../../src/kernel/database/open-reference.ts'
import { inTurns } from '../../../src/kernel/scheduler.ts'
import type { EngineAddress } from '../../../src/options/engine-address.ts'
import { CodeIndex } from '../../../src/recognition/index/code-index.ts'
import { joinIndexes, type SearchedDatabase } from '../../../src/recognition/index/joined-index.ts'
import { Recognizer } from '../../../src/recognition/recognize.ts'
import { RecordingStore } from '../../../src/recognition/recording-store.ts'
import { matchCodes } from '../../../src/recognition/search/match.ts'
import { rulesOf } from '../../../src/recognition/search/rules.ts'
import { ServedReference } from '../../../src/recognition/shards/served-reference.ts'
import type { Codes } from '../../../src/recognition/systems/codes.ts'
import { encodeMessage } from '../../../src/remote/frames.ts'
import { connectOther } from '../../../src/remote/other-engine.ts'
import { seeded } from '../../support/music.ts'
import { tracesOf } from '../../support/prints.ts'
import { tune } from '../../support/tune.ts'
import { build, excerptOf } from './shards.ts'
import { sized } from './sized.ts'

const SHARDS = [1, 2, 4].filter((count) => count <= sized(4, 2))
/** Questions of each kind that are timed, and those before them that are not. */
const TIMED = sized(20, 2)
const WARM = sized(5, 1)

const { signal } = new AbortController()

/** What went to the shards and back. */
const traffic = { questions: 0, bytes: 0 }

/**
 * How long identification takes in references of so many songs each: as files, and served by a process
 * each over unix sockets; and what goes to and fro. The codes are made, as those of the part `shards`.
 */
export async function benchReferences(sizes: readonly number[], folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  for (const songs of sizes) {
    console.log(`\nReferences of ${songs.toLocaleString('en')} songs each, as files and served`)
    const paths = Array.from({ length: Math.max(...SHARDS) }, (_, i) => {
      const path = join(folder, `reference-${i}-of-${songs}.db`)
      if (!existsSync(path)) build(path, songs, i)
      return path
    })
    for (const count of SHARDS) await compare(paths.slice(0, count))
    for (const path of paths) rmSync(path, { force: true })
  }
}

async function compare(paths: readonly string[]): Promise<void> {
  const files = paths.map((path): SearchedDatabase => {
    const recordings = new RecordingStore(openReference(path))
    return { recordings, index: new CodeIndex(recordings), name: path }
  })
  await ask(`${paths.length} as files`, files, [])
  const children = await Promise.all(paths.map(serve))
  const served = children.map(({ address }) => {
    const needs = { connect: counting, host: { log() {} }, patience: 60 }
    const config = { name: address, engines: [address], apiKey: 'local', tls: {}, partial: false }
    return new ServedReference(config, needs)
  })
  await ask(
    `${paths.length} served`,
    served,
    children.map(({ child }) => child),
  )
  await Promise.all(served.map((one) => one.closeServers()))
  for (const { child } of children) {
    child.kill()
    await once(child, 'exit')
  }
}

async function serve(path: string): Promise<{ child: ChildProcess; address: EngineAddress }> {
  const script = fileURLToPath(new URL('./remote-server.ts', import.meta.url))
  const child = fork(script, ['thread', path, `${path}.socket`])
  const [[address]] = (await once(child, 'message')) as [[EngineAddress]]
  return { child, address }
}

/** Connects as references do, and counts what is said. */
const counting: typeof connectOther = async (...to) => {
  const engine = await connectOther(...to)
  return {
    ...engine,
    call: async (method, params, until) => {
      const value = await engine.call(method, params, until)
      const request = { type: 'request', id: 1, name: 'call', args: { method, params } } as const
      traffic.questions++
      traffic.bytes += encodeMessage(request).length
      traffic.bytes += encodeMessage({ type: 'answer', id: 1, value }).length
      return value
    },
  }
}

async function ask(
  name: string,
  references: readonly (SearchedDatabase | ServedReference)[],
  children: readonly ChildProcess[],
): Promise<void> {
  const own = new RecordingStore(openDatabase(':memory:'))
  const recognizer = new Recognizer(own, new CodeIndex(own), references)
  const random = seeded(9)
  const search = async (codes: Codes) => {
    const places = references.map(async (one) => ('openShard' in one ? one.openShard(signal) : one))
    const view = joinIndexes(await Promise.all(places))
    const rules = rulesOf('triplets', 'fewLandmarks')
    return inTurns(view.readInSteps(matchCodes(codes, view.lookup('triplets'), rules)), signal)
  }
  for (const [what, question] of [
    [
      '20 s of a song, the first search',
      (i: number) => search(excerptOf(i % references.length, i, random)),
    ],
    ['20 s that are unknown, all searches', (i: number) => unknown(recognizer, i)],
  ] as const) {
    for (let i = 0; i < WARM; i++) await question(i)
    const before = await Promise.all(children.map(cpuOf))
    Object.assign(traffic, { questions: 0, bytes: 0 })
    const began = process.cpuUsage()
    const walls: number[] = []
    for (let i = 0; i < TIMED; i++) {
      const start = performance.now()
      await question(WARM + i)
      walls.push(performance.now() - start)
    }
    const here = process.cpuUsage(began)
    const after = await Promise.all(children.map(cpuOf))
    const there = after.reduce((sum, used, i) => sum + used - before[i]!, 0)
    walls.sort((one, other) => one - other)
    const each = (micros: number) => `${(micros / 1000 / TIMED).toFixed(1)} ms`
    const shards = TIMED * Math.max(1, children.length)
    console.log(
      `  ${name}: ${what}: wall p50 ${walls[TIMED / 2]!.toFixed(1)}, p95 ${walls[Math.floor(0.95 * TIMED)]!.toFixed(1)} ms; CPU ${each(here.user + here.system)} here, ${each(there)} there in all; ${(traffic.questions / shards).toFixed(1)} questions and ${(traffic.bytes / shards / 1000).toFixed(1)} kB a shard`,
    )
  }
  const memory = await Promise.all(children.map(memoryOf))
  const mebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MiB`
  console.log(
    `  ${name}: memory of the process ${mebibytes(process.memoryUsage().rss)}${memory.map((bytes) => `, a shard's ${mebibytes(bytes)}`).join('')}`,
  )
}

const prints = new Map<number, ReturnType<typeof printsOf>>()

function printsOf(seed: number) {
  const none = { codes: new Uint32Array(0), times: new Uint32Array(0) }
  return { ...tracesOf(tune({ seed })), chroma: none }
}

/** Sound that no reference has: it is looked for in every way. */
async function unknown(recognizer: Recognizer, i: number): Promise<void> {
  const seed = i % 4
  if (!prints.has(seed)) prints.set(seed, printsOf(seed))
  await recognizer.byPrints(prints.get(seed)!, 20, signal)
}

/** Microseconds of processor that a process has used. */
async function cpuOf(child: ChildProcess): Promise<number> {
  child.send('cpu')
  const [used] = (await once(child, 'message')) as [number]
  return used
}

/** Bytes of memory that a process has. */
async function memoryOf(child: ChildProcess): Promise<number> {
  child.send('memory')
  const [used] = (await once(child, 'message')) as [number]
  return used
}
