import { parse } from 'node:path'
import { text as textIn } from 'node:stream/consumers'
import type { TrackRecord } from '../client/tracks.ts'
import { messageOf } from '../values/errors.ts'
import { text } from './cleaning.ts'
import { bytesOf, filesBelow, type ImportInput, isFolder } from './input.ts'
import { type Json, objectOf, type SkippingOptions, Skips } from './rows.ts'

/** A response of Spotify's Web API, as parsed JSON. */
export type SpotifyAnswer = object | null

type Told = Omit<TrackRecord, 'analysis'>

interface Read {
  tracks: Map<string, Told>
  /** Analyses are large, so one in a file is read again when its record is yielded. */
  analyses: Map<string, TrackRecord['analysis'] | { file: string }>
}

/** The fields of answers that contain the wanted objects, as a list or a single one. */
const WITHIN = ['audio_features', 'tracks', 'items', 'track'] as const

/**
 * Reads saved responses of Spotify's Web API as records for `tracks.import`: audio features (alone
 * or as `{ audio_features: [...] }`), tracks with names (alone, as `{ tracks: [...] }`, or in the
 * items of a playlist), and audio analyses, whose file name is the track id. All data of one track
 * becomes one record, with the foreign id `spotify:track:<id>`; features may have no id. Tracks
 * with only names are left out, and so are `null` answers.
 *
 * @param input - the path of a JSON file, or of a folder of them; bytes; or the answers themselves
 * @throws {ParameterError} when the path does not exist, or the first file is not JSON
 * @example
 * ```ts
 * import { fromSpotify } from 'audile/import'
 *
 * await music.tracks.import(fromSpotify('saved-answers/'))
 * await music.tracks.import(fromSpotify([{ id: '11dFghVXANMlKmJXsNCbNl', tempo: 118.2, danceability: 0.7 }]))
 * ```
 */
export async function* fromSpotify(
  input: ImportInput | SpotifyAnswer | readonly SpotifyAnswer[],
  options: SkippingOptions = {},
): AsyncGenerator<TrackRecord, void> {
  const skips = new Skips(options)
  const read: Read = { tracks: new Map(), analyses: new Map() }
  if (!isRead(input)) take(read, input, undefined)
  else if (!(await isFolder(input))) await takeFile(read, input, skips)
  else
    for await (const file of filesBelow(input as string, /\.json$/i))
      await takeFile(read, file, skips)
  for (const id of new Set([...read.tracks.keys(), ...read.analyses.keys()])) {
    const told = { ...(isId(id) && { foreignIds: [PREFIX + id] }), ...read.tracks.get(id) }
    const held = read.analyses.get(id)
    const analysis = held && 'file' in held ? await answerIn(held.file) : held
    if (analysis) yield { ...told, analysis: analysis as TrackRecord['analysis'] }
    else if (told.audioFeatures) yield told
  }
}

const PREFIX = 'spotify:track:'

/** Features without an id have `#` and a number as key. */
const isId = (key: string) => !key.startsWith('#')

/** Whether an input is a path or bytes, and not an answer that is already parsed. */
function isRead(input: unknown): input is ImportInput {
  if (typeof input === 'string') return true
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return false
  const isBytes = ArrayBuffer.isView(input) || input instanceof ArrayBuffer
  return isBytes || input instanceof Blob || Symbol.asyncIterator in input || 'getReader' in input
}

async function takeFile(read: Read, input: ImportInput, skips: Skips): Promise<void> {
  let answer: unknown
  try {
    answer = JSON.parse(await textIn(bytesOf(input)))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    skips.skip(input, `is not a JSON document: ${messageOf(error)}`)
    return
  }
  skips.countRead()
  take(read, answer, typeof input === 'string' ? input : undefined)
}

/** @param file - the file that contains only this answer */
function take({ tracks, analyses }: Read, answer: unknown, file: string | undefined): void {
  const add = (id: string, told: Told) => tracks.set(id, { ...tracks.get(id), ...told })
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) visit(one)
    const found = objectOf(value)
    if (!found) return
    const id = text(found.id) ?? text(found.uri)?.replace(PREFIX, '')
    if (Array.isArray(found.segments)) {
      const named = id ?? (file === undefined ? undefined : parse(file).name)
      if (named !== undefined) analyses.set(named, file && value === answer ? { file } : found)
    } else if ('danceability' in found) {
      add(id ?? `#${tracks.size}`, { audioFeatures: found, ...('name' in found && namesOf(found)) })
    } else if (id !== undefined && Array.isArray(found.artists)) add(id, namesOf(found))
    else for (const name of WITHIN) visit(found[name])
  }
  visit(answer)
}

function namesOf({
  name,
  artists,
  album,
  external_ids: ids,
  disc_number,
  track_number,
}: Json): Told {
  const title = text(name)
  const artist = text([artists].flat().flatMap(nameOfArtist).join(', '))
  const release = text(objectOf(album)?.name)
  const isrc = text(objectOf(ids)?.isrc)
  return {
    ...(title !== undefined && { title }),
    ...(artist !== undefined && { artist }),
    ...(release !== undefined && { release }),
    ...(isrc !== undefined && { isrc: [isrc] }),
    ...(Number.isInteger(disc_number) && { discNumber: disc_number as number }),
    ...(Number.isInteger(track_number) && { trackNumber: track_number as number }),
  }
}

function nameOfArtist(artist: unknown): string | [] {
  return text(objectOf(artist)?.name ?? artist) ?? []
}

async function answerIn(file: string): Promise<object | undefined> {
  return objectOf(JSON.parse(await textIn(bytesOf(file))))
}
