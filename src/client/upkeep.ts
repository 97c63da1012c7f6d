import type { Door, MethodName, Params, Result } from '../door.ts'

/** How long work on the whole database is followed and ended. */
export interface UpkeepOptions {
  /** Ends the work; a backup that is not whole is removed. */
  signal?: AbortSignal
  /** Told now and then how much is done of the total, in units of no meaning of their own. */
  onProgress?: (progress: {
    /** What is done so far. */
    done: number
    /** What there is to do; it may grow. */
    total: number
  }) => void
}

/** What `backup` takes beside the path. */
export interface BackupOptions extends UpkeepOptions {
  /** Whether a file that is there is replaced, once the new one is whole. Default false. */
  overwrite?: boolean
  /** Whether kept audio is copied too, into the folder `<path>-audio`. Default true. */
  audio?: boolean
}

let count = 0

/** Calls a method of upkeep, passing on what it tells of its progress. */
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
