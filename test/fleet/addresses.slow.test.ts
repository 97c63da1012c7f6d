import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { audioName, parseTask, QUEUE_NAME } from '../../src/fleet/fleet-task.ts'
import { type JobAddresses, signAddresses } from '../../src/fleet/job-objects.ts'
import { openQueue } from '../../src/fleet/open.ts'
import type { Queue, TakenJob } from '../../src/fleet/queue.ts'
import { MAX_ANSWER_BYTES } from '../../src/fleet/result-code.ts'
import { Retries } from '../../src/fleet/retry.ts'
import { openS3Store } from '../../src/fleet/s3-store.ts'
import { Sender } from '../../src/fleet/sender.ts'
import { fleet, type ServeFleetOptions, serveFleet } from '../../src/fleet-entry.ts'
import { Limiter } from '../../src/kernel/limiter.ts'
import { clip, waveFile } from '../support/clips.ts'
import { errandOf } from '../support/errand.ts'
import { openInline } from '../support/open.ts'
import { startPostgres } from '../support/postgres.ts'
import { NO_REDIS, startRedis } from '../support/redis.ts'
import { S3_KEYS, startS3 } from '../support/s3.ts'
import { scratch } from '../support/scratch.ts'

/** Seconds. */
const SILENCE = 2

interface Server {
  url: string
  stop(): Promise<void>
}

const SERVERS: [string, string | undefined, () => Promise<Server>][] = [
  ['PostgreSQL', undefined, startPostgres],
  ['Redis or Valkey', NO_REDIS, startRedis],
]

