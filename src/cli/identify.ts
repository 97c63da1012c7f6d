import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { Audile, AudileError, type Song } from '../index.ts'
import { kindOf } from './analyse-files.ts'
import { defaultDatabase } from './arguments.ts'
import { clock, visible } from './format.ts'
import type { Voice } from './index-tasks.ts'
import { optionsIn, requireFfmpeg, requirePaths, UsageError } from './options.ts'

/** The parsed arguments of `audile identify`. */
export interface IdentifyRequest {
  files: string[]
  json: boolean
  database: string
  ffmpegPath: string | undefined
}

/** The text of `audile identify --help`. */
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

/** Whether the arguments call `audile identify`; a file of that name is given as `./identify`. */
export function isIdentifyCall([first]: readonly string[]): boolean {
  return first === 'identify'
}

/**
 * Reads the arguments after `identify`.
 *
 * @throws {UsageError} on an unknown option, a bad value, or no file
 */
export function parseIdentify(args: string[]): IdentifyRequest | 'help' {
  const { values, positionals: files } = optionsIn({
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
 * Identifies files, and prints the songs of each.
 *
 * @returns the exit status: 1 when a file matches no song or cannot be read
 * @throws {UsageError} when there is no such database
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
      const songs = await songsOf(music, file, voice.signal)
      const isError = typeof songs === 'string'
      if (isError || songs.length === 0) unknown++
      if (request.json) {
        const line = isError ? { file, error: songs } : { file, songs }
        await voice.print(`${JSON.stringify(line)}\n`)
      }
      if (isError) await voice.tell(songs.includes(file) ? songs : `${file}: ${songs}`)
      else if (!request.json) await voice.print(textOf(file, songs))
    }
  } finally {
    await music.close()
  }
  return unknown > 0 ? 1 : 0
}

/** The songs of a file, or why it cannot be read. */
async function songsOf(music: Audile, file: string, signal: AbortSignal): Promise<Song[] | string> {
  const kind = await kindOf(file)
  if (kind === 'folder') return 'It is a folder; name a file in it.'
  if (kind !== 'file') return kind.problem
  try {
    const wanted = { bucket: 'own_tracks', evidence: true } as const
    return await music.songs.identify({ file, ...wanted, signal })
  } catch (error) {
    const isOfFile =
      error instanceof AudileError && ['decode', 'limit_exceeded'].includes(error.code)
    if (signal.aborted || !isOfFile) throw error
    return error.message
  }
}

/** The songs of a file for people: a line for each, and below it the place and the files. */
function textOf(file: string, songs: readonly Song[]): string {
  const name = visible(file)
  if (songs.length === 0) return `${name}: No song of this database matches.\n`
  return songs
    .map(({ artistName, title, score, evidence, ownTracks = [] }) => {
      const names = [artistName || 'unknown artist', title || 'untitled'].join(' – ')
      const paths = ownTracks.flatMap(({ files }) => files.map(({ path }) => path))
      const place = `${placeOf(evidence?.offset ?? 0)}; ${score} codes agree`
      return [`${name}: ${visible(names)}`, place, ...paths.map(visible)].join('\n    ')
    })
    .map((text) => `${text}\n`)
    .join('')
}

/** Where an excerpt lies. @param offset - seconds of the recording at which the excerpt begins */
function placeOf(offset: number): string {
  if (Math.round(offset) >= 0) return `The excerpt begins at ${clock(offset)} of the recording`
  return `The recording begins ${clock(-offset)} after the start of the file`
}
