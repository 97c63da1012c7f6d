import type { ThreadConfig } from '../options/options.ts'
import { WorkerPool } from '../workers/pool.ts'
import type { Tasks } from '../workers/tasks.ts'
import type { GivenTask, RunOptions } from '../workers/workers.ts'
import type { FleetKind, FleetTask } from './fleet-task.ts'

/** The number of pools above which idle ones are closed. */
const KEPT = 8

interface Opened {
  pool: WorkerPool
  running: number
}

/** Runs tasks on the terms of their owners, with a pool for each set of terms. */
export class Pools {
  readonly #threads: ThreadConfig
  /** Pools by their terms; the pool that was used last comes last. */
  readonly #opened = new Map<string, Opened>()

  constructor(threads: ThreadConfig) {
    this.#threads = threads
  }

  /** Whether there is an ffmpeg for owners that want one. */
  get hasFfmpeg(): boolean {
    return this.#threads.ffmpegPath !== undefined
  }

  /**
   * Does a task. Callers start at most as many at once as there are threads.
   *
   * @param path - the path of its audio
   * @throws as `Pool.run` does
   */
  async run(
    task: FleetTask,
    path: string,
    options: RunOptions,
  ): Promise<Tasks[FleetKind]['result']> {
    const opened = this.#open(task)
    opened.running++
    try {
      const given = { ...task.given, path } as GivenTask<FleetKind>
      return await opened.pool.run<FleetKind>(task.kind, given, options)
    } finally {
      opened.running--
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#opened.values()].map(({ pool }) => pool.close()))
  }

  #open({ limits, ffmpeg }: FleetTask): Opened {
    const terms = JSON.stringify([Object.entries(limits).sort(), ffmpeg])
    const { ffmpegPath, ...threads } = this.#threads
    const allowed = ffmpeg && ffmpegPath !== undefined ? { ffmpegPath } : {}
    const found = this.#opened.get(terms)
    const opened = found ?? { pool: new WorkerPool({ ...threads, ...allowed }, limits), running: 0 }
    this.#opened.delete(terms)
    for (const [old, { pool, running }] of this.#opened) {
      if (this.#opened.size < KEPT) break
      if (running > 0) continue
      this.#opened.delete(old)
      void pool.close()
    }
    this.#opened.set(terms, opened)
    return opened
  }
}
