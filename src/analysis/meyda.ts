import meyda, { type MeydaWindowingFunction } from 'meyda'

/**
 * The settings of Meyda, of which the windows, the filter banks and the definitions of the extractors
 * are used here.
 *
 * Meyda keeps its settings, banks and last spectra on one module-wide object, rebuilds only some banks
 * when settings change, and takes 160 µs a frame. So it only makes tables, once for each rate and
 * size, from settings that are restored at once; it never sees the samples.
 */
interface Settings {
  bufferSize: number
  sampleRate: number
  melBands: number
  chromaBands: number
  windowingFunction: string
  numberOfMFCCCoefficients: number
  barkScale?: ArrayLike<number> | undefined
  melFilterBank?: readonly (readonly number[])[] | undefined
  chromaFilterBank?: readonly (readonly number[])[] | undefined
  extract(feature: 'rms', signal: Float32Array): unknown
}

/** Filter banks and scales for spectra of one sample rate and size. */
interface Banks {
  /** Bark number of each bin, of `size` bins (Zwicker's formula). */
  bark: Float32Array
  /** Triangles on the mel scale, bands × (size/2 + 1). */
  mel: readonly Float32Array[]
  /** Pitch classes from C, 12 × (size/2 + 1). */
  chroma: readonly Float32Array[]
}

const made = new Map<string, Banks>()

/** Meyda's banks for magnitude spectra of `size` samples at `sampleRate`. */
export function banks(sampleRate: number, size: number, melBands = 26): Banks {
  const name = `${sampleRate}/${size}/${melBands}`
  const known = made.get(name)
  if (known) return known
  const settings = meyda as unknown as Settings
  const before = { ...settings }
  try {
    Object.assign(settings, {
      bufferSize: size,
      sampleRate,
      melBands,
      chromaBands: 12,
      numberOfMFCCCoefficients: Math.min(13, melBands),
      windowingFunction: 'rect',
      barkScale: undefined,
      melFilterBank: undefined,
      chromaFilterBank: undefined,
    })
    settings.extract('rms', new Float32Array(size))
    const table: Banks = {
      bark: Float32Array.from(settings.barkScale ?? []),
      mel: (settings.melFilterBank ?? []).map((row) => Float32Array.from(row)),
      chroma: (settings.chromaFilterBank ?? []).map((row) => Float32Array.from(row)),
    }
    made.set(name, table)
    return table
  } finally {
    Object.assign(settings, before)
  }
}

/** One of Meyda's windows as a table of `size` weights. */
export function windowOf(name: MeydaWindowingFunction, size: number): Float64Array {
  return Float64Array.from(meyda.windowing(new Float32Array(size).fill(1), name) as number[])
}

/**
 * The first bin of each Bark band and the end of the last: the Bark range up to the Nyquist
 * frequency in `bands` equal parts, as Meyda's loudness extractor cuts it. Length `bands` + 1.
 */
export function barkLimits(sampleRate: number, size: number, bands = 24): Int32Array {
  const { bark } = banks(sampleRate, size)
  const bins = size / 2
  const top = bark[bins - 1]!
  const limits = new Int32Array(bands + 1)
  // Bins 0 and 1 hold a constant offset of the signal, through the window: no sound.
  limits[0] = 2
  let band = 1
  for (let bin = 0; bin < bins; bin++) {
    while (band < bands && bark[bin]! > (band * top) / bands) limits[band++] = bin
  }
  limits[bands] = bins - 1
  return limits
}
