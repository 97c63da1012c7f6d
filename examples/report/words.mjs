// Says keys, times and the like as people write them.

const KEYS = ['C', 'C♯', 'D', 'E♭', 'E', 'F', 'F♯', 'G', 'A♭', 'A', 'B♭', 'B']

export function keyName(key, mode) {
  return key >= 0 ? `${KEYS[key]} ${mode === 1 ? 'major' : 'minor'}` : 'no key'
}

export function pitchName(key) {
  return KEYS[key]
}

/** 0:07, 3:25, 1:02:03 */
export function clock(seconds) {
  const s = Math.round(seconds)
  const pad = (n) => String(n).padStart(2, '0')
  const hours = Math.floor(s / 3600)
  const minutes = Math.floor(s / 60) % 60
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(s % 60)}` : `${minutes}:${pad(s % 60)}`
}

/** A number with a real minus sign. */
export function decimals(value, digits = 1) {
  return value.toFixed(digits).replace('-', '−')
}

export function percent(share) {
  return `${Math.round(100 * share)} %`
}
