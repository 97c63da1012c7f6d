// What the search form asks, answered by song/search.
import { get } from './wire.mjs'

const PAGE = 100
/** Pages that are asked for at once, when the first was full. */
const ABREAST = 4
/** What song/search sorts by; by the rest of it the page sorts itself. */
const SORTED = new Set(['tempo', 'duration', 'loudness', 'energy', 'danceability', 'key'])

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
 * The tracks that match, in the order asked for, else as well as they match.
 *
 * @param {{ id: string, rows: object[] }} library
 * @param {string} sort - as `tempo-asc`
 * @param {AbortSignal} signal
 * @param {(ids: string[]) => void} first - told the first page, when there are more
 */
export async function search(library, asked, sort, signal, first) {
  const { words, min, max, style, mood } = asked
  const query = {
    min_tempo: min || undefined,
    max_tempo: max || undefined,
    style,
    mood,
    sort: SORTED.has(sort.split('-')[0]) ? sort : undefined,
    bucket: `id:${library.id}`,
    limit: true,
    results: PAGE,
  }
  const found = new Set(await all({ ...query, combined: words || undefined }, signal, first))
  for (const id of unfinished(library, asked)) found.add(id)
  if (found.size > 0 || words === '') return [...found]
  // No name has these words: a slip of the pen is forgiven where it is known which words are whose.
  const [artist, title] = words.split(/ [-–] /)
  return all({ ...query, artist, title }, signal, first)
}

/** The tracks of all pages, as ids. */
async function all(query, signal, first) {
  const ids = []
  for (let start = 0, pages = 1; ; start += pages * PAGE, pages = ABREAST) {
    const starts = Array.from({ length: pages }, (_, i) => start + i * PAGE)
    const ask = (at) => get('song/search', { ...query, start: at }, signal)
    const answers = await Promise.all(starts.map(ask))
    for (const { foreign_ids } of answers.flatMap(({ songs }) => songs)) {
      // CA…:song:<item id>, and an item's id is its track's.
      ids.push(...foreign_ids.map(({ foreign_id }) => foreign_id.split(':')[2]))
    }
    if (answers.at(-1).songs.length < PAGE) return ids
    if (start === 0 && !signal.aborted) first([...ids])
  }
}

/** song/search knows whole words; while the last one is being typed, its beginning counts here. */
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
