import { inTurns } from '../kernel/scheduler.ts'
import { equalOf } from '../recognition/systems/sketch.ts'
import type { AnalysisStore } from './analysis-store.ts'
import { type Agreement, agreementAt } from './outline-agreement.ts'
import { readDocument } from './read-document.ts'
import { Offsets, type Outline, outlining, PER_SECOND } from './recording-outline.ts'
import {
  gistOf,
  mayBeCopies,
  SHORTEST,
  SOUND_VERSION,
  storedDescriptor,
  storedSketch,
} from './sound-descriptors.ts'

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

/** What any two files of one recording have in common. See {@link Agreement} for the quantities. */
const SAME = Object.freeze({ overlap: SHORTEST, windows: 0.85, agreeing: 20 })
/**
 * Music with a beat: the onsets agree beyond chance, and the pitches closely. The same band with
 * another tune over the same chords has up to 0.24 of the codes, but pitches 0.14 apart or more.
 */
const BEAT = Object.freeze({ codes: 0.08, pitches: 0.1 })
/** Drums, whose pitches mean little: many onsets agree, and the sound closely. */
const DRUMS = Object.freeze({ codes: 0.18, timbre: 0.3, pitchesApart: 0.15 })
/** Chords and melodies without a beat: chroma agrees far beyond chance, and the pitches closely. */
const CHORDS = Object.freeze({ chroma: 0.3, pitches: 0.05 })

/** How far the best offset of the onsets may be from that of the chroma, seconds. */
const CHROMA_REACH = 0.15

/**
 * Whether two files hold the same recording, perhaps encoded differently or trimmed: at one offset,
 * all the way through, their sound agrees, and their onsets and pitches. Another performance or
 * another mix has other onsets; music made of the same loops has other timbres; another tune of the
 * same players has other pitches.
 *
 * Of 1,744 comparisons with copies (MP3, Vorbis, Opus and AAC at 24 to 128 kbit/s, some trimmed or
 * softer) it accepts 1,666, and 70 of 9,016 with other music, most of it alike: another tempo, key,
 * lead or tune; edits and excerpts. Most copies that it misses are MP3 at 32 kbit/s; most of the
 * others that it accepts are slow chords at another tempo.
 */
export function isSame(agreement: Agreement | undefined): boolean {
  if (!agreement) return false
  const { overlap, agreeing, codes, chroma, timbre, pitches, pitchesApart } = agreement
  const windows = Math.min(agreement.windows, agreement.soundWindows)
  if (overlap < SAME.overlap || agreeing < SAME.agreeing || windows < SAME.windows) return false
  return (
    (codes >= BEAT.codes && pitches <= BEAT.pitches) ||
    (codes >= DRUMS.codes && timbre <= DRUMS.timbre && pitchesApart <= DRUMS.pitchesApart) ||
    (chroma >= CHORDS.chroma && pitches <= CHORDS.pitches)
  )
}

/** Compares two recordings, in steps of a few milliseconds; `undefined` when no code agrees. */
export function* comparing(a: Outline, b: Outline): Generator<void, Agreement | undefined> {
  const onsets = yield* Offsets.comparing(a, b, 'codes')
  const best = onsets.best()
  const first = best === undefined ? undefined : yield* agreementAt(a, b, best / PER_SECOND.codes)
  if (isSame(first)) return first
  // Onsets of a loop agree at many offsets, and soft ones at a chance offset: chroma tells which.
  const rough = (yield* Offsets.comparing(a, b, 'chroma')).best()
  if (rough === undefined) return first
  const near = (rough / PER_SECOND.chroma) * PER_SECOND.codes
  const reach = CHROMA_REACH * PER_SECOND.codes
  const offset = (onsets.best(near - reach, near + reach) ?? near) / PER_SECOND.codes
  const second = yield* agreementAt(a, b, offset)
  return isSame(second) || !first ? second : first
}
