import { once } from 'node:events'
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { runWorker } from '../../src/cli/worker.ts'
import { openQueue } from '../../src/fleet/open.ts'
import { warnOfStall } from '../../src/fleet/stall-warning.ts'
import { fleet, serveFleet } from '../../src/fleet-entry.ts'
import { openInline } from '../support/open.ts'
import { freePort, type Postgres, startPostgres } from '../support/postgres.ts'
import { NO_REDIS, startRedis } from '../support/redis.ts'
import { S3_KEYS, startS3 } from '../support/s3.ts'
import { scratch } from '../support/scratch.ts'

let postgres: Postgres
let s3: Awaited<ReturnType<typeof startS3>>
beforeAll(async () => {
  postgres = await startPostgres()
  s3 = await startS3()
})
afterAll(async () => {
  await postgres.stop()
  await s3.stop()
})

/** Environment variables of S3 for one test. */
function withKeys(keys: Record<string, string>): void {
  Object.assign(process.env, keys)
  onTestFinished(() => {
    for (const name of Object.keys(keys)) delete process.env[name]
  })
}

async function refused(queue: string, store: string): Promise<string[]> {
  const messageOf = (error: Error) => error.message
  const nothing = () => 'nothing'
  const opened = openInline({ analysis: fleet({ queue, store }) })
  const served = serveFleet({ queue, store, workers: 0, temporary: scratch() })
  return Promise.all([opened.then(nothing, messageOf), served.then(nothing, messageOf)])
}

describe('owner and worker are not opened', () => {
  it('where the database of the queue does not exist, or its user', async () => {
    const nowhere = postgres.url.replace(/\/postgres$/, '/nowhere')
    for (const said of await refused(nowhere, scratch()))
      expect(said).toMatch(/^queue .*"nowhere" does not exist/)
    const nobody = postgres.url.replace('//audile', '//nobody')
    for (const said of await refused(nobody, scratch())) expect(said).toMatch(/^queue .*nobody/)
  })

  it.skipIf(NO_REDIS)('where Redis refuses the password', async () => {
    const redis = await startRedis()
    onTestFinished(() => redis.stop())
    const wrong = redis.url.replace('//', '//somebody:wrong@')
    for (const said of await refused(wrong, scratch())) expect(said).toMatch(/^queue .*WRONGPASS/)
  })

  it('where there is no such bucket, or the keys are wrong', async () => {
    withKeys(S3_KEYS)
    const elsewhere = s3.store.replace('s3://bucket', 's3://elsewhere')
    for (const said of await refused(postgres.url, elsewhere))
      expect(said).toMatch(/^store .*NoSuchBucket/s)
    withKeys({ ...S3_KEYS, AWS_SECRET_ACCESS_KEY: 'wrong' })
    for (const said of await refused(postgres.url, s3.store)) expect(said).toMatch(/^store .*403/)
  })

  it('where the keys may read objects of the bucket, but not put them there', async () => {
    withKeys(S3_KEYS)
    const server = createServer(({ method }, response) => {
      response.statusCode = method === 'PUT' ? 403 : 404
      response.end()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const store = `s3://bucket?endpoint=http://127.0.0.1:${port}`
    for (const said of await refused(postgres.url, store)) expect(said).toMatch(/^store .*403/)
  })

  it.skipIf(process.getuid?.() === 0)('where the folder may not be written', async () => {
    const store = scratch()
    chmodSync(store, 0o500)
    for (const said of await refused(postgres.url, store)) expect(said).toMatch(/^store .*EACCES/)
  })
})

it('are opened while queue and store are away, which is warned of', async () => {
  withKeys(S3_KEYS)
  const warned: string[] = []
  const logger = { warn: (message: string) => void warned.push(message) }
  const away = `127.0.0.1:${await freePort()}`
  const queue = `postgres://${away}/audile`
  const store = `s3://bucket?endpoint=http://${away}`
  await openInline({ analysis: fleet({ queue, store }), logger })
  const worker = await serveFleet({ queue, store, workers: 0, temporary: scratch() })
  const reached = expect(worker.reached()).rejects.toThrow('closed')
  expect(warned.sort()).toEqual([
    expect.stringMatching(/^The fleet's queue does not answer .*ECONNREFUSED/),
    expect.stringMatching(/^The fleet's store does not answer .*ECONNREFUSED/),
  ])
  await worker.close()
  await reached
})

it('the command says that it is at work when both have answered', async () => {
  const store = join(scratch(), 'store')
  writeFileSync(store, 'a file where the folder will be')
  const told: string[] = []
  const interrupt = new AbortController()
  const options = { workers: 1, silence: 2, ffmpegPath: undefined }
  const request = { queue: postgres.url, store, ...options }
  const running = runWorker(request, interrupt.signal, (line) => void told.push(line))
  const away = expect.stringMatching(/^The fleet's store does not answer/)
  await expect.poll(() => told).toContainEqual(away)
  const atWork = expect.stringMatching(/^At work/)
  expect(told).not.toContainEqual(atWork)
  rmSync(store)
  await expect.poll(() => told).toContainEqual(atWork)
  interrupt.abort(new Error('interrupted'))
  await expect(running).rejects.toThrow('interrupted')
})

describe('a fleet without progress', () => {
  it('tells that no worker was seen, and what does not answer', async () => {
    const queue = await openQueue({
      ...{ url: postgres.url, name: 'standstill', silence: 2, supervises: false },
      onError: () => {},
    })
    onTestFinished(() => queue.close())
    const closing = new AbortController()
    onTestFinished(() => closing.abort())
    const failing = new Set<'queue' | 'store'>()
    const told: string[] = []
    warnOfStall({
      ...{ queue, persistence: { failing }, signal: closing.signal, patience: 20 },
      watch: { countJobs: () => ({ waiting: 1, running: 0, still: 30 }) },
      tell: ({ missing, message }) => void told.push(`${missing}: ${message}`),
    })
    await expect.poll(() => told).toEqual([expect.stringMatching(/^workers: .*npx audile worker/)])
    await queue.present('one')
    failing.add('store')
    await expect.poll(() => told[1]).toMatch(/^store: /)
    await postgres.restart(100)
    await expect.poll(() => told[2]).toMatch(/^queue: /)
  })
})
