import { type BandSums, SpectrumStream } from '../audio/spectra/spectrum-stream.ts'
import { PATCH } from './read-network.ts'

/** Hz. The rate at which sounds are named. */
export const SOUND_RATE = 16_000
/** Samples from one frame to the next, and of one frame. */
const HOP = 160
const FRAME = 400
const TRANSFORM = 512
/** Samples of a patch with all of its last frame, and from one patch to the next. */
export const PATCH_SAMPLES = (PATCH.frames - 1) * HOP + FRAME
export const PATCH_HOP = PATCH.frames * HOP

/** Hz, the ends of the bands. */
const RANGE = { low: 125, high: 7_500 }
/** The least sum of magnitudes. */
const FLOOR = 0.001

/** Of a frame that begins `HOP` samples before the centre of its transform. */
const WINDOW = Float64Array.from({ length: TRANSFORM }, (_, i) => {
  const place = i - (TRANSFORM / 2 - HOP)
  const isInside = place >= 0 && place < FRAME
  return isInside ? 0.5 - 0.5 * Math.cos((2 * Math.PI * place) / FRAME) : 0
})

const BANDS = melBands()

/**
 * The levels of a patch that a network of YAMNet's kind hears: sums of magnitudes in {@link PATCH}
 * bands of the mel scale (HTK), as natural logarithms.
 *
 * @param samples - {@link PATCH_SAMPLES} at {@link SOUND_RATE}; silence follows fewer
 */
export function patchOf(samples: Float32Array): Float32Array {
  const patch = new Float32Array(PATCH.frames * PATCH.bands)
  let frame = -1
  const take = (_: Float32Array, [sums]: readonly Float64Array[]) => {
    // The first frame is centred at the first sample, half of it before.
    if (frame >= 0 && frame < PATCH.frames)
      for (let band = 0; band < PATCH.bands; band++)
        patch[frame * PATCH.bands + band] = Math.log(sums![band]! + FLOOR)
    frame++
  }
  const spectra = new SpectrumStream(WINDOW, HOP, take, [BANDS])
  spectra.push(samples)
  spectra.finish(Math.max(0, PATCH.frames + 1 - Math.ceil(samples.length / HOP)))
  return patch
}

function melBands(): BandSums {
  const mel = (hertz: number) => 1127 * Math.log(1 + hertz / 700)
  const [low, high] = [mel(RANGE.low), mel(RANGE.high)]
  const edgeOf = (i: number) => low + ((high - low) * i) / (PATCH.bands + 1)
  const places = Array.from({ length: TRANSFORM / 2 + 1 }, (_, bin) =>
    mel((bin * SOUND_RATE) / TRANSFORM),
  )
  const bands: number[] = []
  const weights: number[] = []
  for (let band = 0; band < PATCH.bands; band++) {
    const [from, peak, to] = [edgeOf(band), edgeOf(band + 1), edgeOf(band + 2)]
    const rises = places.map((place) =>
      Math.max(0, Math.min((place - from) / (peak - from), (to - place) / (to - peak))),
    )
    const first = rises.findIndex((rise) => rise > 0)
    const own = rises.filter((rise) => rise > 0)
    bands.push(Math.max(0, first), own.length)
    weights.push(...own)
  }
  return { squared: false, bands: Uint32Array.from(bands), weights: Float64Array.from(weights) }
}
