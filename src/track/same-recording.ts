import { SHORTEST } from './likely-copies.ts'
import { type Agreement, agreementAt } from './outline-agreement.ts'
import { Offsets } from './outline-offsets.ts'
import { type Outline, PER_SECOND } from './recording-outline.ts'

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
