// Has the browser decode a file: whatever it can play, it can decode.
import { sampleRateOf } from './sample-rate.mjs'

const USUAL_RATE = 44_100

/**
 * @param {File} file
 * @returns {Promise<{ samples: Float32Array[], sampleRate: number, ownRate?: number }>} `ownRate` is
 *   undefined where the file's rate is not known: the browser resamples such a file if it must
 */
export async function decode(file) {
  const bytes = await file.arrayBuffer()
  const ownRate = sampleRateOf(new Uint8Array(bytes))
  // The browser resamples to the rate of the context, so that has to be the file's.
  const audio = await contextAt(ownRate ?? USUAL_RATE).decodeAudioData(bytes)
  const samples = Array.from({ length: audio.numberOfChannels }, (_, i) =>
    audio.getChannelData(i).slice(),
  )
  return { samples, sampleRate: audio.sampleRate, ownRate }
}

/** Browsers differ in the rates that they have. */
function contextAt(rate) {
  try {
    return new OfflineAudioContext(1, 1, rate)
  } catch {
    return new OfflineAudioContext(1, 1, USUAL_RATE)
  }
}
