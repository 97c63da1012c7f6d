import { version } from '../../package.json'
import { Deadline, onAbort } from '../kernel/abort.ts'
import type { Events } from '../kernel/events.ts'
import { clearInterval, setInterval } from '../kernel/timers.ts'
import type { Queue } from './queue.ts'
import type { Retries } from './retry.ts'
import type { Watch } from './watch.ts'

/** Without progress; then a warning says what is missing. */
const STALL_MILLISECONDS = 60_000
/** In that time. */
const STALL_CHECKS = 4
/** That the queue has to answer. */
const ANSWER_MILLISECONDS = 5_000

type MissingPart = Events['fleet']['missing']

interface StallParts {
  queue: Pick<Queue, 'workers'>
  watch: Pick<Watch, 'countJobs'>
  persistence: Pick<Retries, 'failing'>
  tell: (event: Events['fleet']) => void
  signal: AbortSignal
  patience?: number
}

/** Once per reason. */
export function warnOfStall(parts: StallParts): void {
  const { watch, tell, signal, patience = STALL_MILLISECONDS } = parts
  let lastMissing: MissingPart | undefined
  const checkProgress = async () => {
    const missing = watch.countJobs().still > patience ? await findMissingPart(parts) : undefined
    if (missing && missing !== lastMissing && !signal.aborted)
      tell({ missing, message: MESSAGES[missing] })
    lastMissing = missing
  }
  const timer = setInterval(() => void checkProgress(), patience / STALL_CHECKS)
  timer.unref()
  onAbort(signal, () => clearInterval(timer))
}

async function findMissingPart({
  queue,
  persistence,
}: StallParts): Promise<MissingPart | undefined> {
  let workers: number | undefined
  const answer = queue.workers().then((count) => {
    workers = count
  })
  await new Deadline(ANSWER_MILLISECONDS).settled(answer)
  if (workers === undefined) return 'queue'
  if (persistence.failing.has('store')) return 'store'
  return workers === 0 ? 'workers' : undefined
}

const MESSAGES: Readonly<Record<MissingPart, string>> = {
  queue: "The fleet makes no progress: its queue does not answer. Look at the queue's server.",
  store: 'The fleet makes no progress: its store does not answer, or refuses. Look at the store.',
  workers:
    `The fleet makes no progress: no worker of audile ${version} was seen at the queue for a minute. ` +
    'Start one: npx audile worker --queue …',
}
