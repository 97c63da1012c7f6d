import type { Door, Params, Result } from '../host/door.ts'
import type { FilePath } from '../values/file-path.ts'
import {
  type FileChange,
  Intake,
  keptFiles,
  missed,
  pathsOf,
  Scan,
  type ScanOptions,
} from './scan.ts'

/** Which files are watched, and when a change is reported. */
export interface WatchOptions extends ScanOptions, Pick<Params<'track/watch'>, 'settle'> {}

/** Missing files per call. */
const PAGE = 500

/** See {@link Tracks.watch}. */
export async function* watchFolders(
  door: Door,
  given: FilePath | readonly FilePath[],
  { settle, ...options }: WatchOptions,
): AsyncGenerator<FileChange> {
  const { signal, prune, ...filter } = options
  const folders = pathsOf(given)
  const params = { ...filter, folders, ...(settle !== undefined && { settle }) }
  const { watch } = await door.call('track/watch', params, { signal })
  try {
    // Changes during the scan are reported after it.
    yield* new Scan(door, folders, options)
    const intake = new Intake(door, { missing: true, prune, signal })
    const next = () => {
      const call = door.call('track/watch-next', { watch }, { signal })
      // A rejection is handled where the call is awaited.
      call.catch(() => {})
      return call
    }
    const waiting = new Set<string>()
    const gone = new Set<string>()
    try {
      for (let news = next(); ; ) {
        const heard = news.then(
          () => 'news' as const,
          () => 'news' as const,
        )
        const first = await Promise.race(intake.isEmpty ? [heard] : [heard, intake.ready()])
        if (first === 'news') {
          note(await news, waiting, gone)
          news = next()
        } else {
          const change = await intake.next()
          if (change.kind !== 'unchanged') yield change
        }
        for (const file of waiting) {
          if (intake.isFull || intake.isTaking(file)) continue
          waiting.delete(file)
          intake.add(file)
        }
        // A missing file may have moved to the path of a file that is being registered.
        if (!intake.isEmpty) continue
        if (waiting.size === 0) await intake.prune()
        if (gone.size === 0) continue
        const files = [...gone].slice(0, PAGE)
        for (const file of files) gone.delete(file)
        const { missing, emptied } = await door.call(
          'track/missing',
          { files, folders, prune },
          { signal },
        )
        for (const change of missing) yield missed(door, change)
        for (const folder of emptied) yield keptFiles(folder)
      }
    } finally {
      await intake.leave()
    }
  } finally {
    // A closed database has already ended the watch.
    await door.call('track/watch-end', { watch }).catch(() => {})
  }
}

function note(
  { written, gone: left }: Result<'track/watch-next'>,
  waiting: Set<string>,
  gone: Set<string>,
): void {
  for (const file of written) {
    gone.delete(file)
    waiting.add(file)
  }
  for (const file of left) gone.add(file)
}
