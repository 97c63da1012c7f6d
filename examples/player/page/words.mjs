// Figures as people read them.

/** The names of the keys by mode, spelt as audile's keyName() spells them. */
const KEYS = [
  ['C', 'C#', 'D', 'Eb', 'E', 'F', 'F#', 'G', 'G#', 'A', 'Bb', 'B'],
  ['C', 'Db', 'D', 'Eb', 'E', 'F', 'F#', 'G', 'Ab', 'A', 'Bb', 'B'],
]

/** 93.4 → 1:33 */
export function clock(seconds) {
  if (!Number.isFinite(seconds)) return '–'
  const whole = Math.floor(Math.max(0, seconds))
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const rest = String(whole % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}

/** The key as musicians write it, “A minor”; “–” where there is none. */
export function keyName({ key, mode }) {
  return key >= 0 && key < 12 ? `${KEYS[mode][key]} ${mode === 1 ? 'major' : 'minor'}` : '–'
}

/** The key where there is little room: “Am”. */
export function shortKey({ key, mode }) {
  return key >= 0 && key < 12 ? `${KEYS[mode][key]}${mode === 1 ? '' : 'm'}` : ''
}

/** Beats per minute. */
export function beats(tempo) {
  return tempo > 0 ? tempo.toFixed(tempo < 100 ? 1 : 0) : '–'
}

/** 1 track, 2 tracks. */
export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`
}

/** 7 → 3½ stars: a rating of 0 to 10 in stars. */
export function stars(rating) {
  if (rating === undefined) return 'not rated'
  const whole = Math.floor(rating / 2)
  return `${rating % 2 ? `${whole || ''}½` : whole} ${rating === 2 ? 'star' : 'stars'}`
}
