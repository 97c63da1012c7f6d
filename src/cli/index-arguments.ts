import { readOptions, requireFfmpeg, requirePaths, UsageError, wholeNumber } from './options.ts'

export type IndexRequest =
  | {
      task: 'build'
      source: string
      out: string
      ffmpegPath?: string | undefined
      workers?: number | undefined
    }
  | { task: 'merge'; sources: string[]; out: string }
  | { task: 'stat'; files: string[] }

const INDEX_TASKS = ['build', 'merge', 'stat'] as const

export const INDEX_HELP = `usage: audile index build FOLDER-OR-FILE OUT.db
       audile index merge A.db B.db… OUT.db
       audile index stat FILE.db…

Makes reference databases: give their paths in the option "references" of
Audile.open. Whoever has such a file can identify its songs without their audio.

build   makes a database from the audio in a folder and its subfolders, or from a
        file of JSON lines: records of songs.import, as recordings.export gives
merge   makes one database from several, or from a library one that only
        identifies
stat    prints a line of JSON for each database: recordings, bytes, and the
        systems of fingerprints

      --ffmpeg PATH     build: use this ffmpeg for formats that audile cannot
                        decode itself
      --workers N       build: number of threads that analyse, 1 to 64
  -h, --help            print this text

An interrupted run continues when you start it again. While a database is built,
the file OUT.db.building lies beside it.
`

/** A file or folder may be called `index` too. */
export function isIndexCall([first, task]: readonly string[]): boolean {
  return first === 'index' && (task === undefined || task.startsWith('-') || isIndexTask(task))
}

function isIndexTask(text: string): text is (typeof INDEX_TASKS)[number] {
  return (INDEX_TASKS as readonly string[]).includes(text)
}

/** @throws {UsageError} on an unknown option, a bad value, or too few paths */
export function parseIndex(args: readonly string[]): IndexRequest | 'help' {
  const { values, positionals } = readOptions({
    args: [...args],
    allowPositionals: true,
    options: {
      ffmpeg: { type: 'string' },
      workers: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const [task, ...paths] = positionals
  if (values.help) return 'help'
  if (task === undefined || !isIndexTask(task)) {
    throw new UsageError(`audile index needs one of ${INDEX_TASKS.join(', ')}.`)
  }
  requirePaths(paths)
  if (task !== 'build' && (values.ffmpeg !== undefined || values.workers !== undefined)) {
    throw new UsageError('--ffmpeg and --workers are for index build.')
  }
  if (task === 'stat') {
    if (paths.length === 0) throw new UsageError('index stat needs the path of a database.')
    return { task, files: paths }
  }
  const out = paths.pop()
  if (out === undefined || paths.length === 0) {
    throw new UsageError(`index ${task} needs what to read, and last the database to write.`)
  }
  if (task === 'merge') return { task, sources: paths, out }
  const [source, another] = paths
  if (another !== undefined) {
    throw new UsageError(`index build reads one folder or file; "${another}" is another one.`)
  }
  const { ffmpeg: ffmpegPath } = values
  requireFfmpeg(ffmpegPath)
  const workers = wholeNumber('--workers', values.workers, 64)
  return { task, source: source!, out, ffmpegPath, workers }
}
