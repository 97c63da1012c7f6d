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
  return isKey(key) ? `${KEYS[mode][key]} ${mode === 1 ? 'major' : 'minor'}` : '–'
}

/** The key as DJs write it, its place on the Camelot wheel: 8A is A minor, 8B is C major. */
export function camelot({ key, mode }) {
  if (!isKey(key)) return ''
  // The wheel goes by fifths, each minor key beside its relative major.
  const major = mode === 1 ? key : key + 3
  return `${((major * 7 + 7) % 12) + 1}${mode === 1 ? 'B' : 'A'}`
}

const isKey = (key) => key >= 0 && key < 12

/** Beats per minute. */
export function beats(tempo) {
  return tempo > 0 ? tempo.toFixed(tempo < 100 ? 1 : 0) : '–'
}

/** Seconds as one says them: 40 seconds, 12 minutes, 3 hours. */
export function lasting(seconds) {
  if (seconds < 90) return count(Math.max(1, Math.round(seconds)), 'second')
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? count(minutes, 'minute') : count(Math.round(minutes / 60), 'hour')
}

/** 1 track, 2 tracks. */
export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`
}

/** A name beside other words: it may run from right to left. */
export const isolated = (name) => `\u2068${name}\u2069`

/** 7 → 3½ stars: a rating of 0 to 10 in stars. */
export function stars(rating) {
  if (rating === undefined) return 'not rated'
  const whole = Math.floor(rating / 2)
  return `${rating % 2 ? `${whole || ''}½` : whole} ${rating === 2 ? 'star' : 'stars'}`
}

/** Why a track follows in a radio, in words; `figuresOf` has the numbers behind them. */
export function reasonsOf({ fromLast, fromSeeds, keyRelation, tempoRatio }) {
  const words = []
  if (fromLast !== null) words.push(`${nearness(fromLast)} the track before`)
  if (fromSeeds !== null && (fromLast === null || fromSeeds < CLOSE)) {
    words.push(`${nearness(fromSeeds)} what you asked for`)
  }
  if (KEY_WORDS[keyRelation]) words.push(KEY_WORDS[keyRelation])
  if (tempoRatio !== null) {
    const percent = Math.round((tempoRatio - 1) * 100)
    const change = `${Math.abs(percent)} % ${percent > 0 ? 'faster' : 'slower'}`
    words.push(Math.abs(percent) <= 1 ? 'same tempo' : change)
  }
  return words.join(', ')
}

/** Distances of two sounds: neighbours are 3 to 6 apart, tracks of assorted music 10. */
const [SAME, CLOSE, FAR] = [3, 6, 9]

const nearness = (distance) =>
  distance < SAME
    ? 'sounds much like'
    : distance < CLOSE
      ? 'sounds like'
      : distance < FAR
        ? 'sounds a little like'
        : 'unlike'

const KEY_WORDS = {
  same: 'same key',
  relative: 'related key',
  'fifth-up': 'neighbouring key',
  'fifth-down': 'neighbouring key',
  clash: 'another key',
}

/** The numbers of a step. */
export function figuresOf({ fromLast, fromSeeds, tempoRatio, passedOver }) {
  const passed = Object.entries(passedOver).map(([rule, many]) => `${rule} ${many}`)
  return [
    fromLast !== null && `distance from the track before ${fromLast.toFixed(1)}`,
    fromSeeds !== null && `from what was asked for ${fromSeeds.toFixed(1)}`,
    tempoRatio !== null && `tempo × ${tempoRatio.toFixed(2)}`,
    passed.length > 0 && `passed over: ${passed.join(', ')}`,
  ]
    .filter(Boolean)
    .join('; ')
}
