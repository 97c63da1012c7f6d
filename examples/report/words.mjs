// Says keys, times and the like as people write them.

/** The names of the keys by mode, spelt as audile's keyName() spells them. */
const KEYS = [
  ['C', 'C#', 'D', 'Eb', 'E', 'F', 'F#', 'G', 'G#', 'A', 'Bb', 'B'],
  ['C', 'Db', 'D', 'Eb', 'E', 'F', 'F#', 'G', 'Ab', 'A', 'Bb', 'B'],
]

export function keyName(key, mode) {
  return key >= 0 ? `${KEYS[mode][key]} ${mode === 1 ? 'major' : 'minor'}` : 'no key'
}

export function pitchName(key, mode = 1) {
  return KEYS[mode][key]
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
  if (value == null) return '–'
  return value.toFixed(digits).replace('-', '−')
}

export function percent(share) {
  return `${Math.round(100 * share)} %`
}
