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
import { type Candidate, match } from './search/match.ts'
import { rulesOf } from './search/rules.ts'
import type { Codes } from './systems/codes.ts'
import { songCodes } from './systems/landmarks.ts'
import { type Family, PER_SECOND } from './systems/version.ts'
import { type Evidence, inPlace, lengthsOf, named, whole } from './verdict.ts'

/** A song that was recognised, and what says so. */
export interface Recognized {
  songId: string
  evidence: Evidence
}

/** How a whole file is cut to be compared. */
const PIECES = Object.freeze({
  /** The most, spread over it. */
  most: 5,
  /** Seconds of a piece. */
  length: 30,
})

/** Finds the songs that recordings belong to, by the index of their codes. */
export class Recognizer {
  readonly #store: RecordingStore
  readonly #index: CodeIndex

  constructor(store: RecordingStore, index: CodeIndex) {
    this.#store = store
    this.#index = index
  }

  /**
   * The songs that have codes of one family. Names that agree make up for a score that is too low.
   *
   * @param withNames - adds the names and the lengths to the evidence of a song
   * @throws the signal's reason when it aborts before the end
   */
  async byCodes(
    family: Family,
    codes: Codes,
    signal: AbortSignal,
    withNames = (found: Recognized) => found,
  ): Promise<Recognized[]> {
    const songs = new SongsOfRecordings(this.#store)
    const lookup = this.#index.lookups()(family)
    const steps = identifyingCodes(family, codes, lookup, songs.numberOf)
    const { accepted, refused } = await inTurns(steps, signal)
    if (accepted.length > 0) return songs.of(accepted).map(withNames)
    const likely = songs.of(refused).map(withNames)
    return likely.filter(({ evidence }) => named(evidence, lookup.songs).accepted)
  }

  /**
   * The songs that a recording, or a piece of one, belongs to, by all its fingerprints.
   *
   * @param length - seconds
   * @throws the signal's reason when it aborts before the end
   */
  async byPrints(prints: Prints, length: number, signal: AbortSignal): Promise<Recognized[]> {
    const songs = new SongsOfRecordings(this.#store)
    const steps = identifying(prints, this.#index.lookups(), songs.numberOf)
    const found = songs.of(await inTurns(steps, signal))
    for (const { evidence } of found) evidence.lengths.query = length
    return found
  }

  /**
   * The song whose recording a whole file holds: piece by piece, in the same order, and about as
   * long. `undefined` when there is none; a file that only quotes a song is another recording.
   */
  whole(prints: Prints, duration: number): Recognized | undefined {
    const { landmarks, echoprint } = this.indexed(prints)
    return (
      this.#wholeBy('landmarks', landmarks, duration) ??
      // Some recordings have imported code strings and nothing else.
      (this.#store.hasImported() ? this.#wholeBy('echoprint', echoprint, duration) : undefined)
    )
  }

  /** The codes of a recording that the index holds. */
  indexed({ landmarks, echoprint, chroma }: Prints) {
    return {
      landmarks: songCodes(landmarks),
      echoprint: echoprint.codes,
      chroma,
    } satisfies Fingerprints
  }

  #wholeBy(family: Family, codes: Codes, duration: number): Recognized | undefined {
    const songs = new SongsOfRecordings(this.#store)
    const lookup = this.#index.lookups()(family)
    const rules = rulesOf(family)
    const find = (piece: Codes) => match(piece, lookup, rules, songs.numberOf)
    const pieces = piecesOf(codes, duration, PER_SECOND[family])
    const answers: Candidate[] = []
    let silent = 0
    for (const piece of pieces) {
      const found = find(piece)
      answers.push(...found)
      if (found.length > 0) continue
      // Most files are new: the search for these ends early.
      silent++
      const aligned = (pieces.length - silent) / pieces.length
      if (!whole({ aligned, lengths: {} }).accepted) return undefined
    }
    for (const song of new Set(answers.map((answer) => answer.song))) {
      const places = answers.filter((answer) => answer.song === song)
      const recording = this.#store.byId(song)
      if (!recording) continue
      const isWhole = (found: readonly Candidate[]) =>
        whole({
          aligned: found.length / pieces.length,
          lengths: lengthsOf(duration, recording.duration),
        }).accepted
      if (!isWhole(places)) continue
      const at = ({ offset }: Candidate) => offset / PER_SECOND[family]
      const together = places
        .map((one) => places.filter((other) => inPlace(at(one), at(other))))
        .find(isWhole)
      // Pieces of music made of loops occur in several places; the whole occurs in one.
      const found = together ?? find(codes).filter((one) => one.song === song)
      if (found.length === 0) continue
      const aligned = (together ?? places).length / pieces.length
      const evidence = evidenceOf({ ...joined(found), family, aligned }, recording.duration)
      evidence.lengths.query = duration
      return { songId: recording.songId, evidence }
    }
    return undefined
  }
}

/** What pieces of a file say of one recording together. */
function joined(pieces: readonly Candidate[]): Candidate {
  const total = (value: (piece: Candidate) => number) =>
    pieces.reduce((sum, piece) => sum + value(piece), 0)
  return {
    ...pieces[0]!,
    score: total(({ score }) => score),
    agreeing: total(({ agreeing }) => agreeing),
    chance: total(({ chance }) => chance),
    codes: total(({ codes }) => codes) / pieces.length,
    offset: total(({ offset }) => offset) / pieces.length,
    lead: Math.min(...pieces.map(({ lead }) => lead)),
  }
}

/** @param length - of the recording, seconds */
function evidenceOf(found: Identified, length: number | null | undefined): Evidence {
  const { family, score, agreeing, chance, codes, aligned, offset, rate, lead } = found
  return {
    system: family,
    score,
    agreeing,
    chance,
    codes,
    aligned,
    offset: offset / PER_SECOND[family],
    speed: rate,
    pitch: 0,
    lead,
    lengths: lengthsOf(undefined, length),
    names: {},
  }
}

/** Pieces of a recording, spread over it, without those that are nearly silent. */
function piecesOf(codes: Codes, duration: number, perSecond: number): Codes[] {
  const { most: pieces, length } = PIECES
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
  readonly #rows = new Map<number, ReturnType<RecordingStore['byId']>>()
  readonly #numbers = new Map<string, number>()

  constructor(store: RecordingStore) {
    this.#store = store
  }

  /** A number for the song of a recording: alike for the recordings of one song. */
  readonly numberOf = (recording: number): number => {
    const id = this.#byId(recording)?.songId ?? ''
    const known = this.#numbers.get(id)
    if (known !== undefined) return known
    this.#numbers.set(id, this.#numbers.size)
    return this.#numbers.size - 1
  }

  /** The songs of recordings that were found, each once, in their order. */
  of(found: readonly Identified[]): Recognized[] {
    const seen = new Set<string>()
    return found.flatMap((one) => {
      const row = this.#byId(one.song)
      if (row === undefined || seen.has(row.songId)) return []
      seen.add(row.songId)
      return [{ songId: row.songId, evidence: evidenceOf(one, row.duration) }]
    })
  }

  #byId(recording: number): ReturnType<RecordingStore['byId']> {
    if (!this.#rows.has(recording)) this.#rows.set(recording, this.#store.byId(recording))
    return this.#rows.get(recording)
  }
}
