import { parse } from 'node:path'
import type { TrackRecord } from '../client/tracks.ts'
import { messageOf } from '../values/errors.ts'
import { cleanTextValue } from './cleaning.ts'
import {
  type Imported,
  ImportRun,
  importRecords,
  type SkippingOptions,
  withReport,
} from './import-run.ts'
import { filesBelow, type ImportInput, inputBytes, isFolderPath } from './input.ts'
import { type InputKind, kindOfOpening, OPENING_BYTES } from './input-kind.ts'
import { type Json, objectOf } from './rows.ts'
import { decodeWhole } from './text-encoding.ts'

/** A response of Spotify's Web API, as parsed JSON. */
export type SpotifyAnswer = object | null

type TrackFacts = Omit<TrackRecord, 'analysis'>

/**
 * Reads saved responses of Spotify's Web API as records for `tracks.import`. These are audio
 * features (alone or as `{ audio_features: [...] }`), tracks with names (alone, as `{ tracks: [...]
 * }`, or in the items of a playlist), and audio analyses, whose file name is the track id.
 *
 * All data of one track becomes one record, with the foreign id `spotify:track:<id>`; features may
 * have no id. Tracks with only names, `null` answers and other files are left out and counted.
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
  if (isUnreadInput(input)) return importRecords(SPOTIFY_TRAITS, input, options, recordsOfFiles)
  const run = new ImportRun(SPOTIFY_TRAITS, options)
  return withReport(run, input, () => {
    const [firstAnswer] = [input].flat()
    run.kind = kindOfAnswer(JSON.stringify(Array.isArray(input) ? [firstAnswer] : input))
    const answers = new SavedAnswers(run)
    answers.addAnswer(input, undefined)
    return answers.makeRecords(undefined)
  })
}

const SPOTIFY_TRAITS = {
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
  const answers = new SavedAnswers(run)
  if (!(await isFolderPath(input))) await addAnswerFile(answers, input, run)
  else {
    for await (const file of filesBelow(input as string, /\.json$/i)) {
      const likeness = await addAnswerFile(answers, file, run)
      if (likeness !== undefined) run.skip(file, `holds nothing of the Web API${likeness}`)
    }
  }
  yield* answers.makeRecords(input)
}

/** @returns what a file without answers looks like, as the end of a message */
async function addAnswerFile(
  answers: SavedAnswers,
  input: ImportInput,
  run: ImportRun,
): Promise<string | undefined> {
  const text = await decodeWhole(inputBytes(input))
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch (error) {
    run.skip(input, `is not a JSON document: ${messageOf(error)}`)
    return undefined
  }
  run.countRead()
  run.kind = kindOfAnswer(text)
  return answers.addAnswer(answer, input) === 0 ? run.likenessText() : undefined
}

const TRACK_PREFIX = 'spotify:track:'

/** Features without an id have `#` and a number. */
const isTrackId = (key: string) => !key.startsWith('#')

/** Not an answer that is already parsed. */
function isUnreadInput(input: unknown): input is ImportInput {
  if (typeof input === 'string') return true
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return false
  const isBytes = ArrayBuffer.isView(input) || input instanceof ArrayBuffer
  return isBytes || input instanceof Blob || Symbol.asyncIterator in input || 'getReader' in input
}

class SavedAnswers {
  readonly #run: ImportRun
  readonly #tracks = new Map<string, TrackFacts>()
  /** Analyses are large, so one in a file is read again. */
  readonly #analyses = new Map<string, TrackRecord['analysis'] | { file: string }>()

  constructor(run: ImportRun) {
    this.#run = run
  }

  /**
   * @param input - the file that contains only this answer
   * @returns how many objects of the Web API the answer has
   */
  addAnswer(answer: unknown, input: ImportInput | undefined): number {
    const file = typeof input === 'string' ? input : undefined
    const visitValue = (value: unknown): number => {
      if (Array.isArray(value)) return sumCounts(value.map(visitEntry))
      const object = objectOf(value)
      if (!object) return 0
      return this.#addObject(object, file, value === answer)
        ? 1
        : sumCounts(ANSWER_FIELDS.map((name) => visitValue(object[name])))
    }
    const visitEntry = (value: unknown): number => {
      const count = visitValue(value)
      if (count === 0) this.#run.leaveOut(input, value === null ? EMPTY_REASON : OTHER_REASON)
      return count
    }
    return answer === null ? visitEntry(answer) : visitValue(answer)
  }

  #addObject(object: Json, file: string | undefined, isWhole: boolean): boolean {
    const id = cleanTextValue(object.id) ?? cleanTextValue(object.uri)?.replace(TRACK_PREFIX, '')
    if (Array.isArray(object.segments)) {
      const trackId = id ?? (file === undefined ? undefined : parse(file).name)
      if (trackId !== undefined) this.#analyses.set(trackId, file && isWhole ? { file } : object)
      return trackId !== undefined
    }
    if ('danceability' in object) {
      const names = 'name' in object ? trackFactsOf(object) : undefined
      this.#addFacts(id ?? `#${this.#tracks.size}`, { audioFeatures: object, ...names })
      return true
    }
    if (id === undefined || !Array.isArray(object.artists)) return false
    this.#addFacts(id, trackFactsOf(object))
    return true
  }

  #addFacts(id: string, facts: TrackFacts): void {
    this.#tracks.set(id, { ...this.#tracks.get(id), ...facts })
  }

  async *makeRecords(input: ImportInput | undefined): AsyncGenerator<TrackRecord, void> {
    for (const id of new Set([...this.#tracks.keys(), ...this.#analyses.keys()])) {
      const record = {
        ...(isTrackId(id) && { foreignIds: [TRACK_PREFIX + id] }),
        ...this.#tracks.get(id),
      }
      const storedAnalysis = this.#analyses.get(id)
      const analysis =
        storedAnalysis && 'file' in storedAnalysis
          ? await readAnswerFile(storedAnalysis.file)
          : storedAnalysis
      if (analysis) yield { ...record, analysis: analysis as TrackRecord['analysis'] }
      else if (record.audioFeatures) yield record
      else this.#run.leaveOut(input, 'a track has names, but no audio features and no analysis')
    }
  }
}

/** They contain the searched objects, as a list or a single one. */
const ANSWER_FIELDS = ['audio_features', 'tracks', 'items', 'track'] as const

const EMPTY_REASON = 'an answer is empty (null)'
const OTHER_REASON = 'an entry has no audio features, no names of a track and no analysis'

function sumCounts(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}

function trackFactsOf({
  name,
  artists,
  album,
  external_ids: ids,
  disc_number,
  track_number,
}: Json): TrackFacts {
  const title = cleanTextValue(name)
  const artist = cleanTextValue([artists].flat().flatMap(nameOfArtist).join(', '))
  const release = cleanTextValue(objectOf(album)?.name)
  const isrc = cleanTextValue(objectOf(ids)?.isrc)
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
  return cleanTextValue(objectOf(artist)?.name ?? artist) ?? []
}

async function readAnswerFile(file: string): Promise<object | undefined> {
  return objectOf(JSON.parse(await decodeWhole(inputBytes(file))))
}
