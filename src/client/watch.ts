import type { Door, Params, Result } from '../host/door.ts'
import type { FilePath } from '../values/file-path.ts'
import {
  type FileChange,
  folderPaths,
  Intake,
  keptFolderChange,
  missingChange,
  Scan,
  type ScanOptions,
} from './scan.ts'

/** Which files are watched, and when a change is reported. */
export interface WatchOptions extends ScanOptions, Pick<Params<'track/watch'>, 'settle'> {}

/** Missing files per call. */
const MISSING_PER_CALL = 500

/** See {@link Tracks.watch}. */
export async function* watchAndScan(
  door: Door,
  watchedFolders: FilePath | readonly FilePath[],
  { settle, ...options }: WatchOptions,
): AsyncGenerator<FileChange> {
  const { signal, prune, ...filter } = options
  const folders = folderPaths(watchedFolders)
  const params = { ...filter, folders, ...(settle !== undefined && { settle }) }
  const { watch } = await door.call('track/watch', params, { signal })
  try {
    // Changes during the scan are reported after it.
    yield* new Scan(door, folders, options)
    const intake = new Intake(door, { missing: true, prune, signal })
    const nextChanges = () => {
      const call = door.call('track/watch-next', { watch }, { signal })
      // A rejection is handled where the call is awaited.
      call.catch(() => {})
      return call
    }
    const waitingFiles = new Set<string>()
    const goneFiles = new Set<string>()
    try {
      for (let changes = nextChanges(); ; ) {
        const changed = changes.then(
          () => 'news' as const,
          () => 'news' as const,
        )
        const first = await Promise.race(intake.isEmpty ? [changed] : [changed, intake.nextReady()])
        if (first === 'news') {
          noteChanges(await changes, waitingFiles, goneFiles)
          changes = nextChanges()
        } else {
          const change = await intake.nextChange()
          if (change.kind !== 'unchanged') yield change
        }
        for (const file of waitingFiles) {
          if (intake.isFull || intake.isTaking(file)) continue
          waitingFiles.delete(file)
          intake.addFile(file)
        }
        // A missing file may have moved to the path of a file that is being registered.
        if (!intake.isEmpty) continue
        if (waitingFiles.size === 0) await intake.prune()
        if (goneFiles.size === 0) continue
        const files = [...goneFiles].slice(0, MISSING_PER_CALL)
        for (const file of files) goneFiles.delete(file)
        const { missing, emptied } = await door.call(
          'track/missing',
          { files, folders, prune },
          { signal },
        )
        for (const change of missing) yield missingChange(door, change)
        for (const folder of emptied) yield keptFolderChange(folder)
      }
    } finally {
      await intake.leaveIntake()
    }
  } finally {
    // A closed database has already ended the watch.
    await door.call('track/watch-end', { watch }).catch(() => {})
  }
}

function noteChanges(
  { written, gone: newlyGone }: Result<'track/watch-next'>,
  waitingFiles: Set<string>,
  goneFiles: Set<string>,
): void {
  for (const file of written) {
    goneFiles.delete(file)
    waitingFiles.add(file)
  }
  for (const file of newlyGone) goneFiles.add(file)
}
