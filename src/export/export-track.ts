import { corrected } from '../analysis/correction/correct.ts'
import type { Corrections } from '../analysis/correction/corrections.ts'
import type { AnalysisDocument } from '../analysis/document.ts'
import { invalidParameter } from '../values/errors.ts'
import { quoted } from '../values/text.ts'

/** What is known of a track besides its sound, as answers, records and tags have it. */
export interface ExportNames {
  /** The title. */
  title?: string | undefined
  /** The artist. */
  artist?: string | undefined
  /** The title of the release. */
  release?: string | undefined
  /** Genres, the first of which is written where a format has room for one. */
  genres?: readonly string[] | undefined
  /** The year of the release. */
  year?: number | undefined
  /** The number of the track on its disc. */
  trackNumber?: number | undefined
  /** The number of the disc. */
  discNumber?: number | undefined
  /** Seconds; the analysis says it too. */
  duration?: number | undefined
  /** Kilobits per second. */
  bitrate?: number | undefined
  /** Hz, of the file; the analysis says it too. */
  samplerate?: number | undefined
}

/** A track as plain data. Records of `tracks.export` are such. */
export interface ExportRecord extends ExportNames {
  /** The absolute path of its file, or its `file:` URL; of several, the first is used. */
  file?: string | URL | readonly string[] | undefined
  /** Its analysis document. Playlists do without. */
  analysis?: object | undefined
  /** Corrections of it that it does not hold yet. */
  corrections?: Corrections | undefined
}

/** A handle on a track of a library: `Track` of `audile` is one. Its analysis is asked for. */
export interface ExportHandle {
  /** Its names. */
  readonly answer: Readonly<ExportNames>
  /** Its files; the first is used. */
  readonly files: readonly {
    /** The absolute path. */
    path: string
  }[]
  /** Its analysis document, with corrections. */
  analysis(): Promise<AnalysisDocument>
}

/** A track to export: a handle of a library, or plain data. */
export type ExportTrack = ExportHandle | ExportRecord

/** Tracks in their order: a list, or what a method of a library yields. */
export type ExportTracks = Iterable<ExportTrack> | AsyncIterable<ExportTrack>

/** A track as the writers of formats see it. */
export interface Exported extends ExportNames {
  title: string
  /** The path of its file. */
  path: string | undefined
  /** @throws {ParameterError} when there is none */
  document(): Promise<AnalysisDocument>
}

/** What an export writes of each track. */
export async function eachOf<T>(
  tracks: ExportTracks,
  write: (track: Exported, index: number) => T | Promise<T>,
): Promise<T[]> {
  if (typeof tracks !== 'object' || tracks === null || !isList(tracks))
    throw invalidParameter('tracks', 'must be a list of tracks, or what yields them.')
  const written: T[] = []
  for await (const track of tracks) written.push(await write(exported(track), written.length))
  return written
}

/** What an export of one track writes: for a track one, for tracks a list. */
export async function oneOrEach<T>(
  given: ExportTrack | ExportTracks,
  write: (track: Exported) => Promise<T>,
): Promise<T | T[]> {
  return isList(given) ? eachOf(given, write) : write(exported(given))
}

function isList(given: ExportTrack | ExportTracks): given is ExportTracks {
  return Symbol.iterator in given || Symbol.asyncIterator in given
}

function exported(track: ExportTrack): Exported {
  const isHandle = 'answer' in track
  const names: ExportNames = isHandle ? track.answer : track
  const file = isHandle ? track.files[0]?.path : [track.file].flat()[0]
  const path = file === undefined ? undefined : pathOf(String(file))
  const title = names.title || path?.split(/[\\/]/).at(-1) || 'Untitled'
  return {
    ...names,
    title,
    path,
    document: async () => {
      const document = isHandle ? await track.analysis() : track.analysis
      if (document && !isHandle && track.corrections)
        return corrected(document as AnalysisDocument, track.corrections)
      if (document) return document as AnalysisDocument
      throw invalidParameter('tracks', `${quoted(title)} has no analysis.`)
    },
  }
}

/** The path that a `file:` URL names. */
function pathOf(file: string): string {
  if (!/^file:/i.test(file)) return file
  const { pathname, host } = new URL(file)
  const path = decodeURIComponent(pathname)
  if (host !== '') return `//${host}${path}`
  return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path
}

/** The path of a track. @throws {ParameterError} when it has none, or one that is relative */
export function requirePath({ path, title }: Exported): string {
  if (path === undefined) throw invalidParameter('tracks', `${quoted(title)} has no file.`)
  if (isAbsolute(path)) return path
  throw invalidParameter('tracks', `${quoted(path)} is relative; give the absolute path.`)
}

export function isAbsolute(path: string): boolean {
  return /^([A-Za-z]:)?[\\/]/.test(path)
}

/** The parts of a path; those of Windows begin with the drive. */
export function partsOf(path: string): string[] {
  const isWindows = /^([A-Za-z]:|\\)/.test(path)
  return (isWindows ? path.replaceAll('\\', '/') : path).split('/').filter((part) => part !== '')
}

/**
 * An absolute path as a `file:` URL on any machine.
 *
 * @param host - `localhost` in Rekordbox's collections
 */
export function fileUrl(path: string, host = ''): string {
  const [first = '', ...rest] = partsOf(path)
  const drive = /^[A-Za-z]:$/.test(first) ? first : encoded(first)
  // A share of another machine.
  const isShare = /^[\\/]{2}/.test(path)
  if (isShare && host === '') return `file://${[drive, ...rest.map(encoded)].join('/')}`
  return `file://${host}/${isShare ? '/' : ''}${[drive, ...rest.map(encoded)].join('/')}`
}

/** A part of a path as a URL has it. */
export function encoded(part: string): string {
  return encodeURIComponent(part.replaceAll(/\p{Surrogate}/gu, '\uFFFD'))
}

/** Text on one line, for formats whose lines are records. */
export function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').trim()
}
