// Elements made in code. Text goes in as text: what a tag says is never read as markup.

/**
 * `element('button', { class: 'quiet', hidden: true, onclick: act }, 'text', child)`: `undefined` and
 * `false` leave an attribute or a child out.
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) set(made, key, value)
  made.append(...children.filter((child) => child !== undefined && child !== false))
  return made
}

/** Sets an attribute: `false` and `undefined` take it away, `true` is the empty one. */
export function set(target, name, value) {
  if (typeof value === 'function') target.addEventListener(name.slice(2), value)
  else if (value === undefined || value === false) target.removeAttribute(name)
  else target.setAttribute(name, value === true ? '' : value)
}

/** A button with words on it. */
export function button(label, onclick, attributes = {}) {
  return element('button', { type: 'button', class: 'quiet', onclick, ...attributes }, label)
}

/** A button with a picture on it: `label` says what it does, and to what. */
export function iconButton(name, label, onclick, { of, ...attributes } = {}) {
  const named = { 'aria-label': of ? `${label}: ${of}` : label, title: label }
  return element(
    'button',
    { type: 'button', class: `icon ${name}`, onclick, ...named, ...attributes },
    icon(name),
  )
}

/** Puts new children in; the focus stays at its place among them, though the element is another. */
export function replace(box, ...children) {
  const path = []
  for (
    let one = document.activeElement;
    box.contains(one) && one !== box;
    one = one.parentElement
  ) {
    path.unshift([...one.parentElement.children].indexOf(one))
  }
  box.replaceChildren(...children)
  if (path.length === 0) return
  let one = box
  for (const place of path) one = one.children[Math.min(place, one.children.length - 1)] ?? one
  one.focus()
}

const SHAPES = {
  play: 'M7 4.5v15l12.5-7.5z',
  pause: 'M6.5 5h4v14h-4zM13.5 5h4v14h-4z',
  next: 'M5 5v14l10-7zM16 5h3v14h-3z',
  previous: 'M19 5v14L9 12zM5 5h3v14H5z',
  heart:
    'M12 20.5 4.6 13a4.9 4.9 0 0 1 0-7 4.9 4.9 0 0 1 7 0l.4.5.4-.5a4.9 4.9 0 0 1 7 0 4.9 4.9 0 0 1 0 7z',
  radio:
    'M12 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM8.6 7.2a6 6 0 0 0 0 9.6l1.2-1.6a4 4 0 0 1 0-6.4zM15.4 7.2l-1.2 1.6a4 4 0 0 1 0 6.4l1.2 1.6a6 6 0 0 0 0-9.6zM6.2 4a10 10 0 0 0 0 16l1.2-1.6a8 8 0 0 1 0-12.8zM17.8 4l-1.2 1.6a8 8 0 0 1 0 12.8l1.2 1.6a10 10 0 0 0 0-16z',
  dots: 'M5 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4zm7 0a2 2 0 1 0 0 4 2 2 0 0 0 0-4zm7 0a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  more: 'M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z',
  less: 'M5 11h14v2H5z',
  close:
    'm6.4 5 5.6 5.6L17.6 5 19 6.4 13.4 12l5.6 5.6-1.4 1.4-5.6-5.6L6.4 19 5 17.6l5.6-5.6L5 6.4z',
  shuffle:
    'M16 4l5 4-5 4V9h-1.5c-1 0-1.6.5-2.3 1.6L9 15.5C8 17 7 18 5 18H3v-2h2c1 0 1.6-.5 2.3-1.6l3.2-4.9C11.5 8 12.5 7 14.5 7H16zm0 8 5 4-5 4v-3h-1.500c-1.2 0-2-.4-2.7-1.100l1.2-1.800c.5.6.9.9 1.5.9H16zM3 7h2c1.3 0 2.2.5 2.9 1.200L6.7 10C6.2 9.3 5.7 9 5 9H3z',
  repeat: 'M7 6h9V3l5 4-5 4V8H8v4H5V8a2 2 0 0 1 2-2zm10 12H8v3l-5-4 5-4v3h8v-4h3v4a2 2 0 0 1-2 2z',
  flag: 'M6 3h12l-3 4.5 3 4.5H8v9H6z',
  list: 'M4 6h16v2H4zm0 5h16v2H4zm0 5h10v2H4z',
}

const made = new Map()

/** One of the small pictures on buttons; they say nothing that a label does not. */
export function icon(name) {
  const known = made.get(name) ?? drawn(SHAPES[name])
  made.set(name, known)
  return known.cloneNode(true)
}

function drawn(shape) {
  const space = 'http://www.w3.org/2000/svg'
  const picture = document.createElementNS(space, 'svg')
  set(picture, 'viewBox', '0 0 24 24')
  set(picture, 'aria-hidden', 'true')
  const path = document.createElementNS(space, 'path')
  set(path, 'd', shape)
  picture.append(path)
  return picture
}
