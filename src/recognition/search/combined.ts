import { type Family, PER_SECOND } from '../systems/version.ts'
import { together } from '../verdict.ts'
import type { Candidate } from './match.ts'

/** A number for each song of an index; songs known to be one recording have the same. */
export type RecordingOf = (song: number) => number

/** What one system says. */
interface Answer extends Candidate {
  family: Family
}

/**
 * The best answers that systems have given of one piece of sound, each too weak to be one. Of two
 * that name one recording at one offset, the first given counts as the answer.
 */
export class WeakAnswers<Given extends Answer> {
  readonly #songs: number
  readonly #recordingOf: RecordingOf
  readonly #answers: Given[] = []

  /** @param songs - how many songs the index holds */
  constructor(songs: number, recordingOf: RecordingOf = (song) => song) {
    this.#songs = songs
    this.#recordingOf = recordingOf
  }

  /** Takes a system's best song and its copies; returns the song if an earlier answer bears it out. */
  take(refused: readonly Given[]): Given | undefined {
    const [answer] = refused
    if (!answer) return undefined
    this.#answers.push(answer)
    return this.#answers.find((other) => this.#agree(other, answer))
  }

  #agree(one: Given, other: Given): boolean {
    const same = this.#recordingOf(one.song) === this.#recordingOf(other.song)
    if (!same || one.family === other.family) return false
    return together(placed(one), placed(other), this.#songs).accepted
  }
}

function placed(answer: Answer) {
  const { family } = answer
  return { ...answer, system: family, offset: answer.offset / PER_SECOND[family] }
}
