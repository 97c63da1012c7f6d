import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Audile } from '../../../src/host/audile.ts'
import type { RemoteOptions } from '../../../src/remote/open-options.ts'
import { AudileError } from '../../../src/values/errors.ts'
import { seeded } from '../../support/music.ts'
import { openProxy } from '../../support/proxy.ts'
import { Supervisor } from './supervisor.ts'

/** What happens to a served engine. */
export interface Ordeal {
  clients: number
  /** Ends of the server by SIGKILL. */
  kills: number
  /** Ends by SIGTERM, at which it closes. */
  deploys: number
  /** Seconds that a server serves, about. */
  pause: number
  engine: 'inline' | 'thread'
  seed: number
  onEvent?: (line: string) => void
}

/** What was found after it. */
export interface Findings {
  seconds: number
  kills: number
  deploys: number
  /** Connections that were cut or fell silent on the way. */
  cuts: number
  /** Plays that were answered; that ended as `unknown_outcome`; and how many of these are in the database. */
  answered: number
  unknown: number
  unknownButDone: number
  /** Plays that ended as `closed`: not done. */
  closed: number
  /** Reads that were answered, and that were not. */
  reads: number
  readsLost: number
  /** What else calls ended in. */
  others: string[]
  /** Clients whose plays in the database are fewer than answered, or more than answered and unknown. */
  lost: number
  twice: number
}

/** Calls of a client under way at once. */
const LANES = 4
const ITEM = 'played'

interface Counted {
  id: string
  answered: number
  unknown: number
}

interface Player {
  music: Audile
  counted: Counted
}

/** Has clients count plays while their server is killed and their connections are cut, and counts again. */
export async function killed(ordeal: Ordeal): Promise<Findings> {
  const { clients, kills, deploys, pause, onEvent = () => {} } = ordeal
  const random = seeded(ordeal.seed)
  const home = mkdtempSync(join(tmpdir(), 'audile-served-'))
  const found = {
    ...{ seconds: 0, kills: 0, deploys: 0, cuts: 0, answered: 0, unknown: 0, unknownButDone: 0 },
    ...{ closed: 0, reads: 0, readsLost: 0, others: [] as string[], lost: 0, twice: 0 },
  } satisfies Findings
  const supervisor = new Supervisor({ home, engine: ordeal.engine, pause: () => 500 * random() })
  const { unix, tcp } = await supervisor.start()
  const proxies = await Promise.all([openProxy(tcp), openProxy(unix, join(home, 'proxy'))])
  const addresses = [unix, tcp, ...proxies.map(({ address }) => address)]
  let isDone = false
  const started = performance.now()

  async function enter(index: number): Promise<Player> {
    const engine = addresses[index % addresses.length] as RemoteOptions['engine']
    const music = await Audile.open({ engine })
    const { id } = await music.catalogs.create({ name: `of ${index}`, type: 'song' })
    await (await (await music.catalogs.get({ id })).update([{ item: { itemId: ITEM } }])).done()
    return { music, counted: { id, answered: 0, unknown: 0 } }
  }

  async function play({ music, counted }: Player): Promise<void> {
    const { id } = counted
    const lane = async () => {
      while (!isDone) {
        try {
          if (random() < 0.2) {
            await music.call('catalog/profile', { id })
            found.reads++
          } else {
            const data = [{ action: 'play' as const, item: { itemId: ITEM } }]
            await music.call('catalog/update', { id, data })
            counted.answered++
          }
        } catch (error) {
          const code = error instanceof AudileError ? error.code : undefined
          if (code === 'unknown_outcome') {
            if (String(error).includes('"catalog/profile"')) found.readsLost++
            else counted.unknown++
          } else if (code === 'closed') found.closed++
          else found.others.push(String(error))
        }
        await sleep(5 * random())
      }
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    await music.close()
  }

  async function cut(): Promise<void> {
    while (!isDone) {
      await sleep(600 * random())
      const proxy = proxies[Math.floor(2 * random())]
      if (random() < 0.9) proxy?.cut()
      else proxy?.silence()
      found.cuts++
    }
  }

  const players = await Promise.all(Array.from({ length: clients }, (_, index) => enter(index)))
  const counts = players.map(({ counted }) => counted)
  const playing = players.map(play)
  const cutting = cut()
  const ends = Array.from({ length: kills + deploys }, (_, i) => i < kills)
  ends.sort(() => random() - 0.5)
  for (const isKill of ends) {
    while (!supervisor.isServing) await sleep(10)
    await sleep(1000 * pause * 2 * random())
    supervisor.end(isKill ? 'SIGKILL' : 'SIGTERM')
    if (isKill) found.kills++
    else found.deploys++
    onEvent(
      `${found.kills} kills, ${found.deploys} deploys, ${total(counts, 'answered')} answered, ${total(counts, 'unknown')} unknown`,
    )
  }
  await sleep(1000)
  isDone = true
  await Promise.all([...playing, cutting])
  found.seconds = (performance.now() - started) / 1000
  for (const proxy of proxies) proxy.close()
  await supervisor.stop()
  await compare(supervisor.database, counts, found)
  rmSync(home, { recursive: true, force: true })
  return found
}

const total = (counts: readonly Counted[], of: 'answered' | 'unknown') =>
  counts.reduce((sum, counted) => sum + counted[of], 0)

/** Compares what clients were told with what the database holds. */
async function compare(database: string, counts: readonly Counted[], found: Findings) {
  const music = await Audile.open({ database, engine: 'inline', workers: 0 })
  let played = 0
  for (const { id, answered, unknown } of counts) {
    const catalog = await music.catalogs.get({ id })
    // Updates of a catalog are done in their order.
    await (await catalog.update([{ item: { itemId: 'last' } }])).done()
    let count = 0
    for await (const { request, playCount } of catalog.items()) {
      if (request.itemId === ITEM) count = playCount ?? 0
    }
    if (count < answered) found.lost++
    if (count > answered + unknown) found.twice++
    played += count
  }
  await music.close()
  found.answered = total(counts, 'answered')
  found.unknown = total(counts, 'unknown')
  found.unknownButDone = played - found.answered
}
