import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { QUEUE_NAME } from '../../../src/fleet/fleet-task.ts'
import { openQueue } from '../../../src/fleet/open.ts'
import { Audile } from '../../../src/host/audile.ts'
import { clip, waveFile } from '../../support/clips.ts'
import { seeded } from '../../support/music.ts'
import { startPostgres } from '../../support/postgres.ts'
import { NO_REDIS, startRedis } from '../../support/redis.ts'
import { S3_KEYS, startS3 } from '../../support/s3.ts'
import { kill, type OwnerReport, reportOf, start } from './processes.ts'

/** What happens to a fleet. */
export interface Ordeal {
  files: number
  /** Ends of a worker, or of the owner, by SIGKILL. */
  kills: number
  /** Restarts of the queue's server, and times that the store refuses all. */
  outages: number
  /** Seconds that the store refuses. */
  refusing: number
  /** Seconds between two kills, about. */
  pause: number
  seed: number
  /** Which server has the queue. Default PostgreSQL. */
  queue?: 'postgres' | 'redis'
  /** What the store is. With `s3`, workers know the queue only. Default a folder. */
  store?: 'folder' | 's3'
  onEvent?: (line: string) => void
}

/** What was found after it. */
export interface Findings {
  seconds: number
  complete: number
  /** Tracks that were completed more than once. */
  twice: number
  /** Tracks whose document is not that of this machine. */
  differing: number
  /** Jobs on the queue, and objects in the store. */
  left: string[]
  kills: { owner: number; worker: number }
}

const WORKERS = 3
/** Seconds after which a worker counts as dead. */
const SILENCE = 4

/** Runs a fleet while its processes are killed and its servers refuse, and compares what it made. */
export async function killed(ordeal: Ordeal): Promise<Findings> {
  const { files, kills, outages, seed, onEvent = () => {} } = ordeal
  const home = mkdtempSync(join(tmpdir(), 'audile-fleet-'))
  if (ordeal.queue === 'redis' && NO_REDIS) throw new Error(NO_REDIS)
  const server = await (ordeal.queue === 'redis' ? startRedis() : startPostgres())
  const store = await (ordeal.store === 's3' ? bucket() : sharedFolder(join(home, 'store')))
  const random = seeded(seed)
  const music = join(home, 'music')
  const journal = join(home, 'journal')
  writeFileSync(journal, '')
  mkdirSync(music)
  for (let i = 0; i < files; i++) {
    const length = 2 + 2 * random()
    await waveFile(music, `${i}.wav`, clip({ seconds: length, seed: i + 1, bpm: 90 + (i % 60) }))
  }
  const shared = { queue: server.url, silence: SILENCE }
  const places = { ...shared, store: store.address }
  const database = join(home, 'music.db')
  const begin = (name: 'owner' | 'worker') =>
    name === 'owner'
      ? start(
          name,
          { database, folder: music, journal, analysis: { ...places, ahead: 12 } },
          store.keys,
        )
      : start(name, { ...(store.keys ? shared : places), workers: 1, temporary: home })
  let owner = begin('owner')
  let report = reportOf(owner)
  const workers = Array.from({ length: WORKERS }, () => begin('worker'))
  const counted = { owner: 0, worker: 0 }
  const started = performance.now()
  let isDone = false
  const done = (async (): Promise<OwnerReport> => {
    for (;;) {
      const said = await report
      if (said) {
        isDone = true
        return said
      }
      await sleep(10)
    }
  })()
  // An outage comes after each of these kills.
  const every = Math.max(1, Math.floor(kills / (2 * outages + 1)))
  for (let n = 1; n <= kills && !isDone; n++) {
    await sleep(1000 * ordeal.pause * 2 * random())
    if (isDone) break
    if (random() < 1 / (WORKERS + 1)) {
      counted.owner++
      await kill(owner)
      owner = begin('owner')
      report = reportOf(owner)
    } else {
      counted.worker++
      const which = Math.floor(WORKERS * random())
      await kill(workers[which] as NonNullable<(typeof workers)[0]>)
      workers[which] = begin('worker')
    }
    const outage = n % every === 0 ? n / every : 0
    if (outage > 0 && outage <= 2 * outages) {
      if (outage % 2 === 1) await server.restart(1000)
      else await store.refuse(ordeal.refusing)
      onEvent(outage % 2 === 1 ? 'the queue restarted' : 'the store refused')
    }
    onEvent(`${n} kills, ${lines(journal).length} tracks`)
  }
  await done
  const seconds = (performance.now() - started) / 1000
  onEvent(`all tracks after ${seconds.toFixed(0)} s`)
  Object.assign(process.env, store.keys)
  const left = await leftIn(server.url, store, { database, folder: music, journal, places })
  await Promise.all(workers.map((worker) => kill(worker, 'SIGTERM')))
  const findings = await compared(database, music)
  const completed = lines(journal).filter((line) => line.startsWith('complete'))
  const twice = completed.length - new Set(completed).size
  await server.stop()
  await store.stop()
  rmSync(home, { recursive: true, force: true })
  return { seconds, ...findings, twice, left, kills: counted }
}

