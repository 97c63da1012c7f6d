// Writes HTML from templates in which every value is escaped, unless it is markup itself.

class Markup {
  constructor(text) {
    this.text = text
  }
  toString() {
    return this.text
  }
}

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** A template tag: text is escaped, lists are joined, `undefined`, `null` and `false` leave nothing. */
export function html(strings, ...values) {
  return new Markup(
    strings.map((text, i) => text + (i < values.length ? show(values[i]) : '')).join(''),
  )
}

/** Text that is markup already: a style sheet or a script of our own. */
export function markup(text) {
  return new Markup(text)
}

/** A value for a `<script type="application/json">`: nothing in it can end the script. */
export function json(value) {
  return new Markup(JSON.stringify(value).replaceAll('<', '\\u003c'))
}

function show(value) {
  if (value instanceof Markup) return value.text
  if (Array.isArray(value)) return value.map(show).join('')
  if (value === undefined || value === null || value === false) return ''
  return String(value).replace(/[&<>"']/g, (c) => ENTITIES[c])
}
