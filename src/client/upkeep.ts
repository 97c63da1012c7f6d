import type { Door, MethodName, Params, Result } from '../host/door.ts'

/** Progress and abort of work on the whole database. */
export interface UpkeepOptions {
  /** Aborts the work; an incomplete backup is removed. */
  signal?: AbortSignal | undefined
  /** Called from time to time. `done` and `total` have no fixed unit. */
  onProgress?:
    | ((progress: {
        /** Work done so far. */
        done: number
        /** The total work; it may grow. */
        total: number
      }) => void)
    | undefined
}

/** Options of a backup. */
export type BackupOptions = Omit<Params<'upkeep/backup'>, 'path' | 'task'> & UpkeepOptions

let taskCount = 0

/** Calls a method of upkeep and passes its progress on. */
export async function runUpkeep<M extends MethodName & `upkeep/${string}`>(
  door: Door,
  method: M,
  params: Params<M>,
  { signal, onProgress }: UpkeepOptions,
): Promise<Result<M>> {
  if (!onProgress) return door.call(method, params, { signal })
  const task = `upkeep-${++taskCount}`
  const off = door.on('upkeep', ({ task: progressTask, ...progress }) => {
    if (progressTask === task) onProgress(progress)
  })
  try {
    return await door.call(method, { ...params, task }, { signal })
  } finally {
    off()
  }
}
