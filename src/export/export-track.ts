import { applyCorrections } from '../analysis/correction/correct.ts'
import type { Corrections } from '../analysis/correction/corrections.ts'
import { type OwnCue, requireOwnCues } from '../analysis/cues/own-cues.ts'
import type { VoiceStretch } from '../analysis/cues/voices.ts'
import type { AnalysisDocument } from '../analysis/document.ts'
import { invalidParameter } from '../values/errors.ts'
import { decodeEscaped, quoted } from '../values/text.ts'
import { rgbOfColour } from './bar-grid.ts'
import {
  checkedAnalysis,
  checkedNames,
  checkedSounds,
  requireExportObject,
  requireRecordCorrections,
  withoutSurrogates,
} from './check-track.ts'

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
  /** What someone noted about it. */
  comment?: string | undefined
  /** Stars, 0…5; written in whole ones. */
  rating?: number | undefined
  /** A colour by which it is found, `#rrggbb`. */
  colour?: string | undefined
}

/** Where something is heard in a track, as `track.sounds()` tells it. */
export interface ExportSounds {
  /** Where someone sings, raps or speaks. */
  voice?: readonly VoiceStretch[] | undefined
  /** Where an audience claps. */
  applause?: readonly VoiceStretch[] | undefined
}

/** A track as plain data. Records of `tracks.export` are such. */
export interface ExportRecord extends ExportNames {
  /** The absolute path of its file, or its `file:` URL; of several, the first is used. */
  file?: string | URL | readonly string[] | undefined
  /** Its analysis document. Playlists do without. */
  analysis?: object | undefined
  /** Where voices and applause are. */
  sounds?: ExportSounds | undefined
  /** Corrections of it that it does not hold yet. */
  corrections?: Corrections | undefined
  /** Hot cues and loops that someone set. */
  cues?: readonly OwnCue[] | undefined
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
  /** Its hot cues and loops. */
  readonly cues?: {
    /** Those that someone set. */
    own(): Promise<readonly OwnCue[]>
  }
  /** What was heard in it so far; it rejects where nothing was. */
  sounds?(query: {
    /** `known`: nothing is heard for it. */
    hear: 'known'
  }): Promise<ExportSounds>
}

/** A track to export: a handle of a library, or plain data. */
export type ExportTrack = ExportHandle | ExportRecord

/** Tracks in their order: a list, or what a method of a library yields. */
export type ExportTracks = Iterable<ExportTrack> | AsyncIterable<ExportTrack>

/** How a list of tracks is exported. */
export interface ListOptions {
  /** The name of the playlist; `audile` by default. */
  name?: string | undefined
}

/** As the writers of formats see it. */
export interface Exported extends ExportNames {
  title: string
  path: string | undefined
  /** @throws {ParameterError} when there is none */
  document(): Promise<AnalysisDocument>
  /** By their numbers. */
  ownCues(): Promise<readonly OwnCue[]>
  /** Empty where nothing was heard. */
  sounds(): Promise<ExportSounds>
}

export async function eachOf<T>(
  tracks: ExportTracks,
  write: (track: Exported, index: number) => T | Promise<T>,
): Promise<T[]> {
  if (typeof tracks !== 'object' || tracks === null || !isList(tracks))
    throw invalidParameter('tracks', 'must be a list of tracks, or what yields them.')
  const results: T[] = []
  for await (const track of tracks) results.push(await write(exportedTrack(track), results.length))
  return results
}

/** For one track a value, for several a list. */
export async function oneOrEach<T>(
  exportTracks: ExportTrack | ExportTracks,
  write: (track: Exported) => Promise<T>,
): Promise<T | T[]> {
  requireExportObject(exportTracks, 'A track')
  return isList(exportTracks) ? eachOf(exportTracks, write) : write(exportedTrack(exportTracks))
}

function isList(exportTracks: ExportTrack | ExportTracks): exportTracks is ExportTracks {
  return Symbol.iterator in exportTracks || Symbol.asyncIterator in exportTracks
}

