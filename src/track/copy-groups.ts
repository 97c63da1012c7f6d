import { equalOf } from '../fingerprint/sketch.ts'
import { inTurns } from '../kernel/scheduler.ts'
import type { AnalysisStore } from './analysis-store.ts'
import { gistOf, mayBeCopies } from './likely-copies.ts'
import { readDocument } from './read-document.ts'
import { type Outline, outlining } from './recording-outline.ts'
import { comparing, isSame } from './same-recording.ts'
import { SOUND_VERSION, storedDescriptor, storedSketch } from './sound-descriptors.ts'

/** Outlines kept for the next comparisons, about 1 MB each. */
const KEPT = 16

/** Tells which tracks hold the same recording, by their stored analyses. */
export class Copies {
  readonly #store: AnalysisStore
  readonly #outlines = new Map<string, Outline | undefined>()
  readonly #marks = new Map<string, { sketch: Uint16Array; gist: Float32Array }>()

  constructor(store: AnalysisStore) {
    this.#store = store
  }

  /** Whether two tracks are worth comparing. */
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
    const sketch = storedSketch(row?.sketch ?? new Uint8Array(0))
    const gist = gistOf(storedDescriptor(row?.descriptor ?? new Uint8Array(0)))
    this.#marks.set(trackId, { sketch, gist })
    return { sketch, gist }
  }

  async #outlineOf(trackId: string, signal: AbortSignal): Promise<Outline | undefined> {
    if (this.#outlines.has(trackId)) return this.#outlines.get(trackId)
    const stored = this.#store.document(trackId)
    const outline = stored ? await read(stored, signal) : undefined
    for (const oldest of this.#outlines.keys()) {
      if (this.#outlines.size < KEPT) break
      this.#outlines.delete(oldest)
    }
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
    // A damaged analysis is like none.
    return undefined
  }
}
