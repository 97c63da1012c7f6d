// Gives each beat a colour by its timbre, so that what sounds alike looks alike.

/** Of the twelve timbre coefficients: brightness, flatness and the strength of the attack. */
const LIGHT = 1
const ACROSS = [2, 3]
/** The largest chroma that screens show at all hues in the middle of the scale. */
const CHROMA = 0.14

/**
 * The first coefficient is loudness, which is drawn as height; the next three make a colour in OKLab,
 * where equal distances look equally far apart.
 *
 * @param {{ start: number, duration: number }[]} beats
 * @param {{ start: number, duration: number, timbre: number[] }[]} segments
 * @returns {number[][]} of each beat its lightness of 0…1 within what the page's ground allows, its
 *   chroma, and its hue in degrees
 */
export function coloursOf(beats, segments) {
  const sounds = timbresOf(beats, segments)
  const [light, a, b] = [LIGHT, ...ACROSS].map((k) => placesOf(sounds.map((sound) => sound[k])))
  return sounds.map((_, i) => {
    // A place of 0…1 in each direction; the middle is grey.
    const [x, y] = [2 * a[i] - 1, 2 * b[i] - 1]
    const hue = (Math.atan2(y, x) * 180) / Math.PI
    return [light[i], CHROMA * Math.min(1, 0.35 + Math.hypot(x, y)), (hue + 360) % 360].map(
      (value) => Number(value.toFixed(3)),
    )
  })
}

/** The mean timbre of each beat. */
function timbresOf(beats, segments) {
  let first = 0
  return beats.map(({ start, duration }) => {
    const end = start + duration
    while (segments[first + 1] && segments[first + 1].start <= start) first++
    const sum = new Float64Array(12)
    for (let i = first; i < segments.length && segments[i].start < end; i++) {
      const { start: from, duration: length, timbre } = segments[i]
      const share = Math.max(0, Math.min(end, from + length) - Math.max(start, from)) / duration
      for (let k = 0; k < 12; k++) sum[k] += share * timbre[k]
    }
    return sum
  })
}

/** Where each value lies between the outer twentieths of them all, 0…1. */
function placesOf(values) {
  const sorted = Float64Array.from(values).sort()
  const low = sorted[Math.floor(0.05 * (sorted.length - 1))]
  const size = sorted[Math.ceil(0.95 * (sorted.length - 1))] - low || 1
  return values.map((value) => Math.min(1, Math.max(0, (value - low) / size)))
}
