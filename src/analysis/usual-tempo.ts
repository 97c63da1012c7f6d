import { fromBase64 } from '../base64.ts'
import { TEMPO_HEAD } from './tempo-head.ts'

/** Bounds of the usual tempo, BPM. Nothing that sounds fast is held to be faster than music at large. */
export const USUAL_TEMPO = Object.freeze({ slowest: 45, fastest: 110 })

let weights: Float32Array | undefined

/**
 * The tempo that is usual of music that sounds like this, in BPM: where beats of 65 and of 130 BPM are as
 * likely, a ballad's are slow. It is read from what the network's layers pass on, averaged over the
 * track, as the tempo of Böck, Davies & Knees (ISMIR 2019) is; a line through these numbers instead of
 * their classes of tempi, as only the level is asked for.
 *
 * @param means  of `Network.hear`
 */
export function usualTempo(means: ArrayLike<number>): number {
  weights ??= new Float32Array(fromBase64(TEMPO_HEAD.weights).buffer)
  return tempoWithin(weights.reduce((sum, weight, i) => sum + weight * means[i]!, TEMPO_HEAD.bias))
}

/** A tempo in BPM, within {@link USUAL_TEMPO}, of its octaves above one beat a minute. */
export function tempoWithin(octaves: number): number {
  const { slowest, fastest } = USUAL_TEMPO
  return Math.min(fastest, Math.max(slowest, 2 ** octaves))
}
