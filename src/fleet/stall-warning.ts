import { version } from '../../package.json'
import { Deadline, onAbort } from '../kernel/abort.ts'
import type { Events } from '../kernel/events.ts'
import { clearInterval, setInterval } from '../kernel/timers.ts'
import type { Queue } from './queue.ts'
import type { Retries } from './retry.ts'
import type { Watch } from './watch.ts'

/** Milliseconds without progress after which a warning says what is missing. */
const PATIENCE = 60_000
/** Checks in that time. */
const LOOKS = 4
/** Milliseconds that the queue has to answer. */
const ANSWER = 5_000

type Missing = Events['fleet']['missing']

interface Parts {
  queue: Pick<Queue, 'workers'>
  watch: Pick<Watch, 'figures'>
  persistence: Pick<Retries, 'failing'>
  tell: (event: Events['fleet']) => void
  signal: AbortSignal
  /** Default {@link PATIENCE}. */
  patience?: number
}

/** Warns when a fleet makes no progress, once per reason. */
export function warnOfStall(parts: Parts): void {
  const { watch, tell, signal, patience = PATIENCE } = parts
  let told: Missing | undefined
  const look = async () => {
    const missing = watch.figures().still > patience ? await missingOf(parts) : undefined
    if (missing && missing !== told && !signal.aborted)
      tell({ missing, message: MESSAGES[missing] })
    told = missing
  }
  const timer = setInterval(() => void look(), patience / LOOKS)
  timer.unref()
  onAbort(signal, () => clearInterval(timer))
}

async function missingOf({ queue, persistence }: Parts): Promise<Missing | undefined> {
  let workers: number | undefined
  const asked = queue.workers().then((seen) => {
    workers = seen
  })
  await new Deadline(ANSWER).settled(asked)
  if (workers === undefined) return 'queue'
  if (persistence.failing.has('store')) return 'store'
  return workers === 0 ? 'workers' : undefined
}

const MESSAGES: Readonly<Record<Missing, string>> = {
  queue: "The fleet makes no progress: its queue does not answer. Look at the queue's server.",
  store: 'The fleet makes no progress: its store does not answer, or refuses. Look at the store.',
  workers:
    `The fleet makes no progress: no worker of audile ${version} was seen at the queue for a minute. ` +
    'Start one: npx audile worker --queue …',
}
