import { once } from 'node:events'
import { readOptions, UsageError, wholeNumber } from './options.ts'

export interface WorkerRequest {
  queue: string
  store: string | undefined
  workers: number | undefined
  silence: number | undefined
  ffmpegPath: string | undefined
}

export const WORKER_HELP = `usage: audile worker --queue ADDRESS [OPTION…]

Analyses for databases that were opened with analysis: fleet({ queue, store }).
It works until it is interrupted (SIGINT, SIGTERM); its unfinished jobs then go
back to the queue. Any number of workers may run, on any number of machines.

      --queue ADDRESS   postgres://user:password@host/database (needs
                        pg-boss), or redis://host:6379 (needs bullmq)
      --store PLACE     the folder that all machines share. A store of s3://…
                        needs no --store: jobs carry signed addresses. If you
                        give it, the worker uses its own credentials (needs
                        aws4fetch, and AWS_ACCESS_KEY_ID and so on in the
                        environment)
      --workers N       number of threads that analyse, 1 to 64
                        (default: one less than the cores, at most 4)
      --silence S       seconds without a sign of life after which a worker
                        counts as dead; give the owner the same (default: 60)
      --ffmpeg PATH     use this ffmpeg for formats that audile cannot decode
                        itself, if the database was opened with one, too
  -h, --help            print this text

You can give addresses with passwords in the environment variables AUDILE_QUEUE
and AUDILE_STORE, where other users of the machine do not see them.
`

/** A file of that name is given as `./worker`. */
export function isWorkerCall([first, second]: readonly string[]): boolean {
  return first === 'worker' && (second === undefined || second.startsWith('-'))
}

/** @throws {UsageError} on an unknown option or a bad value, or without a queue */
export function parseWorker(
  args: string[],
  env: NodeJS.ProcessEnv = process.env,
): WorkerRequest | 'help' {
  const { values } = readOptions({
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
