// What the search form asks, and the order of rows.
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
  const texts = ['words', 'min', 'max'].map((name) => [name, value(name) || undefined])
  const asked = { ...Object.fromEntries(texts), style: list('style'), mood: list('mood') }
  return Object.values(asked).some((one) => one?.length > 0) ? asked : undefined
}

/** The ids of the tracks that match, those that fit best first. */
export async function search(asked, signal) {
  return (await own(`search?${encoded(asked)}`, undefined, signal)).ids
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
