import meyda, { type MeydaWindowingFunction } from 'meyda'

const windows = new Map<string, Float64Array>()

/** One of Meyda's windows: always the same array. */
export function windowOf(name: MeydaWindowingFunction, size: number): Float64Array {
  const key = `${name} ${size}`
  const cachedWindow = windows.get(key)
  if (cachedWindow !== undefined) return cachedWindow
  const ones = new Float32Array(size).fill(1)
  const window = Float64Array.from(meyda.windowing(ones, name) as number[])
  windows.set(key, window)
  return window
}

/**
 * The first bin of each Bark band and the end of the last, as Meyda's loudness extractor cuts them.
 */
export function barkLimits(sampleRate: number, size: number, bands: number): Int32Array {
  const bins = size / 2
  // Zwicker's formula, rounded as Meyda rounds it.
  const bark = Float32Array.from({ length: bins }, (_, bin) => {
    const hertz = Math.fround((bin * sampleRate) / size)
    return 13 * Math.atan(hertz / 1315.8) + 3.5 * Math.atan((hertz / 7518) ** 2)
  })
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
