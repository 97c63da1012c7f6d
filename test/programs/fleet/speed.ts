import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseTask, QUEUE_NAME, resultName } from '../../../src/fleet/fleet-task.ts'
import { openQueue, openStore } from '../../../src/fleet/open.ts'
import { encodeAnswer } from '../../../src/fleet/result-code.ts'
import { analyzeFile } from '../../../src/workers/tasks.ts'
import { clip, waveBytes, waveFile } from '../../support/clips.ts'
import { startPostgres } from '../../support/postgres.ts'
import { tune } from '../../support/tune.ts'
import { madePrints } from './made-prints.ts'
import { kill, reportOf, start } from './processes.ts'

const THREADS = 2
const SILENCE = 60

/** Milliseconds in which a worker has started. */
const START = 4_000
/**
 * Times the analysis of the same files by two threads of the owner, and by a worker of two threads, in
 * turn: from the first result to the last, as the start of a run is not its throughput.
 *
 * @param length - of a file, seconds
 */
export async function overhead(files: number, length: number) {
  const home = mkdtempSync(join(tmpdir(), 'audile-fleet-'))
  const folder = join(home, 'music')
  mkdirSync(folder)
  for (let seed = 0; seed < files; seed++) {
    await waveFile(folder, `${seed}.wav`, tune({ seed, seconds: length }))
  }
  const server = await startPostgres()
  const journal = join(home, 'journal')
  const places = { queue: server.url, store: join(home, 'store'), silence: SILENCE }
  const timed = async (name: string, options: object) => {
    const owner = start('owner', {
      database: join(home, `${name}.db`),
      folder,
      journal,
      ...options,
    })
    const report = await reportOf(owner)
    return report?.between ?? Number.NaN
  }
  const local: number[] = []
  const fleet: number[] = []
  for (const turn of [1, 2]) {
    local.push(await timed(`local${turn}`, { workers: THREADS }))
    const worker = start('worker', { ...places, workers: THREADS, temporary: home })
    // Workers are there before their owner, usually; the start of a process is not their speed.
    await sleep(START)
    fleet.push(await timed(`fleet${turn}`, { analysis: places }))
    await kill(worker, 'SIGTERM')
  }
  await server.stop()
  rmSync(home, { recursive: true, force: true })
  const sum = (times: number[]) => times.reduce((total, time) => total + time, 0)
  return {
    files,
    length,
    localSeconds: local,
    fleetSeconds: fleet,
    throughputOfLocal: sum(local) / sum(fleet),
    overheadMillisecondsPerFile: (1000 * (sum(fleet) - sum(local))) / (2 * (files - 1)),
  }
}

/** Bytes of a file whose result is simulated: an MP3 of four minutes at 160 kbit/s. */
const FILE_BYTES = 4_800_000
/** Its length. */
const SECONDS = 240
/** Results a second: about what a hundred cores make. */
const RATE = 30

/**
 * The processor time of an owner at {@link RATE} results a second, which a worker gives that does not
 * analyse: every file gets the result of four minutes of music.
 */
export async function ownerShare(results: number) {
  const home = mkdtempSync(join(tmpdir(), 'audile-fleet-'))
  const folder = join(home, 'music')
  mkdirSync(folder)
  const head = Buffer.from(await waveBytes(clip({ seconds: FILE_BYTES / 44_100, seed: 1 })))
  for (let i = 0; i < results; i++) {
    head.writeInt32LE(i, head.length - 4)
    writeFileSync(join(folder, `${i}.wav`), head)
  }
  const long = await waveFile(home, 'long.wav', tune({ seed: 1, seconds: SECONDS }))
  const result = await analyzeFile({ path: long, decode: {}, meta: {} }, () => {})
  const answers: Uint8Array[] = []
  for (let i = 0; i < results; i++) {
    answers.push(await encodeAnswer({ result: { ...result, prints: madePrints(SECONDS, i) } }))
  }
  const server = await startPostgres()
  const address = join(home, 'store')
  const journal = join(home, 'journal')
  const queue = await openQueue({
    ...{ url: server.url, name: QUEUE_NAME, silence: SILENCE, supervises: false },
    onError: () => {},
  })
  const store = await openStore(address)
  const analysis = { queue: server.url, store: address, silence: SILENCE, ahead: 100 }
  const owner = start('owner', { database: join(home, 'music.db'), folder, journal, analysis })
  let isRegistered = false
  owner.on('message', ({ registered }: { registered?: true }) => {
    isRegistered ||= registered === true
  })
  const report = reportOf(owner)
  while (!isRegistered) await sleep(50)
  let ended = false
  void report.then(() => {
    ended = true
  })
  const began = performance.now()
  let given = 0
  while (!ended) {
    const due = Math.floor(((performance.now() - began) / 1000) * RATE) - given
    const jobs = due > 0 ? await queue.take(Math.min(due, 20)) : []
    for (const job of jobs) {
      parseTask(job.task)
      const bytes = answers[given++ % results] as Uint8Array
      await store.put(resultName(job.id), bytes)
      await queue.done(job)
    }
    if (jobs.length === 0) await sleep(20)
  }
  const said = await report
  await queue.close()
  await server.stop()
  rmSync(home, { recursive: true, force: true })
  const seconds = said?.seconds ?? Number.NaN
  const cpu = said?.cpu ?? Number.NaN
  return {
    results,
    resultBytes: Math.round(answers.reduce((sum, { length }) => sum + length, 0) / results),
    fileBytes: FILE_BYTES,
    perSecond: results / seconds,
    addingCpuMillisecondsPerFile: (1000 * (said?.adding ?? Number.NaN)) / results,
    ownerCpuMillisecondsPerResult: (1000 * cpu) / results,
    ownerShareOfACore: cpu / seconds,
  }
}
