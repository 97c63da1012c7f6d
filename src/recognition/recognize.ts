import { inTurns } from '../kernel/scheduler.ts'
import type { CodeIndex } from './index/code-index.ts'
import type { Fingerprints, RecordingStore } from './recording-store.ts'
import {
  codesWithin,
  type Identified,
  identifying,
  identifyingCodes,
  type Prints,
} from './search/identifying.ts'
import { match } from './search/match.ts'
import { RULES } from './search/rules.ts'
import type { Codes } from './systems/codes.ts'
import { songCodes } from './systems/landmarks.ts'
import { ECHOPRINT, type Family, LANDMARKS } from './systems/version.ts'

/** A song that was recognised. */
export interface Recognized extends Identified {
  songId: string
}

/** When two whole files are the same recording. */
const WHOLE = {
  /** The most pieces of a file that are compared, spread over it. */
  pieces: 5,
  /** Seconds of a piece. */
  length: 30,
  /** The share of the pieces that must be where the recording has them. */
  share: 0.6,
  /** Seconds by which a piece may be elsewhere. */
  tolerance: 1,
  /** The shorter of the two lasts at least this share of the longer: a mix holds many recordings. */
  duration: 0.6,
} as const

/** Units of time a second, for the families by which whole files are compared. */
const PER_SECOND = {
  landmarks: LANDMARKS.secondFrames,
  echoprint: 1000 / ECHOPRINT.timeUnit,
} as const

/** Finds the songs that recordings belong to, by the index of their codes. */
export class Recognizer {
  readonly #store: RecordingStore
  readonly #index: CodeIndex

  constructor(store: RecordingStore, index: CodeIndex) {
    this.#store = store
    this.#index = index
  }

  /**
   * The songs that have codes of one family.
   *
   * @param ease - see {@link identifyingCodes}
   * @throws the signal's reason when it aborts before the end
   */
  byCodes(family: Family, codes: Codes, signal: AbortSignal, ease = 1): Promise<Recognized[]> {
    const songs = new SongsOfRecordings(this.#store)
    const lookup = this.#index.lookups()(family)
    return this.#run(identifyingCodes(family, codes, lookup, songs.numberOf, ease), songs, signal)
  }

  /**
   * The songs that a recording, or a piece of one, belongs to, by all its fingerprints.
   *
   * @throws the signal's reason when it aborts before the end
   */
  byPrints(prints: Prints, signal: AbortSignal): Promise<Recognized[]> {
    const songs = new SongsOfRecordings(this.#store)
    return this.#run(identifying(prints, this.#index.lookups(), songs.numberOf), songs, signal)
  }

  /** Lets other calls come between the steps of a long search. */
  async #run(
    steps: Generator<void, Identified[]>,
    songs: SongsOfRecordings,
    signal: AbortSignal,
  ): Promise<Recognized[]> {
    return songs.of(await inTurns(steps, signal))
  }

  /**
   * The song whose recording a whole file holds: piece by piece, in the same order, and about as
   * long. `undefined` when there is none; a file that only quotes a song is another recording.
   */
  whole(prints: Prints, duration: number): string | undefined {
    const songs = new SongsOfRecordings(this.#store)
    const lookups = this.#index.lookups()
    const find = (family: Family) => (codes: Codes) =>
      match(codes, lookups(family), RULES[family], songs.numberOf)
    return (
      this.#wholeBy('landmarks', songCodes(prints.landmarks), duration, find('landmarks')) ??
      // Some recordings have imported code strings and nothing else.
      (this.#store.hasImported()
        ? this.#wholeBy('echoprint', prints.echoprint.codes, duration, find('echoprint'))
        : undefined)
    )
  }

  /** The codes of a recording that the index holds. */
  indexed({ landmarks, echoprint, chroma }: Prints): Fingerprints {
    return { landmarks: songCodes(landmarks), echoprint: echoprint.codes, chroma }
  }

  #wholeBy(
    family: keyof typeof PER_SECOND,
    codes: Codes,
    duration: number,
    find: (codes: Codes) => { song: number; offset: number }[],
  ): string | undefined {
    const perSecond = PER_SECOND[family]
    const pieces = piecesOf(codes, duration, perSecond)
    const due = Math.ceil(WHOLE.share * pieces.length)
    const answers: { song: number; at: number }[][] = []
    let silent = 0
    for (const piece of pieces) {
      const found = find(piece).map(({ song, offset }) => ({ song, at: offset / perSecond }))
      answers.push(found)
      // Most files are new: the search for these ends early.
      if (found.length === 0 && ++silent > pieces.length - due) return undefined
    }
    for (const song of new Set(answers.flat().map((answer) => answer.song))) {
      const places = answers.flatMap((found) => found.filter((answer) => answer.song === song))
      const recording = this.#store.byId(song)
      if (!recording || places.length < due) continue
      const other = recording.duration ?? duration
      if (Math.min(other, duration) < WHOLE.duration * Math.max(other, duration)) continue
      const together = ({ at }: { at: number }) =>
        places.filter((place) => Math.abs(place.at - at) <= WHOLE.tolerance).length >= due
      // Pieces of music made of loops occur in several places; the whole occurs in one.
      const aligned = places.some(together) || find(codes).some((whole) => whole.song === song)
      if (aligned) return recording.songId
    }
    return undefined
  }
}

/** Pieces of a recording, spread over it, without those that are nearly silent. */
function piecesOf(codes: Codes, duration: number, perSecond: number): Codes[] {
  const { pieces, length } = WHOLE
  const count = Math.max(1, Math.min(pieces, Math.floor(duration / length)))
  if (count === 1) return [codes]
  const found = Array.from({ length: count }, (_, i) => {
    const from = ((i * duration) / count) * perSecond
    return codesWithin(codes, from, from + length * perSecond)
  })
  const most = Math.max(...found.map((piece) => piece.codes.length))
  return found.filter((piece) => piece.codes.length >= most / 10)
}

/** The songs that recordings belong to, each looked up once. */
class SongsOfRecordings {
  readonly #store: RecordingStore
  readonly #ids = new Map<number, string | undefined>()
  readonly #numbers = new Map<string, number>()

  constructor(store: RecordingStore) {
    this.#store = store
  }

  /** A number for the song of a recording: alike for the recordings of one song. */
  readonly numberOf = (recording: number): number => {
    const id = this.#idOf(recording) ?? ''
    const known = this.#numbers.get(id)
    if (known !== undefined) return known
    this.#numbers.set(id, this.#numbers.size)
    return this.#numbers.size - 1
  }

  /** The songs of recordings that were found, each once, in their order. */
  of(found: readonly Identified[]): Recognized[] {
    const seen = new Set<string>()
    return found.flatMap((one) => {
      const songId = this.#idOf(one.song)
      if (songId === undefined || seen.has(songId)) return []
      seen.add(songId)
      return [{ ...one, songId }]
    })
  }

  #idOf(recording: number): string | undefined {
    if (!this.#ids.has(recording)) {
      this.#ids.set(recording, this.#store.byId(recording)?.songId)
    }
    return this.#ids.get(recording)
  }
}
