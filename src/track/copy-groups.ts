import { equalOf } from '../fingerprint/sketch.ts'
import { inTurns } from '../kernel/scheduler.ts'
import { gistOf, mayBeCopies } from './likely-copies.ts'
import { readDocument } from './read-document.ts'
import { comparing, isSame, type Outline, outlining } from './same-recording.ts'
import { SOUND_VERSION } from './sound-descriptors.ts'
import type { TrackStore } from './store.ts'

/** Outlines that are kept for the next comparison: some 1 MB each. */
const KEPT = 16

/** Tells which tracks hold the same recording, by their stored analyses. */
export class Copies {
  readonly #store: TrackStore
  readonly #outlines = new Map<string, Outline | undefined>()
  readonly #marks = new Map<string, { sketch: Uint16Array; gist: Float32Array }>()

  constructor(store: TrackStore) {
    this.#store = store
  }

  /** Whether two tracks are worth a closer look. */
  likely(one: string, other: string): boolean {
    const a = this.#markOf(one)
    const b = this.#markOf(other)
    return mayBeCopies(equalOf(a.sketch, b.sketch), a.gist, 0, b.gist, 0)
  }

  /**
   * Whether two tracks hold the same recording.
   *
   * @throws the signal's reason when it aborts before the end
   */
  async same(one: string, other: string, signal: AbortSignal): Promise<boolean> {
    const a = await this.#outlineOf(one, signal)
    const b = await this.#outlineOf(other, signal)
    if (!a || !b) return false
    return isSame(await inTurns(comparing(a, b), signal))
  }

  #markOf(trackId: string): { sketch: Uint16Array; gist: Float32Array } {
    const known = this.#marks.get(trackId)
    if (known) return known
    const row = this.#store.sound(trackId, SOUND_VERSION)
    const sketch = integersOf(row?.sketch ?? new Uint8Array(0))
    const gist = gistOf(floatsOf(row?.descriptor ?? new Uint8Array(0)))
    this.#marks.set(trackId, { sketch, gist })
    return { sketch, gist }
  }

  async #outlineOf(trackId: string, signal: AbortSignal): Promise<Outline | undefined> {
    if (this.#outlines.has(trackId)) return this.#outlines.get(trackId)
    const stored = this.#store.document(trackId)
    const outline = stored ? await read(stored, signal) : undefined
    if (this.#outlines.size === KEPT) this.#outlines.delete([...this.#outlines.keys()][0]!)
    this.#outlines.set(trackId, outline)
    return outline
  }
}

async function read(stored: Buffer, signal: AbortSignal): Promise<Outline | undefined> {
  try {
    const document = await readDocument(stored, signal)
    return await inTurns(outlining(document), signal)
  } catch {
    signal.throwIfAborted()
    // Damaged: nothing can be told of it.
    return undefined
  }
}

/** The numbers of a stored sketch; a copy, as a blob need not be aligned. */
export function integersOf(sketch: Uint8Array): Uint16Array {
  return new Uint16Array(new Uint8Array(sketch).buffer)
}

/** The numbers of a stored descriptor. */
export function floatsOf(descriptor: Uint8Array): Float32Array {
  return new Float32Array(new Uint8Array(descriptor).buffer)
}
