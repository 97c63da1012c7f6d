import type { DecodeOptions } from '../audio/decode.ts'
import type { EngineConfig } from '../options.ts'
import { Pool, type RunOptions } from './pool.ts'
import type { TaskKind, Tasks } from './tasks.ts'

/** Where tasks on audio and feeds are done. */
export interface Workers {
  /** How many tasks of a kind can usefully run at once. */
  readonly width: number
  /** Whether a task can run in a process of its own. */
  readonly isolates: boolean
  /** How files are decoded. */
  readonly decode: DecodeOptions
  /**
   * Does one task.
   *
   * @throws {DecodeError} when the file cannot be decoded
   * @throws {WorkerDied} when the thread ended under the task
   */
  run<Kind extends TaskKind>(
    kind: Kind,
    task: Tasks[Kind]['task'],
    options: RunOptions,
  ): Promise<Tasks[Kind]['result']>
  close(): Promise<void>
}

/** Starts the threads of an engine; each when there is a task for it. */
export function openWorkers({ limits, workers, workerPath, ffmpegPath }: EngineConfig): Workers {
  const pool = new Pool({
    size: workers,
    megabytes: limits.workerMegabytes,
    stalledAfter: Math.round(limits.stalledSeconds * 1000),
    ...(workerPath !== undefined && { workerPath }),
  })
  return {
    width: pool.width,
    isolates: pool.script !== undefined,
    decode: {
      limits: {
        seconds: limits.decodedSeconds,
        channels: limits.channels,
        elapsed: limits.analysisSeconds,
      },
      ...(ffmpegPath !== undefined && { ffmpegPath }),
      ...(pool.script !== undefined && { decoderProcess: pool.script }),
    },
    run: (kind, task, options) => pool.run(kind, task, options),
    close: () => pool.close(),
  }
}