describe.each(SERVERS)(
  'workers with access to the queue alone, on %s',
  (name, missing, startServer) => {
    describe.skipIf(missing !== undefined)('and a bucket', () => {
      let server: Server
      let s3: Awaited<ReturnType<typeof startS3>>
      beforeAll(async () => {
        server = await startServer()
        s3 = await startS3()
      })
      afterAll(async () => {
        await server.stop()
        await s3.stop()
      })

      /** An owner; nobody else sees its keys, though it is in the same process. */
      const opened = async (store = s3.store) => {
        Object.assign(process.env, S3_KEYS)
        try {
          const analysis = fleet({ queue: server.url, store, silence: SILENCE })
          return await openInline({ analysis })
        } finally {
          for (const name of Object.keys(S3_KEYS)) delete process.env[name]
        }
      }
      const serving = async (options: Partial<ServeFleetOptions> = {}) => {
        const worker = await serveFleet({
          ...{ queue: server.url, silence: SILENCE, workers: 0, temporary: scratch() },
          ...options,
        })
        onTestFinished(() => worker.close())
        return worker
      }
      const looking = async (): Promise<Queue> => {
        const queue = await openQueue({
          ...{ url: server.url, name: QUEUE_NAME, silence: SILENCE, supervises: false },
          onError: () => {},
        })
        onTestFinished(() => queue.close())
        return queue
      }
      const taken = async (queue: Queue): Promise<TakenJob> => {
        let job: TakenJob | undefined
        await expect
          .poll(async () => {
            job ??= (await queue.take(1))[0]
            return job !== undefined
          })
          .toBe(true)
        return job as TakenJob
      }
      const nothingLeft = async () => {
        const queue = await looking()
        await expect.poll(() => queue.counts()).toEqual({ waiting: 0, running: 0, failed: 0 })
        await expect.poll(() => s3.objects()).toEqual([])
      }

      it('analyse, and leave nothing behind', async () => {
        const music = await opened()
        const worker = await serving()
        const file = await waveFile(scratch(), 'a.wav', clip({ seed: 31 }))
        const track = await music.tracks.upload({ file })
        expect((await track.analyzed()).status).toBe('complete')
        await expect
          .poll(() => worker.status())
          .toMatchObject({ done: 1, failed: 0, storeRefused: 0 })
        await nothingLeft()
      })

      it('send a job back whose addresses have expired, and its owner signs new ones', async () => {
        const music = await opened()
        const file = await waveFile(scratch(), 'a.wav', clip({ seed: 32 }))
        const track = await music.tracks.upload({ file })
        const queue = await looking()
        const { id, ...job } = await taken(queue)
        const task = parseTask(job.task)
        const store = await openS3Store(s3.store, S3_KEYS)
        const addresses = await signAddresses(store, { id, task }, 1)
        await queue.put({ id, owner: 'other', task, ...(addresses && { addresses }) })
        await queue.giveBack({ id, ...job })
        await sleep(2100)
        const worker = await serving()
        expect((await track.analyzed()).status).toBe('complete')
        await expect
          .poll(() => worker.status())
          .toMatchObject({ done: 1, failed: 1, storeRefused: 1 })
        await nothingLeft()
      })

      it('say that the audio is damaged, which its owner then puts there again', async () => {
        const music = await opened()
        const file = await waveFile(scratch(), 'a.wav', clip({ seed: 33 }))
        const track = await music.tracks.upload({ file })
        await expect.poll(() => s3.objects().length).toBe(1)
        const [name = ''] = s3.objects()
        const store = await openS3Store(s3.store, S3_KEYS)
        const address = (await store.sign?.('PUT', name, 60)) ?? ''
        expect((await fetch(address, { method: 'PUT', body: 'damaged' })).status).toBe(200)
        const worker = await serving()
        expect((await track.analyzed()).status).toBe('complete')
        await expect.poll(() => worker.status()).toMatchObject({ done: 1, failed: 1 })
        await nothingLeft()
      })

      // However the job came.
      const once = it.skipIf(name !== 'PostgreSQL')
      once(
        'may write what they like, but its owner reads no more than a result can have',
        async () => {
          const music = await opened()
          const file = await waveFile(scratch(), 'a.wav', clip({ seed: 36 }))
          const track = await music.tracks.upload({ file })
          const queue = await looking()
          const job = await taken(queue)
          const { result } = job.addresses as JobAddresses
          const body = new Uint8Array(MAX_ANSWER_BYTES + 1)
          expect((await fetch(result, { method: 'PUT', body })).status).toBe(200)
          await queue.done(job)
          await serving()
          expect((await track.analyzed()).status).toBe('complete')
          await nothingLeft()
        },
      )

      it('leave the jobs of an owner with a folder to others, and say why', async () => {
        const folder = scratch()
        const music = await opened(folder)
        const file = await waveFile(scratch(), 'a.wav', clip({ seed: 34 }))
        const track = await music.tracks.upload({ file })
        const said: string[] = []
        const without = await serving({ logger: { error: (message) => said.push(message) } })
        await expect
          .poll(() => said)
          .toEqual([expect.stringContaining('(--store, or the option store)')])
        await without.close()
        const queue = await looking()
        const job = await taken(queue)
        expect(job.attempt).toBe(1)
        await queue.giveBack(job)
        await serving({ store: folder })
        expect((await track.analyzed()).status).toBe('complete')
        await nothingLeft()
      })

      it('find addresses that hold as long as a job waits', async () => {
        // S3 rounds when they were signed down to a second; they are renewed after a half, and an eighth.
        const signed = 4
        const queue = await looking()
        const store = await openS3Store(s3.store, S3_KEYS)
        const closing = new AbortController()
        onTestFinished(() => closing.abort())
        const { signal } = closing
        const parts = {
          ...{ queue, store, signal, owner: 'a', openNamed: async () => queue },
          ...{ persistence: new Retries(() => {}), transfers: new Limiter(1) },
        }
        const sender = new Sender(parts, signed)
        const errand = await errandOf(await waveFile(scratch(), 'a.wav', clip({ seed: 35 })))
        await sender.sendErrand(errand, false, signal)
        const audio = async () => {
          const job = await taken(queue)
          await queue.giveBack(job)
          return (job.addresses as JobAddresses).audio
        }
        const access = async (address: string) => {
          const answer = await fetch(address)
          await answer.arrayBuffer()
          return answer.status
        }
        const first = await audio()
        await expect.poll(() => access(first)).toBe(403)
        await expect.poll(async () => access(await audio())).toBe(200)
        closing.abort()
        await expect.poll(async () => access(await audio())).toBe(403)
        await queue.remove([errand.id])
        await store.delete(audioName(errand.task))
        await nothingLeft()
      })
    })
  },
)
