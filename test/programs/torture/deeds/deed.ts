import type { Database } from 'better-sqlite3'
import type { Audile } from '../../../../src/index.ts'
import type { Random } from '../../../support/chance.ts'

/** What a process of mixed work stands on. */
export interface Ground {
  /** A folder for the clips that are uploaded. */
  clips: string
  /** Address of a web server that takes pages by PUT. */
  web: string
  /** Catalogs that are always there. */
  catalogs: readonly string[]
  /** Imports that were cut off, to be run again: the ids of those deeds. */
  cutImports: readonly string[]
}

/** What one client has done and can come back to. */
export interface Memory {
  ground: Ground
  /** Deeds that were answered, by their kind, the last one last. */
  done: { kind: string; op: string; deed: unknown; answer: unknown }[]
  /**
   * Deeds that it took back, or tried to. None is taken back twice: a call that was aborted or
   * refused may have been of effect or not, and a second one would hide which.
   */
  takenBack: Set<string>
}

/** How a deed is found in the database, when all jobs are at their end. */
export type Found =
  | 'present'
  | 'absent'
  /** Some of it is there, as is right only for what nobody was told is done; why. */
  | { unfinished: string }
  /** It is there in a way that can never be right; how. */
  | { broken: string }

/** A kind of work, as the process does it, and as the driver looks for it afterwards. */
export interface Kind<D, A> {
  readonly name: string
  /** How often it is chosen beside the others. */
  readonly weight: number
  /** Decides what is done; `undefined` if there is nothing of this kind to do now. */
  draw(op: string, random: Random, memory: Memory): D | undefined | Promise<D>
  /**
   * Does it. What it returns is acknowledged.
   *
   * @throws {WrongAnswer} when an answer is not the right one
   * @throws {Misfortune} when it tells that the work failed
   */
  perform(music: Audile, deed: D, signal: AbortSignal | undefined, ground: Ground): Promise<A>
  /** Whether it is one transaction: refused by the database, none of it may be there. */
  atOnce?(deed: D): boolean
  /** Looks whether it is there; a kind that only reads has none. */
  find?(database: Database, deed: D, answer: A | undefined): Found
}

/** A deed that takes another one back. */
export interface Undoing {
  undoes: string
}

/** Takes back the first of a client's own deeds of a kind, if there is one left. */
export function takeBack(
  { done, takenBack }: Memory,
  kind: string,
): ({ id: string } & Undoing) | undefined {
  const own = done.find((one) => one.kind === kind && !takenBack.has(one.op))
  if (!own) return undefined
  takenBack.add(own.op)
  return { id: (own.answer as { id: string }).id, undoes: own.op }
}

/** A call was answered, and not with the truth. */
export class WrongAnswer extends Error {
  override readonly name = 'WrongAnswer'
}

/** A call was answered, and told that what it was asked for failed. */
export class Misfortune extends Error {
  override readonly name = 'Misfortune'
}

/** The ids that a deed makes by adding to its own: `from` is the first, `end` the first of others. */
export function idsOf(op: string): { from: string; end: string } {
  return { from: `${op}_`, end: `${op}\`` }
}
