import type { ThreadConfig } from '../options/options.ts'
import { WorkerPool } from '../workers/pool.ts'
import type { Tasks } from '../workers/tasks.ts'
import type { GivenTask, RunOptions } from '../workers/workers.ts'
import type { FleetKind, FleetTask } from './fleet-task.ts'

/** Idle pools above this number are closed. */
const MAX_POOLS = 8

interface OpenedPool {
  pool: WorkerPool
  running: number
}

/** A pool for each set of terms of an owner. */
export class Pools {
  readonly #threads: ThreadConfig
  /** By their terms; the pool that was used last comes last. */
  readonly #opened = new Map<string, OpenedPool>()

  constructor(threads: ThreadConfig) {
    this.#threads = threads
  }

  get hasFfmpeg(): boolean {
    return this.#threads.ffmpegPath !== undefined
  }

  /**
   * Callers start at most as many at once as there are threads.
   * @throws as `Pool.run` does
   */
  async run(
    task: FleetTask,
    path: string,
    options: RunOptions,
  ): Promise<Tasks[FleetKind]['result']> {
    const opened = this.#openPool(task)
    opened.running++
    try {
      const poolTask = { ...task.given, path } as GivenTask<FleetKind>
      return await opened.pool.run<FleetKind>(task.kind, poolTask, options)
    } finally {
      opened.running--
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#opened.values()].map(({ pool }) => pool.close()))
  }

  #openPool({ limits, ffmpeg }: FleetTask): OpenedPool {
    const terms = JSON.stringify([Object.entries(limits).sort(), ffmpeg])
    const { ffmpegPath, ...threads } = this.#threads
    const ffmpegOption = ffmpeg && ffmpegPath !== undefined ? { ffmpegPath } : {}
    const knownPool = this.#opened.get(terms)
    const opened = knownPool ?? {
      pool: new WorkerPool({ ...threads, ...ffmpegOption }, limits),
      running: 0,
    }
    this.#opened.delete(terms)
    for (const [oldTerms, { pool, running }] of this.#opened) {
      if (this.#opened.size < MAX_POOLS) break
      if (running > 0) continue
      this.#opened.delete(oldTerms)
      void pool.close()
    }
    this.#opened.set(terms, opened)
    return opened
  }
}
