// What the search form asks.

/** What is wrong with the form, in words; `undefined` when nothing is. */
export function faultOf(form) {
  const { min, max } = form.elements
  const wrong = [min, max].find((field) => !field.validity.valid)
  if (wrong) return `${wrong.ariaLabel}: ${wrong.validationMessage}`
  const crossed = min.value !== '' && max.value !== '' && Number(min.value) > Number(max.value)
  return crossed ? 'The slowest tempo is above the fastest.' : undefined
}

/** What is asked, but for the order; `undefined` when nothing is. */
export function askedOf(form) {
  const names = ['words', 'min', 'max', 'genre', 'mood']
  const pairs = names.map((name) => [name, form.elements[name].value.trim()])
  const asked = pairs.filter(([, value]) => value !== '')
  return asked.length > 0 ? Object.fromEntries(asked) : undefined
}

/** The orders that the page makes itself, by what was said of the tracks; `undefined` for others. */
export function byOpinion(ids, sort, opinionOf) {
  const [by, direction] = sort.split('-')
  if (by !== 'rating' && by !== 'plays') return undefined
  const sign = direction === 'desc' ? -1 : 1
  const known = ids.filter((id) => opinionOf(id)[by] > 0)
  const rest = ids.filter((id) => !(opinionOf(id)[by] > 0))
  return [...known.sort((a, b) => sign * (opinionOf(a)[by] - opinionOf(b)[by])), ...rest]
}
