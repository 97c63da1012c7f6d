import { CALIBRATION } from './calibration.ts'
import { type Hearing, PATCH_SECONDS, probabilityOf } from './hearing.ts'

/** A stretch of audio in which something is heard. */
export interface SoundStretch {
  /** Seconds from the beginning. */
  start: number
  /** Seconds. */
  duration: number
  /** 0…1: how sure it is, on average. */
  confidence: number
}

/** What is told of each patch, in the order in which it is packed. */
const TRACKS = ['voice', 'speech', 'applause'] as const
/** The confidence from which on a stretch is told, and that which an open one may not fall below. */
const STRETCH = { open: 0.5, hold: 0.35 }
/** Seconds of the shortest stretch, and of the longest gap inside of one. */
const SHORTEST = 1
const GAP = 1

/** Where something is heard, in order. */
export interface Timeline {
  /** Where someone sings, raps or speaks. */
  voice: SoundStretch[]
  /** Where someone speaks rather than sings; a part of `voice`. */
  speech: SoundStretch[]
  /** Where an audience claps or cheers. */
  applause: SoundStretch[]
}

/** The confidences of all patches, 0 to 255: those of voice, of speech, then of applause. */
export function packedMoments({ moments, every }: Hearing): Uint8Array {
  const patches = moments.singing.length
  const packed = new Uint8Array(TRACKS.length * patches)
  const { voice, speech, applause } = CALIBRATION
  const isDense = every === 1
  const sung = isDense ? smoothed(moments.singing) : moments.singing
  const spoken = isDense ? smoothed(moments.speech) : moments.speech
  const put = (track: number, i: number, score: number) => {
    packed[track * patches + i] = Math.round(255 * probabilityOf(score))
  }
  for (let i = 0; i < patches; i++) {
    put(0, i, voice.singing * sung[i]! + voice.speech * spoken[i]! + voice.shift)
    // Where the music stops, as for applause, little is heard of it and nobody need speak.
    const overMusic = speech.over * (spoken[i]! - moments.music[i]!)
    put(1, i, Math.min(overMusic, speech.scale * spoken[i]! + speech.shift))
    put(2, i, applause.scale * moments.applause[i]! + applause.shift)
    // Who speaks is a voice, however little of it is sung.
    packed[i] = Math.max(packed[i]!, packed[patches + i]!)
  }
  return packed
}

/** A quarter of each neighbour, and half of the value. */
function smoothed(values: Float32Array): Float32Array {
  return values.map((value, i) => {
    const before = values[i - 1] ?? value
    return (before + 2 * value + (values[i + 1] ?? value)) / 4
  })
}

/**
 * The stretches of a packed timeline.
 *
 * @param every - patches from one that was heard to the next
 * @param duration - of the audio, seconds
 */
export function timelineOf(packed: Uint8Array, every: number, duration: number): Timeline {
  const patches = packed.length / TRACKS.length
  const step = every * PATCH_SECONDS
  const stretches = TRACKS.map((_, i) =>
    stretchesOf(packed.subarray(i * patches, (i + 1) * patches), step, duration),
  )
  return { voice: stretches[0]!, speech: stretches[1]!, applause: stretches[2]! }
}

/** The share of the patches in which a voice is heard. */
export function voiceShare(packed: Uint8Array): number {
  const patches = packed.length / TRACKS.length
  if (patches === 0) return 0
  return packed.subarray(0, patches).filter((value) => value >= 255 * STRETCH.open).length / patches
}

function stretchesOf(values: Uint8Array, step: number, duration: number): SoundStretch[] {
  const stretches: (SoundStretch & { patches: number })[] = []
  for (let i = 0; i < values.length; i++) {
    const confidence = values[i]! / 255
    const last = stretches.at(-1)
    const start = i * step
    const gap = last ? start - (last.start + last.duration) : Number.POSITIVE_INFINITY
    const isOpen = confidence >= STRETCH.open || (gap <= 0 && confidence >= STRETCH.hold)
    if (!isOpen) continue
    if (last && gap <= GAP) {
      last.duration = start + step - last.start
      last.confidence += confidence
      last.patches++
    } else stretches.push({ start, duration: step, confidence, patches: 1 })
  }
  return stretches
    .map(({ start, confidence, patches, ...stretch }) => ({
      start: rounded(start),
      duration: rounded(Math.min(stretch.duration, duration - start)),
      confidence: Number((confidence / patches).toFixed(2)),
    }))
    .filter((stretch) => stretch.duration >= Math.min(SHORTEST, step / 2))
}

function rounded(seconds: number): number {
  return Number(seconds.toFixed(3))
}
