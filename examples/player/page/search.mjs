// What the search form asks, answered by the search of songs.
import { encoded, own } from './wire.mjs'

/** What is wrong with the form, in words; `undefined` when nothing is. */
export function faultOf(form) {
  const { min, max } = form.elements
  const wrong = [min, max].find((field) => !field.validity.valid)
  if (wrong) return `${wrong.ariaLabel}: ${wrong.validationMessage}`
  const crossed = min.value !== '' && max.value !== '' && Number(min.value) > Number(max.value)
  return crossed ? 'The slowest tempo is above the fastest.' : undefined
}

/** What is asked; `undefined` when the form asks for nothing but an order. */
export function askedOf(form) {
  const value = (name) => form.elements[name].value.trim()
  const list = (name) =>
    value(name)
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean)
  const asked = {
    words: value('words'),
    min: value('min'),
    max: value('max'),
    style: list('style'),
    mood: list('mood'),
  }
  const anything = asked.words || asked.min || asked.max || asked.style.length || asked.mood.length
  return anything ? asked : undefined
}

/**
 * The ids of the tracks that match, those that match best first.
 *
 * @param {{ rows: object[] }} library
 * @param {AbortSignal} signal
 */
export async function search(library, asked, signal) {
  const { words, min, max, style, mood } = asked
  const query = { minTempo: min || undefined, maxTempo: max || undefined, style, mood }
  const ask = async (names) =>
    (await own(`search?${encoded({ ...query, ...names })}`, undefined, signal)).ids
  const found = new Set(await ask({ combined: words || undefined }))
  for (const id of unfinished(library, asked)) found.add(id)
  if (found.size > 0 || words === '') return [...found]
  // No name has these words: a slip of the pen is forgiven where it is known which words are whose.
  const [artist, title] = words.split(/ [-–] /)
  return ask({ artist, title })
}

/** The search knows whole words; while the last one is being typed, its beginning counts here. */
function unfinished({ rows }, { words, min, max, style, mood }) {
  if (words === '' || style.length > 0 || mood.length > 0) return []
  const pieces = folded(words).split(/\s+/)
  const [low, high] = [Number(min) || 0, Number(max) || Number.POSITIVE_INFINITY]
  return rows
    .filter(({ title, artist, tempo }) => {
      if (tempo < low || tempo > high) return false
      const names = ` ${folded(`${title} ${artist}`)}`
      return pieces.every((piece) => names.includes(` ${piece}`))
    })
    .map(({ id }) => id)
}

function folded(text) {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

const COLLATOR = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** Rows in an order; those of which the value is not known come last. */
export function sorted(rows, sort, opinionOf) {
  if (sort === '') return rows
  const [by, direction] = sort.split('-')
  const value = ({ id, ...row }) =>
    by === 'rating' || by === 'plays' ? opinionOf(id)[by] : row[by]
  const sign = direction === 'desc' ? -1 : 1
  const known = rows.map((row) => [value(row), row])
  const unknown = (one) => one === undefined || one === '' || one === 0 || (by === 'key' && one < 0)
  return known
    .sort(([a, x], [b, y]) => {
      if (unknown(a) || unknown(b)) return Number(unknown(a)) - Number(unknown(b))
      const order = typeof a === 'string' ? COLLATOR.compare(a, b) : a - b
      return sign * order || COLLATOR.compare(x.title, y.title)
    })
    .map(([, row]) => row)
}
