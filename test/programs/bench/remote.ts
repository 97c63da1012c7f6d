import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Audile, Params, RemoteOptions } from '../../../src/index.ts'
import { record } from '../../support/figures.ts'
import { sized } from './sized.ts'

/** Calls of one after the other that are timed, and calls before them that are not. */
const TIMED = sized(3_000, 20)
const WARM = sized(1_000, 1)
/** Clients at once, and the calls of each that are under way. */
const CLIENTS = 20
const AT_ONCE = 16
/** Milliseconds of the measurement with all of them. */
const LASTING = sized(3_000, 100)
const SONGS = sized(2_000, 100)

/**
 * What a call costs in the engine's thread, over a unix socket and over TCP, and how many calls twenty
 * clients get answered. The engine that is served is in a process of its own.
 */
export async function benchRemote(): Promise<void> {
  const { Audile } = (await import('audile' as string)) as typeof import('../../../src/index.ts')
  const folder = mkdtempSync(join(tmpdir(), 'audile-bench-'))
  const own = await Audile.open({ database: join(folder, 'own.db'), workers: 1 })
  await fill(own)
  console.log(`\nOne call after the other: catalog/list, and a search among ${SONGS} songs`)
  await timed('engine: thread', own)
  await own.close()
  for (const engine of ['thread', 'inline'] as const) {
    const child = fork(fileURLToPath(new URL('./remote-server.ts', import.meta.url)), [
      ...[engine, join(folder, `${engine}.db`), join(folder, engine)],
    ])
    try {
      const [addresses] = (await once(child, 'message')) as [RemoteOptions['engine'][]]
      for (const address of addresses) {
        const client = await Audile.open({ engine: address })
        if (address === addresses[0]) await fill(client)
        await timed(`${address.slice(0, 4)}, engine there: ${engine}`, client)
        await client.close()
        await together(child, engine, address)
      }
    } finally {
      child.kill()
      await once(child, 'exit')
    }
  }
  rmSync(folder, { recursive: true, force: true })

  async function together(child: ChildProcess, engine: string, address: RemoteOptions['engine']) {
    const clients = await Promise.all(
      Array.from({ length: CLIENTS }, () => Audile.open({ engine: address })),
    )
    const before = await cpuOf(child)
    const mine = process.cpuUsage()
    const started = performance.now()
    const end = started + LASTING
    let calls = 0
    const ask = async (client: Audile, lane: number) => {
      for (let i = lane; performance.now() < end; i++, calls++)
        await READS[i % READS.length]?.(client)
    }
    await Promise.all(
      clients.flatMap((client) => Array.from({ length: AT_ONCE }, (_, lane) => ask(client, lane))),
    )
    const took = (performance.now() - started) / 1000
    const { user, system } = process.cpuUsage(mine)
    const there = (await cpuOf(child)) - before
    await Promise.all(clients.map((client) => client.close()))
    record('bench', 'remote', {
      [`${address.slice(0, 4)}, engine there: ${engine}: calls a second`]: calls / took,
    })
    const each = (micros: number) => `${(micros / calls).toFixed(0)} µs`
    console.log(
      `    ${CLIENTS} clients over ${address.slice(0, 4)}, engine there: ${engine}: ${(calls / took).toFixed(0)} mixed reads a second; processor per call: ${each(user + system)} here, ${each(there)} there`,
    )
  }
}

const ARTIST = 'imported:artist:3'

/** Mixed reads, as an application server asks. */
const READS: readonly ((music: Audile) => Promise<unknown>)[] = [
  (music) => music.call('catalog/list', {}),
  (music) => music.call('track/list', { results: 15 }),
  (music) => music.call('song/profile', { id: 'imported:song:7' }),
  (music) => music.call('artist/profile', { id: ARTIST }),
]

async function fill(music: Audile): Promise<void> {
  await music.songs.import(
    Array.from({ length: SONGS }, (_, i) => ({
      ...{ id: `imported:song:${i}`, title: `Title ${i}`, artistName: `Artist ${i % 100}` },
      artistId: `imported:artist:${i % 100}`,
    })),
  )
  await music.catalogs.create({ name: 'mine', type: 'song' })
}

async function timed(name: string, music: Audile): Promise<void> {
  const search: Params<'song/search'> = { artist: 'Artist 7', results: 15 }
  for (const [what, call] of [
    ['list', () => music.call('catalog/list', {})],
    ['search', () => music.call('song/search', search)],
  ] as const) {
    for (let i = 0; i < WARM; i++) await call()
    const times = new Float64Array(TIMED)
    for (let i = 0; i < TIMED; i++) {
      const started = performance.now()
      await call()
      times[i] = performance.now() - started
    }
    times.sort()
    const at = (share: number) => `${times[Math.floor(TIMED * share)]?.toFixed(3)} ms`
    record('bench', 'remote', { [`${name}: ${what} p50 ms`]: times[TIMED / 2] ?? Number.NaN })
    console.log(`  ${name.padEnd(28)} ${what.padEnd(7)} median ${at(0.5)}, p99 ${at(0.99)}`)
  }
}

/** Microseconds of processor that a server has used. */
async function cpuOf(child: ChildProcess): Promise<number> {
  child.send('cpu')
  const [used] = (await once(child, 'message')) as [number]
  return used
}
