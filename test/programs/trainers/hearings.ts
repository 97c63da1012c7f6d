import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { type Hearing, hearingOf } from './rhythm-examples.ts'
import type { Planned } from './rhythm-pieces.ts'

/**
 * Makes pieces and listens to them. To make them takes longer than all the rest, so what was heard
 * may be kept in a folder for the next time; it must be emptied when the pieces or the novelty
 * change.
 */
export class Hearings {
  readonly #folder: string | undefined

  constructor(folder?: string) {
    this.#folder = folder
    if (folder !== undefined) mkdirSync(folder, { recursive: true })
  }

  of({ id, make }: Planned): Hearing | undefined {
    const kept = this.#folder && join(this.#folder, createHash('md5').update(id).digest('hex'))
    if (kept !== undefined && existsSync(kept)) {
      return deserialize(readFileSync(kept)) as Hearing | undefined
    }
    const piece = make()
    const hearing = piece && hearingOf(piece)
    if (kept !== undefined) {
      // Whole or not at all: somebody may end it meanwhile.
      writeFileSync(`${kept}.part`, serialize(hearing))
      renameSync(`${kept}.part`, kept)
    }
    return hearing
  }
}
