import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { Audile, AudileError, type Song } from '../index.ts'
import { kindOfPath } from './analyse-files.ts'
import { defaultDatabase } from './arguments.ts'
import { formatClock, visibleText } from './format.ts'
import type { Voice } from './index-tasks.ts'
import { readOptions, requireFfmpeg, requirePaths, UsageError } from './options.ts'

export interface IdentifyRequest {
  files: string[]
  json: boolean
  database: string
  ffmpegPath: string | undefined
}

export const IDENTIFY_HELP = `usage: audile identify [OPTION…] FILE…

Tells which song of your database each file is a recording of, or an excerpt
of: artist and title, where in the song the excerpt begins, and your files of
that song. First analyse your music: audile FOLDER

      --json            print a line of JSON for each file: file and songs, with
                        the evidence for each song; or file and error
      --database FILE   the database to search
                        (default: ${defaultDatabase()})
      --ffmpeg PATH     use this ffmpeg for formats that audile cannot decode
                        itself, for example: --ffmpeg ffmpeg
  -h, --help            print this text

Exit status: 0 when every file was identified; 1 when one matches no song or
cannot be read; 2 when an option is wrong, or there is no such database.
`

/** A file of that name is given as `./identify`. */
export function isIdentifyCall([first]: readonly string[]): boolean {
  return first === 'identify'
}

/** @throws {UsageError} on an unknown option, a bad value, or no file */
export function parseIdentify(args: string[]): IdentifyRequest | 'help' {
  const { values, positionals: files } = readOptions({
    args,
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      database: { type: 'string' },
      ffmpeg: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return 'help'
  requirePaths(files)
  if (files.length === 0) throw new UsageError('audile identify needs a file.')
  requireFfmpeg(values.ffmpeg)
  const { json, database = defaultDatabase(), ffmpeg: ffmpegPath } = values
  return { files, json, database, ffmpegPath }
}

/**
 * @returns the exit status: 1 when a file matches no song or cannot be read @throws {UsageError}
 * when there is no such database
 */
export async function runIdentify(request: IdentifyRequest, voice: Voice): Promise<number> {
  const { database, ffmpegPath } = request
  if (!existsSync(database)) {
    throw new UsageError(
      `There is no database ${database}; first analyse your music: audile FOLDER.`,
    )
  }
  const music = await Audile.open({ database, ffmpegPath, ...voice.options })
  let unknown = 0
  try {
    for (const file of request.files.map((file) => resolve(file))) {
      voice.say(basename(file))
      const songs = await identifyFile(music, file, voice.signal)
      const isError = typeof songs === 'string'
      if (isError || songs.length === 0) unknown++
      if (request.json) {
        const line = isError ? { file, error: songs } : { file, songs }
        await voice.print(`${JSON.stringify(line)}\n`)
      }
      if (isError) await voice.tell(songs.includes(file) ? songs : `${file}: ${songs}`)
      else if (!request.json) await voice.print(formatSongs(file, songs))
    }
  } finally {
    await music.close()
  }
  return unknown > 0 ? 1 : 0
}

/** A text says why the file cannot be read. */
async function identifyFile(
  music: Audile,
  file: string,
  signal: AbortSignal,
): Promise<Song[] | string> {
  const kind = await kindOfPath(file)
  if (kind === 'folder') return 'It is a folder; name a file in it.'
  if (kind !== 'file') return kind.problem
  try {
    const answerOptions = { bucket: 'own_tracks', evidence: true } as const
    return await music.songs.identify({ file, ...answerOptions, signal })
  } catch (error) {
    const isOfFile =
      error instanceof AudileError && ['decode', 'limit_exceeded'].includes(error.code)
    if (signal.aborted || !isOfFile) throw error
    return error.message
  }
}

/** A line for each, and below it the place and the files. */
function formatSongs(file: string, songs: readonly Song[]): string {
  const name = visibleText(file)
  if (songs.length === 0) return `${name}: No song of this database matches.\n`
  return songs
    .map(({ artistName, title, score, evidence, ownTracks = [] }) => {
      const names = [artistName || 'unknown artist', title || 'untitled'].join(' – ')
      const paths = ownTracks.flatMap(({ files }) => files.map(({ path }) => path))
      const place = `${formatOffset(evidence?.offset ?? 0)}; ${score} codes agree`
      return [`${name}: ${visibleText(names)}`, place, ...paths.map(visibleText)].join('\n    ')
    })
    .map((text) => `${text}\n`)
    .join('')
}

/** @param offset - seconds of the recording at which the excerpt begins */
function formatOffset(offset: number): string {
  if (Math.round(offset) >= 0)
    return `The excerpt begins at ${formatClock(offset)} of the recording`
  return `The recording begins ${formatClock(-offset)} after the start of the file`
}
