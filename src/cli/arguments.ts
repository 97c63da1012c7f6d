import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { optionsIn, requireFfmpeg, requirePaths, UsageError, wholeNumber } from './options.ts'

export interface Request {
  paths: string[]
  format: 'table' | 'json' | 'csv'
  analysis: boolean
  database: string | undefined
  ffmpegPath: string | undefined
  workers: number | undefined
  quiet: boolean
}

const CALL = 'usage: audile [OPTION…] FILE-OR-FOLDER…\n'

export const USAGE = `${CALL}"audile --help" tells of all options.\n`

export const HELP = `${CALL}
Prints tempo, key, time signature and loudness of music files. Folders are
searched, and those below them, for what audile reads, whatever its name.
Results are kept in a database: nothing is analysed twice, and a run that was
stopped goes on when it is called again.

      --json            a line of JSON for each file: all that is known of it,
                        or its error
      --analysis        with --json: also beats, bars, sections and segments
      --csv             comma-separated values: a header, and a row a file
      --database FILE   keep results in FILE; ":memory:" keeps none
                        (default: ${defaultDatabase()})
      --ffmpeg PATH     read by this ffmpeg what audile does not read itself,
                        for example: --ffmpeg ffmpeg
      --workers N       threads that analyse, 1 to 64
                        (default: one less than the cores, at most 4)
  -q, --quiet           no progress, no summary: only results and errors
  -V, --version         print the version
  -h, --help            print this text

"audile index --help" tells of databases that identify songs, "audile worker
--help" of analysis on many machines.

Results go to standard output as they come, in the order of the paths; all else
goes to standard error, errors behind the table. In --json and --csv, key is 0
for C to 11 for B, mode 0 for minor and 1 for major, loudness in LUFS, duration
in seconds, and tempo is 0 where there is no beat.

Exit status: 0 when every file was analysed; 1 when one could not be read; 2
when a path is not there, nothing was found, or the arguments or the database
are no good; 130, 143 or 129 when it was interrupted (SIGINT, SIGTERM, SIGHUP),
and 141 when the reader of its output had gone.
`

/**
 * Reads the arguments of a call.
 *
 * @throws {UsageError} on an unknown option, a bad value, or no path
 */
export function parse(args: string[]): Request | 'help' | 'version' {
  const { values, positionals: paths } = optionsIn({
    args,
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      analysis: { type: 'boolean', default: false },
      csv: { type: 'boolean', default: false },
      database: { type: 'string' },
      ffmpeg: { type: 'string' },
      workers: { type: 'string' },
      quiet: { type: 'boolean', short: 'q', default: false },
      version: { type: 'boolean', short: 'V', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const { json, csv, analysis, database, ffmpeg: ffmpegPath, quiet } = values
  if (values.help) return 'help'
  if (values.version) return 'version'
  if (json && csv) throw new UsageError('--json and --csv exclude each other.')
  if (analysis && !json) throw new UsageError('--analysis needs --json.')
  if (database === '') throw new UsageError('--database needs the path of a file.')
  requireFfmpeg(ffmpegPath)
  const workers = wholeNumber('--workers', values.workers, 64)
  requirePaths(paths)
  if (paths.length === 0) throw new UsageError('No file and no folder is named.')
  const format = json ? 'json' : csv ? 'csv' : 'table'
  return { paths, format, analysis, database, ffmpegPath, workers, quiet }
}

/**
 * The database of a call that names none: one per user, in the system's folder for application
 * data. With the current folder, every folder would get its own database.
 */
export function defaultDatabase(
  platform: NodeJS.Platform = process.platform,
  env: NodeJS.ProcessEnv = process.env,
  home = homedir(),
): string {
  return join(dataFolder(platform, env, home), 'audile', 'audile.db')
}

function dataFolder(platform: NodeJS.Platform, env: NodeJS.ProcessEnv, home: string): string {
  if (platform === 'win32') return env.LOCALAPPDATA ?? join(home, 'AppData', 'Local')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  // The XDG base directory specification: a relative path must be ignored.
  const named = env.XDG_DATA_HOME ?? ''
  return isAbsolute(named) ? named : join(home, '.local', 'share')
}
