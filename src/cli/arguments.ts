import { homedir } from 'node:os'
import { join } from 'node:path'
import { personalFolder } from '../index.ts'
import { readOptions, requireFfmpeg, requirePaths, UsageError, wholeNumber } from './options.ts'

export interface AnalyseRequest {
  paths: string[]
  format: 'table' | 'json' | 'csv'
  analysis: boolean
  database: string | undefined
  ffmpegPath: string | undefined
  workers: number | undefined
  quiet: boolean
}

const USAGE_LINE = 'usage: audile [OPTION…] FILE-OR-FOLDER…\n'

export const USAGE = `${USAGE_LINE}"audile --help" lists all options.\n`

export const HELP = `${USAGE_LINE}       audile identify FILE…

Prints tempo, key (also as a Camelot code), time signature and loudness of music
files. In a folder, it analyses every file that contains audio, also in
subfolders; the content decides, not the file name. Results are kept in a
database: no file is analysed twice, and an interrupted run continues when you
start it again.

      --json            print a line of JSON for each file: all results, or the
                        error
      --analysis        with --json: also beats, bars, sections and segments
      --csv             print comma-separated values: a header, then a row for
                        each file
      --database FILE   keep results in FILE; ":memory:" keeps nothing
                        (default: ${defaultDatabase()})
      --ffmpeg PATH     use this ffmpeg for formats that audile cannot decode
                        itself, for example: --ffmpeg ffmpeg
      --workers N       number of threads that analyse, 1 to 64
                        (default: one less than the cores, at most 4)
  -q, --quiet           print only results and errors
  -V, --version         print the version
  -h, --help            print this text

Other commands, each with its own --help:
  audile identify       tells which song of your database a file is from
  audile index          makes databases that identify songs
  audile model          fetches the network that names sounds
  audile worker         analyses for another machine

Results go to standard output, in the order of the paths. Everything else goes
to standard error; with a table, errors are printed after the last row. In
--json and --csv, key is 0 for C to 11 for B, mode is 0 for minor and 1 for
major, loudness is in LUFS, duration is in seconds, and tempo is 0 (in --csv:
empty) where no beat was found.

Exit status: 0 when every file was analysed; 1 when a file could not be read; 2
when a path does not exist, no audio was found, or an option or the database is
wrong; 130, 143 or 129 when it was interrupted (SIGINT, SIGTERM, SIGHUP); 141
when the program that reads the output has ended.
`

/** @throws {UsageError} on an unknown option, a bad value, or no path */
export function parseArguments(args: string[]): AnalyseRequest | 'help' | 'version' {
  const { values, positionals: paths } = readOptions({
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

/** One per user: with the current folder, every folder would get its own database. */
export function defaultDatabase(
  platform: NodeJS.Platform = process.platform,
  env: NodeJS.ProcessEnv = process.env,
  home = homedir(),
): string {
  return join(personalFolder(platform, env, home), 'audile.db')
}
