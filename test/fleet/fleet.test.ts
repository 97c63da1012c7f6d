import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Audile } from '../../src/audile.ts'
import { ParameterError } from '../../src/errors.ts'
import { audioName, ownerOf, QUEUE_NAME, resultName } from '../../src/fleet/fleet-task.ts'
import { openQueue, openStore } from '../../src/fleet/open.ts'
import type { Queue, TakenJob } from '../../src/fleet/queue.ts'
import { fleet, type ServeFleetOptions, serveFleet } from '../../src/fleet-entry.ts'
import { clip, waveFile } from '../support/clips.ts'
import { openInline } from '../support/open.ts'
import { startPostgres } from '../support/postgres.ts'
import { NO_REDIS, startRedis } from '../support/redis.ts'
import { scratch } from '../support/scratch.ts'

/** Seconds. */
const SILENCE = 2

interface Server {
  url: string
  restart(pause?: number): Promise<void>
  stop(): Promise<void>
}

const SERVERS: [string, string | undefined, () => Promise<Server>][] = [
  ['PostgreSQL, by pg-boss', undefined, startPostgres],
  ['Redis or Valkey, by BullMQ', NO_REDIS, startRedis],
]

for (const [name, missing] of SERVERS) {
  if (missing !== undefined) console.warn(`The fleet is not tested on ${name}: ${missing}.`)
}

