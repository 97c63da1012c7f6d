import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { AudileError, AudileOptions } from '../../../src/index.ts'
import { type Random, seeded, seedOf } from '../../support/chance.ts'
import { jumpingClock } from './clock.ts'
import type { Memory } from './deeds/deed.ts'
import { someKind } from './deeds/kinds.ts'
import { Journal, type Refusal } from './journal.ts'
import { OpenLibrary } from './open-library.ts'
import type { Plan, Told } from './plan.ts'

// A process that does mixed work with a database until it is told to stop, or killed. What it does
// follows from its seed; what was answered stands in its journal.

/** Errors whose message says all there is to know. */
const TELLING = new Set(['AbortError', 'ClosedError', 'DatabaseError', 'Misfortune', 'WrongAnswer'])

/** Milliseconds in which calls that are under way may end by themselves when the process is to stop. */
const GRACE = 1_000

const plan = JSON.parse(process.argv[2] as string) as Plan
const { Audile } = (await import(plan.entry)) as typeof import('../../../src/index.ts')
const journal = new Journal(plan.journal)
let isStopping = false
const stopped = once(process, 'message').then(() => {
  isStopping = true
})
// Without its driver it has nothing to live for.
process.on('disconnect', () => process.exit())

const tell = (told: Told) => process.send?.(told)
const random = seeded(plan.seed)
const options: AudileOptions = {
  ...plan.options,
  ...(plan.ordeal === 'clock' && { engine: 'inline', now: jumpingClock(seeded(plan.seed + 1)) }),
}
const library = new OpenLibrary(() => Audile.open(options))
await library.current.then(work, (error: unknown) => {
  journal.write({ is: 'not opened', refusal: refusalOf(error) })
})
journal.close()
// The channel to the driver must not keep the process: that the rest does not either is for it to see.
process.removeAllListeners('disconnect')
if (process.connected) process.disconnect()

async function work(): Promise<void> {
  tell('opened')
  const clients = Array.from({ length: plan.clients }, (_, i) => beClient(i))
  if (plan.ordeal === 'closing') clients.push(closeNowAndThen())
  const working = Promise.all(clients).catch((error: unknown) => {
    journal.write({ is: 'not opened', refusal: refusalOf(error) })
  })
  await Promise.race([stopped, working])
  // Some wait for what may never come: on a full disk no update ends. Closing ends their waiting.
  await Promise.race([working, pause(GRACE)])
  const closing = library.close()
  await working
  await closing.catch((error: unknown) => {
    journal.write({ is: 'not closed', refusal: refusalOf(error) })
  })
}

/** Does one thing after another. */
async function beClient(number: number): Promise<void> {
  const chance = seeded(seedOf(`${plan.seed} ${number}`))
  const memory: Memory = { ground: plan.ground, done: [], takenBack: new Set() }
  for (let count = 0; !isStopping; count++) {
    await doOne(`${plan.name}.${number}.${count}`, chance, memory)
    // Other processes and the disk get a word in.
    await pause(chance() * 10)
  }
}

async function doOne(op: string, chance: Random, memory: Memory): Promise<void> {
  const kind = someKind(chance)
  const deed = await kind.draw(op, chance, memory)
  if (deed === undefined) return
  const opened = library.current
  const music = await opened
  journal.write({ is: 'begun', op, kind: kind.name, deed })
  try {
    const answer = await kind.perform(music, deed, patience(chance), plan.ground)
    journal.write({ is: 'done', op, answer })
    memory.done.push({ kind: kind.name, op, deed, answer })
    tell('answered')
  } catch (error) {
    const wasClosed = (error as Partial<AudileError>).code === 'closed'
    const refusal = refusalOf(error)
    // The process ends, and what was under way with it.
    if (isStopping && wasClosed) refusal.kind = 'Stopped'
    journal.write({ is: 'failed', op, refusal })
    tell('failed')
    if (wasClosed && !isStopping) await library.renew(opened)
  }
}

/** How long a call may take: from no time at all to longer than most need. */
function patience(chance: Random): AbortSignal | undefined {
  if (plan.ordeal !== 'aborting') return undefined
  const abort = new AbortController()
  const end = () => abort.abort(new DOMException('no more patience', 'AbortError'))
  const moment = chance()
  if (moment < 0.1) end()
  else if (moment < 0.2) queueMicrotask(end)
  else if (moment < 0.8) setTimeout(end, 400 * moment ** 4)
  return abort.signal
}

async function closeNowAndThen(): Promise<void> {
  while (!isStopping) {
    await pause(100 + 700 * random() ** 2)
    await library.renew(library.current)
    // That much at least is done between two.
    await (await library.current).tracks.list({ results: 1 }).catch(() => {})
  }
}

function refusalOf(error: unknown): Refusal {
  if (!(error instanceof Error)) return { kind: typeof error, message: String(error) }
  const { name, message, stack } = error
  const { code } = error as { code?: unknown }
  const refusal: Refusal = { kind: name, message }
  if (typeof code === 'string') refusal.code = code
  if (stack !== undefined && !TELLING.has(name)) refusal.stack = stack
  return refusal
}
