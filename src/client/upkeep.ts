import type { Door, MethodName, Params, Result } from '../host/door.ts'

/** How work on the whole database is watched and stopped. */
export interface UpkeepOptions {
  /** Ends the work; a backup that is not whole is removed. */
  signal?: AbortSignal | undefined
  /** Called now and then. The unit of `done` and `total` has no meaning. */
  onProgress?:
    | ((progress: {
        /** What is done so far. */
        done: number
        /** What there is to do; it may grow. */
        total: number
      }) => void)
    | undefined
}

/** How a backup is made. */
export type BackupOptions = Omit<Params<'upkeep/backup'>, 'path' | 'task'> & UpkeepOptions

let count = 0

/** Calls a method of upkeep and passes its progress on. */
export async function upkeep<M extends MethodName & `upkeep/${string}`>(
  door: Door,
  method: M,
  params: Params<M>,
  { signal, onProgress }: UpkeepOptions,
): Promise<Result<M>> {
  if (!onProgress) return door.call(method, params, { signal })
  const task = `upkeep-${++count}`
  const off = door.on('upkeep', ({ task: told, ...progress }) => {
    if (told === task) onProgress(progress)
  })
  try {
    return await door.call(method, { ...params, task }, { signal })
  } finally {
    off()
  }
}
