import { once } from 'node:events'
import { optionsIn, UsageError, wholeNumber } from './options.ts'

export interface WorkerRequest {
  queue: string
  store: string | undefined
  workers: number | undefined
  silence: number | undefined
  ffmpegPath: string | undefined
}

export const WORKER_HELP = `usage: audile worker --queue ADDRESS [OPTION…]

Analyses for databases that were opened with analysis: fleet({ queue, store }),
until it is interrupted (SIGINT, SIGTERM): what it has in hand then goes back
to the queue. Any number of workers may run, on any number of machines.

      --queue ADDRESS   postgres://user:password@host/database (with the package
                        pg-boss), or redis://host:6379 (with bullmq)
      --store PLACE     the folder that all machines share. For a store of
                        s3://… none is needed: jobs carry signed addresses.
                        With one (and aws4fetch, and AWS_ACCESS_KEY_ID and its
                        like in the environment) its own credentials are used
      --workers N       threads that analyse, 1 to 64
                        (default: one less than the cores, at most 4)
      --silence S       seconds after which a worker that is not heard of counts
                        as dead; the same for the owner (default: 60)
      --ffmpeg PATH     for databases that were opened with an ffmpeg: read by
                        this one what audile does not read itself
  -h, --help            print this text

An address with a password may come from the environment instead, where other
users of the machine do not see it: AUDILE_QUEUE, AUDILE_STORE.
`

/** Whether the arguments call `audile worker`; a file named `worker` is given as `./worker`. */
export function isWorkerCall([first, second]: readonly string[]): boolean {
  return first === 'worker' && (second === undefined || second.startsWith('-'))
}

/**
 * Reads the arguments after `worker`.
 *
 * @throws {UsageError} on an unknown option or a bad value, or without a queue
 */
export function parseWorker(
  args: string[],
  env: NodeJS.ProcessEnv = process.env,
): WorkerRequest | 'help' {
  const { values } = optionsIn({
    args,
    options: {
      queue: { type: 'string' },
      store: { type: 'string' },
      workers: { type: 'string' },
      silence: { type: 'string' },
      ffmpeg: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return 'help'
  const queue = values.queue ?? env.AUDILE_QUEUE
  const store = values.store ?? env.AUDILE_STORE
  if (!queue) throw new UsageError('audile worker needs --queue.')
  return {
    queue,
    store: store || undefined,
    workers: wholeNumber('--workers', values.workers, 64),
    silence: wholeNumber('--silence', values.silence, 3600),
    ffmpegPath: values.ffmpeg,
  }
}

/**
 * Works until the signal aborts.
 *
 * @param tell - receives a line for each event that does not fail a job
 * @throws the signal's reason
 */
export async function runWorker(
  request: WorkerRequest,
  signal: AbortSignal,
  tell: (line: string) => void,
): Promise<number> {
  // Imported only here, so that other commands do not load the code of workers.
  const { serveFleet } = await import('../fleet-entry.ts')
  const worker = await serveFleet({ ...request, logger: { warn: tell, error: tell } })
  try {
    const atWork = worker.reached().then(() => tell('At work; an interrupt (Ctrl-C) ends it.'))
    // It rejects when the worker is closed before it reaches the queue.
    atWork.catch(() => {})
    if (!signal.aborted) await once(signal, 'abort')
    throw signal.reason
  } finally {
    await worker.close()
  }
}