describe.each(SERVERS)('a fleet on %s', (_name, missing, startServer) => {
  describe.skipIf(missing !== undefined)('and a folder', () => {
    let server: Server
    beforeAll(async () => {
      server = await startServer()
    })
    afterAll(() => server.stop())

    const opened = async (store: string, database = ':memory:') =>
      openInline({
        database,
        analysis: fleet({ queue: server.url, store, silence: SILENCE, ahead: 4 }),
      })
    const serving = async (store: string, options: Partial<ServeFleetOptions> = {}) => {
      const worker = await serveFleet({
        ...{ queue: server.url, store, silence: SILENCE, workers: 0, temporary: scratch() },
        ...options,
      })
      onTestFinished(() => worker.close())
      return worker
    }
    const looking = async (name = QUEUE_NAME): Promise<Queue> => {
      const queue = await openQueue({
        ...{ url: server.url, name, silence: SILENCE, supervises: false },
        onError: () => {},
      })
      onTestFinished(() => queue.close())
      return queue
    }
    const nothingLeft = async (store: string) => {
      const queue = await looking()
      await expect.poll(() => queue.counts()).toEqual({ waiting: 0, running: 0, failed: 0 })
      await expect.poll(() => objectsIn(store)).toEqual([])
    }

    it('gives a track what this machine would, and leaves nothing behind', async () => {
      const store = scratch()
      const file = await waveFile(scratch(), 'A song.wav', clip({ seconds: 5, seed: 3 }))
      const music = await opened(store)
      const worker = await serving(store)
      const track = await music.tracks.upload({ file, wait: true })
      const local = await openInline()
      const expected = await local.tracks.upload({ file, wait: true })
      expect(await documentOf(music, track.id)).toEqual(await documentOf(local, expected.id))
      const [summary, expectedSummary] = await Promise.all(
        [track, expected].map(
          async (one) => (await one.profile({ bucket: 'audio_summary' })).audioSummary,
        ),
      )
      expect(summary).toEqual({ ...expectedSummary, analysisUrl: summary?.analysisUrl })
      expect(await music.songs.fingerprint({ file })).toEqual(
        await local.songs.fingerprint({ file }),
      )
      await expect.poll(() => worker.status()).toMatchObject({ done: 2, failed: 0, running: 0 })
      const status = await music.fleet.status()
      expect(status).toMatchObject({
        ...{ workers: 1, own: { waiting: 0, running: 0 }, results: 2, tracks: 0 },
        failures: { file: 0, worker: 0, queue: 0, store: 0 },
      })
      const samples = samplesOf(await music.fleet.metrics())
      expect(samples).toMatchObject({
        audile_fleet_workers: 1,
        'audile_fleet_jobs{state="waiting"}': 0,
        audile_fleet_results_total: 2,
      })
      expect(samplesOf(worker.metrics())).toMatchObject({
        'audile_fleet_worker_ended_total{outcome="done"}': 2,
      })
      await nothingLeft(store)
    })

    it('is made once by processes that come at the same moment', async () => {
      for (let round = 0; round < 12; round++) {
        const queues = await Promise.all(Array.from({ length: 5 }, () => looking(`made-${round}`)))
        const counts = await Promise.all(queues.map((queue) => queue.counts()))
        expect(counts).toEqual(queues.map(() => ({ waiting: 0, running: 0, failed: 0 })))
        await Promise.all(queues.map((queue) => queue.close()))
      }
    })

    it('gives a file that is no audio the error that this machine would', async () => {
      const store = scratch()
      const file = join(scratch(), 'noise.flac')
      writeFileSync(file, `fLaC${'this is no audio'.repeat(100)}`)
      const music = await opened(store)
      await serving(store)
      const local = await openInline()
      const messages = await Promise.all(
        [music, local].map(async (one) => {
          const track = await one.tracks.upload({ file })
          return track.analyzed().then(
            () => 'none',
            (error: Error) => error.message,
          )
        }),
      )
      expect(messages[0]).toBe(messages[1])
      expect(messages[0]).not.toBe('none')
      expect((await music.fleet.status()).failures.file).toBe(1)
      await nothingLeft(store)
    })

    it('goes on with what was out when the owner ended', async () => {
      const store = scratch()
      const database = join(scratch(), 'music.db')
      const file = await waveFile(scratch(), 'a.wav', clip({ seed: 5 }))
      const first = await opened(store, database)
      const { id } = await first.tracks.upload({ file })
      const queue = await looking()
      await expect.poll(async () => (await queue.counts()).waiting).toBe(1)
      await first.close()
      const worker = await serving(store)
      await expect.poll(() => worker.status().done).toBe(1)
      const second = await opened(store, database)
      const track = await second.tracks.get(id)
      expect((await track.analyzed()).status).toBe('complete')
      await expect.poll(() => worker.status()).toMatchObject({ done: 1, failed: 0 })
      await nothingLeft(store)
    })

    it('removes what the same owner had out when it was of another version', async () => {
      const store = scratch()
      const objects = await openStore(store)
      const database = join(scratch(), 'music.db')
      const task = { audio: { md5: 'a'.repeat(32), bytes: 1 }, kind: 'of a later version' }
      const older = await looking('audile-0_0_1-0_1')
      const put = async (id: string, owner: string) => {
        await older.put({ id, owner, task })
        await objects.put(resultName(id), new Uint8Array(1))
        return id
      }
      const [ended, taken, waiting, foreign] = [
        await put(randomUUID(), ownerOf(database)),
        await put(randomUUID(), ownerOf(database)),
        await put(randomUUID(), ownerOf(database)),
        await put(randomUUID(), 'another'),
      ]
      await objects.put(audioName(task), new Uint8Array(1))
      const [first] = await older.take(1)
      await older.done(first as TakenJob)
      const [second] = await older.take(1)
      const ids = [ended, taken, waiting, foreign]
      expect((await older.look(ids)).size).toBe(4)
      await opened(store, database)
      const left = async () => {
        // Its worker takes a job off the queue that was withdrawn, where the server does not.
        await older.beat([{ job: second as TakenJob, progress: 0 }])
        return [...(await older.look(ids)).keys()]
      }
      await expect.poll(left).toEqual([foreign])
      expect(objectsIn(store).map((path) => basename(path))).toEqual([foreign])
      await older.remove([foreign])
    })

    it('withdraws the job of a track that is removed', async () => {
      const store = scratch()
      const file = await waveFile(scratch(), 'a.wav', clip({ seed: 6 }))
      const music = await opened(store)
      const track = await music.tracks.upload({ file })
      const queue = await looking()
      await expect.poll(async () => (await queue.counts()).waiting).toBe(1)
      await music.tracks.remove(track)
      await nothingLeft(store)
    })

    it('sends again what was lost or damaged in the store', async () => {
      const store = scratch()
      const file = await waveFile(scratch(), 'a.wav', clip({ seed: 7 }))
      const music = await opened(store)
      const track = await music.tracks.upload({ file })
      const queue = await looking()
      await expect.poll(async () => (await queue.counts()).waiting).toBe(1)
      const [audio] = objectsIn(store)
      writeFileSync(join(store, audio as string), 'damaged')
      const worker = await serving(store)
      expect((await track.analyzed()).status).toBe('complete')
      await expect.poll(() => worker.status()).toMatchObject({ done: 1, failed: 1 })
      await nothingLeft(store)
    })

    it('tells that a worker looks in another store than the owner', async () => {
      const store = scratch()
      const file = await waveFile(scratch(), 'a.wav', clip({ seed: 12 }))
      const music = await opened(store)
      const track = await music.tracks.upload({ file })
      const warned: string[] = []
      const logger = { warn: (message: string) => void warned.push(message) }
      const astray = await serving(scratch(), { logger })
      await expect.poll(() => astray.status().failed, { timeout: 30_000 }).toBeGreaterThan(1)
      expect(warned).toHaveLength(1)
      expect(warned[0]).toContain('this worker has another store than the owner')
      await astray.close()
      await serving(store)
      expect((await track.analyzed()).status).toBe('complete')
      await nothingLeft(store)
    })

    it('says that a file is gone, or has changed, as this machine would', async () => {
      const store = scratch()
      const folder = scratch()
      const music = await opened(store)
      const files = await Promise.all(
        [20, 21].map((seed) => waveFile(folder, `${seed}.wav`, clip({ seed }))),
      )
      const queue = await looking()
      const tracks = await Promise.all(files.map((file) => music.tracks.upload({ file })))
      await expect.poll(async () => (await queue.counts()).waiting).toBe(2)
      const [gone, changed] = files as [string, string]
      rmSync(gone)
      await waveFile(folder, '21.wav', clip({ seed: 22 }))
      for (const name of objectsIn(store)) rmSync(join(store, name))
      await serving(store)
      const messages = await Promise.all(
        tracks.map((track) => track.analyzed().catch((error: Error) => error.message)),
      )
      expect(messages[0]).toContain(`${gone}`)
      expect(messages[1]).toContain(`${changed} has changed`)
      await nothingLeft(store)
    })

    it('waits for a server that restarts', async () => {
      const store = scratch()
      const folder = scratch()
      const music = await opened(store)
      await serving(store)
      const tracks = await Promise.all(
        [1, 2, 3, 4, 5, 6].map(async (seed) =>
          music.tracks.upload({ file: await waveFile(folder, `${seed}.wav`, clip({ seed })) }),
        ),
      )
      await server.restart(500)
      for (const track of tracks) expect((await track.analyzed()).status).toBe('complete')
      await nothingLeft(store)
    })

    it('gives the jobs of a worker that is silent to another', async () => {
      const store = scratch()
      const file = await waveFile(scratch(), 'a.wav', clip({ seed: 8 }))
      const music = await opened(store)
      const track = await music.tracks.upload({ file })
      const silent = await looking()
      await expect.poll(async () => (await silent.take(1)).length).toBe(1)
      await serving(store)
      expect((await track.analyzed()).status).toBe('complete')
      await nothingLeft(store)
    })

    it('gives up a file that workers fail at every time', async () => {
      const store = scratch()
      const file = await waveFile(scratch(), 'a.wav', clip({ seed: 9 }))
      const music = await opened(store)
      const track = await music.tracks.upload({ file })
      const failing = await looking()
      let attempts = 0
      const ended = track.analyzed().then(
        () => 'none',
        (error: Error) => error.message,
      )
      let isOver = false
      void ended.then(() => {
        isOver = true
      })
      while (!isOver) {
        for (const job of await failing.take(1)) {
          attempts++
          await failing.fail(job, 'The disk is on fire.')
        }
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      expect(await ended).toBe('The fleet gave this file up: The disk is on fire.')
      expect(attempts).toBe(10)
      expect((await music.fleet.status()).failures.worker).toBe(1)
      await nothingLeft(store)
    })

    it('puts what it has in hand back when it is closed', async () => {
      const store = scratch()
      const file = await waveFile(scratch(), 'a.wav', clip({ seconds: 60, seed: 10 }))
      const music = await opened(store)
      const track = await music.tracks.upload({ file })
      const worker = await serving(store)
      await expect.poll(() => worker.status().running).toBe(1)
      await worker.close()
      const queue = await looking()
      expect((await queue.counts()).running).toBe(0)
      const [job] = await queue.take(1)
      expect(job?.attempt).toBe(1)
      if (job) await queue.giveBack(job)
      await music.tracks.remove(track)
      await nothingLeft(store)
    })

    it('puts back what it is taking when it is closed', async () => {
      const store = scratch()
      const file = await waveFile(scratch(), 'a.wav', clip({ seed: 11 }))
      const music = await opened(store)
      const track = await music.tracks.upload({ file })
      const queue = await looking()
      await expect.poll(async () => (await queue.counts()).waiting).toBe(1)
      await (await serving(store)).close()
      expect(await queue.counts()).toEqual({ waiting: 1, running: 0, failed: 0 })
      await music.tracks.remove(track)
      await nothingLeft(store)
    })
  })
})

it('says that a database was opened without a fleet', async () => {
  const music = await openInline()
  await expect(music.fleet.status()).rejects.toThrow('opened without a fleet')
})

it.each([
  [{ queue: 'mysql://a', store: '/a' }, /^queue - Invalid parameter/],
  [{ queue: 'postgres://a', store: 'gs://bucket' }, /^store - Invalid parameter: "gs:"/],
  [{ queue: 'postgres://a', store: 's3://' }, /^store - Invalid parameter: "s3:"; give/],
  [{ queue: 'postgres://a', store: 's3:///prefix' }, /^store - Invalid parameter: "s3:"; give/],
  [{ queue: 'postgres://a:b#c@d/e', store: '/a' }, /^queue (?!.*b#c).*encodeURIComponent/],
  [{ queue: 'redis://a:99999', store: '/a' }, /^queue .*a port from 0 to 65,535/],
  [{ queue: 'postgres://a', store: '/a', ahead: 0 }, /^ahead - Invalid parameter/],
])('refuses %j', (options, message) => {
  expect(() => fleet(options)).toThrow(message)
})

it('refuses to work in a folder that is not there', async () => {
  const temporary = join(scratch(), 'none')
  const working = serveFleet({ queue: 'postgres://a', store: scratch(), temporary })
  await expect(working).rejects.toThrow(ParameterError)
  await expect(working).rejects.toThrow(/^temporary - .*none.*give a folder that is there/)
})

/** The objects in a folder store, by their paths in it. */
function objectsIn(store: string): string[] {
  return ['audio', 'results', 'unfinished'].flatMap((folder) => {
    const path = join(store, folder)
    if (!existsSync(path)) return []
    const entries = readdirSync(path, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const at = join(entry.parentPath, entry.name)
        return at.slice(store.length + 1)
      })
  })
}

/** The document of a track, without the times at which it was made. */
async function documentOf(music: Audile, id: string): Promise<unknown> {
  const document = await (await music.tracks.get(id)).analysis()
  const { analysis_time: _time, timestamp: _stamp, ...meta } = document.meta
  return { ...document, meta }
}

/** Samples of the exposition format of Prometheus, each of a metric whose help and type are told first. */
function samplesOf(text: string): Record<string, number> {
  const samples: Record<string, number> = {}
  let family = ''
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const help = /^# HELP (\w+) ./.exec(line)
    if (help) {
      family = help[1] ?? ''
      continue
    }
    if (line.startsWith('#')) {
      expect(line).toMatch(new RegExp(`^# TYPE ${family} (gauge|counter)$`))
      continue
    }
    const [, name = '', labels = '', value] =
      /^(audile_fleet_\w+)(\{\w+="\w+"\})? ([\d.e+-]+)$/.exec(line) ?? []
    expect(name, line).toBe(family)
    samples[name + labels] = Number(value)
  }
  return samples
}
