import { type Network, SCORES } from './activation/network.ts'
import type { RhythmSpectrum } from './novelty.ts'
import { LEAST } from './rhythm-sureness.ts'
import type { Heard } from './tempo-choice.ts'
import { usualTempo } from './usual-tempo.ts'

/**
 * How many times as fast the network hears a track besides. A period of the frame grid has a whole number of
 * frames at each of them, so that the frames of these lie at the same places of the music, too.
 */
export const SPEEDS = [5 / 6, 5 / 4] as const

/** What the network hears of a track. */
export interface Hearing {
  /** At its own speed: it tells where beats are. */
  own: Heard
  /** The mean over all speeds: it tells which tempo is that of the beats. */
  mean: Heard
}

/**
 * The odds that a network gives to each frame, and the usual tempo of such music.
 *
 * The track is heard three times: as it is, slower and faster. What is a beat does not depend on the speed of
 * a recording, but what the network has learnt of tempi does: the mean of the three says more of the music, and
 * less of what is usual at one tempo.
 */
export function heardOf(spectrum: RhythmSpectrum, network: Network): Hearing {
  const { fps, frames } = spectrum
  const { means, ...odds } = oddsOf(spectrum, network)
  const own = { fps, ...odds, usual: usualTempo(means) }
  const mean = { ...own, beat: own.beat.slice(), down: own.down.slice() }
  for (const speed of SPEEDS) {
    const { first, spectrum: version } = atSpeed(spectrum, speed)
    const { beat, down } = oddsOf(version, network)
    for (let frame = 0; frame < frames; frame++) {
      const at = (frame + spectrum.phase) / speed - first
      mean.beat[frame]! += valueAt(beat, at)
      mean.down[frame]! += valueAt(down, at)
    }
  }
  const share = 1 / (1 + SPEEDS.length)
  for (const odds of [mean.beat, mean.down])
    for (let frame = 0; frame < frames; frame++) odds[frame]! *= share
  return { own, mean }
}

/** The odds of a beat and of a downbeat at each frame, in nats, and the means of `Network.hear`. */
function oddsOf(
  spectrum: RhythmSpectrum,
  network: Network,
): { beat: Float32Array; down: Float32Array; means: Float64Array } {
  const { frames } = spectrum
  const { scores, means } = network.hear(spectrum)
  const beat = new Float32Array(frames)
  const down = new Float32Array(frames)
  for (let frame = 0; frame < frames; frame++) {
    const at = frame * SCORES.count
    const none = scores[at + SCORES.none]!
    beat[frame] = Math.max(LEAST, scores[at + SCORES.beat]! - none)
    down[frame] = Math.max(LEAST, scores[at + SCORES.down]! - none)
  }
  return { beat, down, means }
}

/** The same music so many times as fast; its first frame is the grid's `first`. */
export function atSpeed(
  { fps, frames, bands, levels, phase }: RhythmSpectrum,
  speed: number,
): { first: number; spectrum: RhythmSpectrum } {
  const first = Math.ceil(phase / speed)
  const count = Math.max(0, Math.floor((phase + frames - 1) / speed) - first + 1)
  const out = new Uint8Array(count * bands)
  for (let i = 0; i < count; i++) {
    const place = Math.min(frames - 1, Math.max(0, (first + i) * speed - phase))
    const low = Math.floor(place)
    const part = place - low
    const [from, next] = [low * bands, Math.min(low + 1, frames - 1) * bands]
    for (let band = 0; band < bands; band++) {
      const level = levels[from + band]!
      out[i * bands + band] = Math.round(level + part * (levels[next + band]! - level))
    }
  }
  return { first, spectrum: { fps, frames: count, bands, levels: out, phase: first } }
}

/** The value between two frames; at the ends that of the last one. */
function valueAt(values: Float32Array, at: number): number {
  const place = Math.min(values.length - 1, Math.max(0, at))
  const low = Math.floor(place)
  const value = values[low] ?? LEAST
  return value + (place - low) * ((values[low + 1] ?? value) - value)
}
