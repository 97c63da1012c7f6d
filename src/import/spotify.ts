import { parse } from 'node:path'
import type { TrackRecord } from '../client/tracks.ts'
import { messageOf } from '../values/errors.ts'
import { text } from './cleaning.ts'
import {
  type Imported,
  ImportRun,
  importing,
  reported,
  type SkippingOptions,
} from './import-run.ts'
import { bytesOf, filesBelow, type ImportInput, isFolder } from './input.ts'
import { type InputKind, kindOfOpening, OPENING_BYTES } from './input-kind.ts'
import { type Json, objectOf } from './rows.ts'
import { wholeTextOf } from './text-encoding.ts'

/** A response of Spotify's Web API, as parsed JSON. */
export type SpotifyAnswer = object | null

type Told = Omit<TrackRecord, 'analysis'>

/**
 * Reads saved responses of Spotify's Web API as records for `tracks.import`: audio features (alone
 * or as `{ audio_features: [...] }`), tracks with names (alone, as `{ tracks: [...] }`, or in the
 * items of a playlist), and audio analyses, whose file name is the track id. All data of one track
 * becomes one record, with the foreign id `spotify:track:<id>`; features may have no id. Tracks
 * with only names are left out and counted, and so are `null` answers and files of other kinds.
 *
 * @param input - the path of a JSON file, or of a folder of them; bytes; or the answers themselves
 * @throws {ParameterError} when the path does not exist, the first file is not JSON, or nothing is of
 * the Web API
 * @example
 * ```ts
 * import { fromSpotify } from 'audile/import'
 *
 * await music.tracks.import(fromSpotify('saved-answers/'))
 * await music.tracks.import(fromSpotify([{ id: '11dFghVXANMlKmJXsNCbNl', tempo: 118.2, danceability: 0.7 }]))
 * ```
 */
export function fromSpotify(
  input: ImportInput | SpotifyAnswer | readonly SpotifyAnswer[],
  options: SkippingOptions = {},
): Imported<TrackRecord> {
  if (isRead(input)) return importing(SPOTIFY, input, options, recordsOfFiles)
  const run = new ImportRun(SPOTIFY, options)
  return reported(run, input, () => {
    const [first] = [input].flat()
    run.kind = kindOfAnswer(JSON.stringify(Array.isArray(input) ? [first] : input))
    const saved = new SavedAnswers(run)
    saved.take(input, undefined)
    return saved.records(undefined)
  })
}

const SPOTIFY = {
  name: 'fromSpotify',
  reads: "saved answers of Spotify's Web API",
  forms: ['json'],
} as const

function kindOfAnswer(json = ''): InputKind | undefined {
  return kindOfOpening(Buffer.from(json.slice(0, OPENING_BYTES)))
}

async function* recordsOfFiles(
  input: ImportInput,
  run: ImportRun,
): AsyncGenerator<TrackRecord, void> {
  const saved = new SavedAnswers(run)
  if (!(await isFolder(input))) await takeFile(saved, input, run)
  else {
    for await (const file of filesBelow(input as string, /\.json$/i)) {
      const likeness = await takeFile(saved, file, run)
      if (likeness !== undefined) run.skip(file, `holds nothing of the Web API${likeness}`)
    }
  }
  yield* saved.records(input)
}

/** @returns what a file without answers looks like, as the end of a message */
async function takeFile(
  saved: SavedAnswers,
  input: ImportInput,
  run: ImportRun,
): Promise<string | undefined> {
  const text = await wholeTextOf(bytesOf(input))
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch (error) {
    run.skip(input, `is not a JSON document: ${messageOf(error)}`)
    return undefined
  }
  run.countRead()
  run.kind = kindOfAnswer(text)
  return saved.take(answer, input) === 0 ? run.likeness() : undefined
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

/** What saved answers tell of each track. */
class SavedAnswers {
  readonly #run: ImportRun
  readonly #tracks = new Map<string, Told>()
  /** Analyses are large, so one in a file is read again when its record is yielded. */
  readonly #analyses = new Map<string, TrackRecord['analysis'] | { file: string }>()

  constructor(run: ImportRun) {
    this.#run = run
  }

  /**
   * @param input - the file that contains only this answer, if it is one
   * @returns how many objects of the Web API the answer has
   */
  take(answer: unknown, input: ImportInput | undefined): number {
    const file = typeof input === 'string' ? input : undefined
    const visit = (value: unknown): number => {
      if (Array.isArray(value)) return sum(value.map(visitEntry))
      const object = objectOf(value)
      if (!object) return 0
      return this.#takeObject(object, file, value === answer)
        ? 1
        : sum(WITHIN.map((name) => visit(object[name])))
    }
    const visitEntry = (value: unknown): number => {
      const count = visit(value)
      if (count === 0) this.#run.leaveOut(input, value === null ? EMPTY : OTHER)
      return count
    }
    return answer === null ? visitEntry(answer) : visit(answer)
  }

  #takeObject(found: Json, file: string | undefined, isWhole: boolean): boolean {
    const id = text(found.id) ?? text(found.uri)?.replace(PREFIX, '')
    if (Array.isArray(found.segments)) {
      const named = id ?? (file === undefined ? undefined : parse(file).name)
      if (named !== undefined) this.#analyses.set(named, file && isWhole ? { file } : found)
      return named !== undefined
    }
    if ('danceability' in found) {
      const names = 'name' in found ? namesOf(found) : undefined
      this.#add(id ?? `#${this.#tracks.size}`, { audioFeatures: found, ...names })
      return true
    }
    if (id === undefined || !Array.isArray(found.artists)) return false
    this.#add(id, namesOf(found))
    return true
  }

  #add(id: string, told: Told): void {
    this.#tracks.set(id, { ...this.#tracks.get(id), ...told })
  }

  async *records(input: ImportInput | undefined): AsyncGenerator<TrackRecord, void> {
    for (const id of new Set([...this.#tracks.keys(), ...this.#analyses.keys()])) {
      const record = { ...(isId(id) && { foreignIds: [PREFIX + id] }), ...this.#tracks.get(id) }
      const storedAnalysis = this.#analyses.get(id)
      const analysis =
        storedAnalysis && 'file' in storedAnalysis
          ? await answerIn(storedAnalysis.file)
          : storedAnalysis
      if (analysis) yield { ...record, analysis: analysis as TrackRecord['analysis'] }
      else if (record.audioFeatures) yield record
      else this.#run.leaveOut(input, 'a track has names, but no audio features and no analysis')
    }
  }
}

/** The fields of answers that contain the wanted objects, as a list or a single one. */
const WITHIN = ['audio_features', 'tracks', 'items', 'track'] as const

const EMPTY = 'an answer is empty (null)'
const OTHER = 'an entry has no audio features, no names of a track and no analysis'

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
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
  return objectOf(JSON.parse(await wholeTextOf(bytesOf(file))))
}