const lines = (file: string) => readFileSync(file, 'utf8').split('\n').filter(Boolean)

/** A store that refuses for a while when it is told to. */
interface TriedStore {
  address: string
  /** For the environment of its owner; a folder has none. */
  keys?: NodeJS.ProcessEnv
  refuse(seconds: number): Promise<void>
  /** The names of what is in it. */
  objects(): string[]
  stop(): Promise<void>
}

/** Access to it fails while there is a file where the folder was. */
async function sharedFolder(folder: string): Promise<TriedStore> {
  return {
    address: folder,
    async refuse(seconds) {
      if (!existsSync(folder)) return
      renameSync(folder, `${folder}-away`)
      writeFileSync(folder, '')
      await sleep(seconds * 1000)
      rmSync(folder)
      renameSync(`${folder}-away`, folder)
    },
    objects() {
      const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
      return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
    },
    stop: async () => {},
  }
}

/** Its server cuts all connections and is away. */
async function bucket(): Promise<TriedStore> {
  const s3 = await startS3()
  return {
    address: s3.store,
    keys: S3_KEYS,
    refuse: (seconds) => s3.restart(seconds * 1000),
    objects: s3.objects,
    stop: s3.stop,
  }
}

/** The longest that an owner takes to find what its predecessor left, milliseconds: two of its looks. */
const SWEEPS = 90_000

/** What is left when an owner has been open for a while. */
async function leftIn(
  url: string,
  store: TriedStore,
  owner: { database: string; folder: string; journal: string; places: object },
): Promise<string[]> {
  const { fleet } = await import('../../../src/fleet-entry.ts')
  const analysis = fleet({ ...(owner.places as { queue: string; store: string }), ahead: 1 })
  const music = await Audile.open({
    database: owner.database,
    engine: 'inline',
    workers: 0,
    analysis,
  })
  const queue = await openQueue({
    ...{ url, name: QUEUE_NAME, silence: SILENCE, supervises: false },
    onError: () => {},
  })
  try {
    for (const end = Date.now() + SWEEPS; ; await sleep(1000)) {
      const { waiting, running, failed } = await queue.counts()
      const jobs = waiting + running + failed
      const left = [...store.objects(), ...(jobs > 0 ? [`${jobs} jobs`] : [])]
      if (left.length === 0 || Date.now() > end) return left
    }
  } finally {
    await queue.close()
    await music.close()
  }
}

/** Analyses the same files on this machine, and compares the documents. */
async function compared(database: string, folder: string) {
  const fleet = await Audile.open({ database, engine: 'inline', workers: 0 })
  const local = await Audile.open({ database: ':memory:', engine: 'inline', workers: 0 })
  let complete = 0
  let differing = 0
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    const [theirs, ours] = await Promise.all(
      [fleet, local].map(async (music) => {
        const track = await music.tracks.upload({ file })
        const { status } = await track.analyzed()
        const { analysis_time: _time, timestamp: _stamp, ...meta } = (await track.analysis()).meta
        const text = JSON.stringify({ ...(await track.analysis()), meta })
        return { status, text }
      }),
    )
    if (theirs?.status === 'complete') complete++
    if (theirs?.text !== ours?.text) differing++
  }
  await fleet.close()
  await local.close()
  return { complete, differing }
}
