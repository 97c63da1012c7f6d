import { DESCRIPTOR, DESCRIPTOR_LENGTH, describingSound, PARTS } from '../analysis/descriptor.ts'
import type { Host } from '../kernel/host.ts'
import { inTurns, pause } from '../kernel/scheduler.ts'
import { performance } from '../kernel/timers.ts'
import {
  type Equal,
  LIKELY,
  POSSIBLE,
  SKETCH_VERSION,
  sketching,
} from '../recognition/systems/sketch.ts'
import type { AnalysisStore } from './analysis-store.ts'
import { readDocument } from './read-document.ts'

/** Descriptors and sketches are comparable within one version only. */
export const SOUND_VERSION = `${DESCRIPTOR.version}.${SKETCH_VERSION}`

/** The numbers of a stored sketch; a copy, as a blob need not be aligned. */
export function storedSketch(sketch: Uint8Array): Uint16Array {
  return new Uint16Array(new Uint8Array(sketch).buffer)
}

/** The numbers of a stored descriptor. */
export function storedDescriptor(descriptor: Uint8Array): Float32Array {
  return new Float32Array(new Uint8Array(descriptor).buffer)
}

/** Rows read at a time. */
const PAGE = 500

/**
 * Stores the descriptors and sketches of tracks that an older version analysed, from their stored
 * analyses: about 20 ms each.
 *
 * @param until - time on the clock of `performance.now()` at which to stop; another call goes on
 * @returns whether no track is left
 * @throws the signal's reason when it aborts before the end; what is stored stays
 */
export async function addMissingSounds(
  { analyses: store, host }: { analyses: AnalysisStore; host: Host },
  signal: AbortSignal,
  until = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  if (store.countSounds(SOUND_VERSION).count === store.countAnalyses()) return true
  for (let after = ''; ; ) {
    const page = store.analyzedAfter({ trackId: after, version: SOUND_VERSION, results: PAGE })
    for (const { trackId, sounds } of page) {
      if (sounds === 1) continue
      if (performance.now() >= until) return false
      const stored = store.document(trackId)
      if (!stored) continue
      try {
        const document = await readDocument(stored, signal)
        store.setSound(trackId, SOUND_VERSION, {
          descriptor: await inTurns(describingSound(document), signal),
          sketch: await inTurns(sketching(document.track), signal),
        })
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof Error && error.name === 'SqliteError') throw error
        host.log('warn', `The stored analysis of ${trackId} is damaged.`, error)
      }
    }
    await pause(signal)
    const last = page.at(-1)
    if (!last || page.length < PAGE) return true
    after = last.trackId
  }
}

/** The shorter of two copies lasts at least this share of the longer: it is trimmed, not an excerpt. */
export const SHORTEST = 2 / 3

/** Without the level, the first coefficient: copies may be louder. */
const TIMBRES = PARTS.timbre + 1
const TIMBRE_COUNT = 11
const DENSITY_COUNT = PARTS.tempo - PARTS.density

/** Numbers of a gist. */
export const GIST_LENGTH = TIMBRE_COUNT + DENSITY_COUNT

/**
 * How far the gists of copies may be apart. Most copies are apart by a quarter of it; a few in a
 * thousand pairs of other tracks by less than it.
 */
const APART = Object.freeze({ timbre: 20, density: 1 })

/** The part of a descriptor that shows quickly whether tracks sound alike: mean timbre, onset density. */
export function gistOf(descriptor: Float32Array): Float32Array {
  const gist = new Float32Array(GIST_LENGTH)
  if (descriptor.length < DESCRIPTOR_LENGTH) return gist
  gist.set(descriptor.subarray(TIMBRES, TIMBRES + TIMBRE_COUNT))
  gist.set(descriptor.subarray(PARTS.density, PARTS.density + DENSITY_COUNT), TIMBRE_COUNT)
  return gist
}

/**
 * Whether two tracks are worth comparing: their sketches have much in common, or they have something
 * in common and the tracks sound alike.
 *
 * @param one - holds the first track's gist, from `i` on
 * @param other - holds the second track's gist, from `j` on
 */
export function mayBeCopies(
  equal: Equal,
  one: Float32Array,
  i: number,
  other: Float32Array,
  j: number,
): boolean {
  if (equal.chroma >= LIKELY.chroma || equal.echoprint >= LIKELY.echoprint) return true
  if (equal.chroma < POSSIBLE.chroma && equal.echoprint < POSSIBLE.echoprint) return false
  return (
    apart(one, i, other, j, TIMBRE_COUNT) <= APART.timbre &&
    apart(one, i + TIMBRE_COUNT, other, j + TIMBRE_COUNT, DENSITY_COUNT) <= APART.density
  )
}

function apart(one: Float32Array, i: number, other: Float32Array, j: number, count: number) {
  let sum = 0
  for (let k = 0; k < count; k++) sum += (one[i + k]! - other[j + k]!) ** 2
  return Math.sqrt(sum)
}
