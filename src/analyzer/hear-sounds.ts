import { SoundListener } from '../sounds/hearing.ts'
import type { SoundNetwork } from '../sounds/sound-network.ts'
import { packedMoments, type Timeline, timelineOf } from '../sounds/timeline.ts'
import { type HeardSummary, type Instrument, instrumentsOf, summaryOf } from '../sounds/whole.ts'
import { invalidParameter } from '../values/errors.ts'

/** Audio in memory, for {@link hearSounds}. */
export interface HearInput {
  /** A Float32Array for each channel, equally long, full scale ±1. */
  samples: Float32Array[]
  /** Hz, a whole number of 1,000…768,000. */
  sampleRate: number
  /** The network; see {@link openSoundNetwork}. */
  network: SoundNetwork
}

/** What is heard in audio. */
export interface HeardSounds extends Timeline {
  /** Instruments and families of instruments, the surest first; none that is not sure. */
  instruments: Instrument[]
  /** The values of the whole, 0…1, as the audio summary has them. */
  summary: HeardSummary
}

/**
 * Hears voices, applause and instruments in audio that is in memory, in Node, a browser or a worker.
 * It is synchronous, takes about half a second for a minute, and blocks the thread. It gives what
 * `track.sounds()` gives.
 *
 * @throws {ParameterError} when there is no sample, or lengths or the rate are invalid
 *
 * @example
 * ```ts
 * import { hearSounds, openSoundNetwork } from 'audile/analysis'
 *
 * const response = await fetch('/yamnet_spectra_in.tflite')
 * const network = await openSoundNetwork(new Uint8Array(await response.arrayBuffer()))
 * const { voice, summary } = hearSounds({ samples: [left, right], sampleRate: 44100, network })
 * console.log(summary.instrumentalness, voice.length)
 * ```
 */
export function hearSounds({ samples, sampleRate, network }: HearInput): HeardSounds {
  const length = samples[0]?.length ?? 0
  if (length === 0 || samples.some((channel) => channel.length !== length))
    throw invalidParameter('samples', 'give a Float32Array for each channel, equally long.')
  if (!Number.isSafeInteger(sampleRate) || sampleRate < 1_000 || sampleRate > 768_000)
    throw invalidParameter('sampleRate', 'give a whole number of hertz, 1000 to 768000.')
  const listener = new SoundListener(network, sampleRate, 1)
  listener.push(samples)
  const hearing = listener.finish()
  const packed = packedMoments(hearing)
  return {
    ...timelineOf(packed, hearing.every, length / sampleRate),
    instruments: instrumentsOf(hearing),
    summary: summaryOf(hearing, packed),
  }
}