function exportedTrack(track: ExportTrack): Exported {
  requireExportObject(track, 'A track')
  const isHandle = 'answer' in track
  const trackNames: ExportNames = isHandle ? track.answer : track
  requireExportObject(trackNames, 'The answer of a track')
  const path = isHandle
    ? requireFilePath(track.files?.[0]?.path)
    : requireFilePath([track.file].flat()[0])
  const name = typeof trackNames.title === 'string' ? withoutSurrogates(trackNames.title) : ''
  const title = name || path?.split(/[\\/]/).at(-1) || 'Untitled'
  return {
    ...checkedNames(trackNames, title),
    title,
    path,
    sounds: async () => {
      if (!isHandle) return checkedSounds(track.sounds, title)
      return (await track.sounds?.({ hear: 'known' }).catch(() => undefined)) ?? {}
    },
    document: async () => {
      const analysis = isHandle ? await track.analysis() : track.analysis
      if (analysis == null) throw invalidParameter('tracks', `${quoted(title)} has no analysis.`)
      const document = checkedAnalysis(analysis, title)
      if (isHandle || track.corrections == null) return document
      return applyCorrections(document, requireRecordCorrections(track.corrections, title))
    },
    ownCues: async () => {
      const cues = (isHandle ? await track.cues?.own() : track.cues) ?? []
      requireOwnCues(cues)
      return cues.toSorted((a, b) => a.number - b.number)
    },
  }
}

/**
 * Of a text or a `file:` URL.
 *
 * @throws {ParameterError} when it is neither, or has half of a surrogate pair, which no file has
 */
function requireFilePath(file: unknown): string | undefined {
  if (file == null) return undefined
  const text = file instanceof URL ? file.href : file
  if (typeof text !== 'string')
    throw invalidParameter('tracks', `a file is of type ${typeof text}; give its path or URL.`)
  const path = /^file:/i.test(text) ? pathOfUrl(text) : text
  if (path === undefined)
    throw invalidParameter('tracks', `${quoted(text)} is no file: URL of a path.`)
  if (path === withoutSurrogates(path)) return path
  throw invalidParameter('tracks', `${quoted(path)} has half of a surrogate pair; rename the file.`)
}

function pathOfUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { pathname, host } = new URL(text)
  const path = decodeEscaped(pathname)
  if (path === undefined || path.includes('\0')) return undefined
  if (host !== '') return `//${host}${path}`
  return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path
}

/** @throws {ParameterError} when the track has no path, or a relative one */
export function requireAbsolutePath({ path, title }: Exported): string {
  if (path === undefined) throw invalidParameter('tracks', `${quoted(title)} has no file.`)
  if (isAbsolute(path)) return path
  throw invalidParameter('tracks', `${quoted(path)} is relative; give the absolute path.`)
}

export function isAbsolute(path: string): boolean {
  return /^([A-Za-z]:)?[\\/]/.test(path)
}

/** 0…5; `undefined` where a track has none. */
export function starsOf({ rating }: Exported): number | undefined {
  return rating === undefined ? undefined : Math.round(rating)
}

/** 0…255. */
export function rgbOf({ colour }: Exported): [number, number, number] | undefined {
  return colour === undefined ? undefined : rgbOfColour(colour)
}

/** Those of Windows begin with the drive. */
export function pathParts(path: string): string[] {
  const isWindows = /^([A-Za-z]:|\\)/.test(path)
  return (isWindows ? path.replaceAll('\\', '/') : path).split('/').filter((part) => part !== '')
}

/** @param host - `localhost` in Rekordbox's collections */
export function fileUrl(path: string, host = ''): string {
  const [firstPart = '', ...laterParts] = pathParts(path)
  const drive = /^[A-Za-z]:$/.test(firstPart) ? firstPart : encodePart(firstPart)
  // A share of another machine.
  const isShare = /^[\\/]{2}/.test(path)
  if (isShare && host === '') return `file://${[drive, ...laterParts.map(encodePart)].join('/')}`
  return `file://${host}/${isShare ? '/' : ''}${[drive, ...laterParts.map(encodePart)].join('/')}`
}

/** As a URL has it. */
export function encodePart(pathPart: string): string {
  return encodeURIComponent(pathPart)
}

/** @throws {ParameterError} when it is no text */
export function nameOfList({ name }: ListOptions = {}): string | undefined {
  if (name === undefined || typeof name === 'string') return name && withoutSurrogates(name)
  throw invalidParameter('name', `is of type ${typeof name}; give a text`)
}

/** For formats whose lines are records. */
export function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').trim()
}
