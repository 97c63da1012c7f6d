import { connect as connectNet } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { killed } from '../programs/served/killed.ts'
import { failure } from '../support/failure.ts'
import { flakyProxy } from '../support/flaky-proxy.ts'
import { openInline } from '../support/open.ts'
import { connect, serve } from '../support/remote.ts'

/** A small one; npm run served goes on for 40 clients and 20 kills. */
const KILLS = 4

it(`after ${KILLS} kills, each call is answered or known to be unknown, and none is done twice`, async () => {
  const { answered, unknown, unknownButDone, lost, twice, others, kills } = await killed({
    ...{ clients: 12, kills: KILLS, deploys: 1, pause: 1.5, engine: 'thread', seed: 11 },
  })
  expect({ kills, lost, twice, others }).toEqual({ kills: KILLS, lost: 0, twice: 0, others: [] })
  expect(answered).toBeGreaterThan(100)
  expect(unknown).toBeGreaterThanOrEqual(unknownButDone)
})

it('a service that was closed is waited for ten seconds, and found again later', async () => {
  const music = await openInline()
  const server = await serve(music)
  const proxy = await flakyProxy(server.address)
  const client = await connect(proxy.address)
  await server.close()
  const started = performance.now()
  const failed = await failure(client.tracks.list())
  expect(performance.now() - started).toBeGreaterThan(8_000)
  expect(failed).toMatchObject({ code: 'closed' })
  expect(failed.message).toContain('within 60 s (reconnectSeconds)')
  expect(await failure(client.tracks.list())).toMatchObject({ code: 'closed' })
  proxy.turnTo((await serve(music)).address)
  await expect.poll(async () => (await client.tracks.list().catch(() => undefined))?.total).toBe(0)
})

it('connections that ask for nothing are ended', async () => {
  const { address } = await serve(await openInline())
  const { hostname, port } = new URL(address)
  const socket = connectNet(Number(port), hostname)
  let isClosed = false
  socket.on('close', () => {
    isClosed = true
  })
  socket.resume().write('GET / HTTP/1.1\r\nhost: x\r\n')
  await sleep(20_000)
  expect(isClosed).toBe(true)
})
