// Elements made in code. Text goes in as text: what a tag says is never read as markup.

/** `element('p', { class: 'note', hidden: true }, 'text', child)`; `undefined` leaves an attribute out. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) set(made, key, value)
  made.append(...children)
  return made
}

/** Sets an attribute: `false` and `undefined` take it away, `true` is the empty one. */
export function set(target, name, value) {
  if (value === undefined || value === false) target.removeAttribute(name)
  else target.setAttribute(name, value === true ? '' : value)
}

const SHAPES = {
  play: 'M7 4.5v15l12.5-7.5z',
  pause: 'M6.5 5h4v14h-4zM13.5 5h4v14h-4z',
  next: 'M5 5v14l10-7zM16 5h3v14h-3z',
  previous: 'M19 5v14L9 12zM5 5h3v14H5z',
  heart:
    'M12 20.5 4.6 13a4.9 4.9 0 0 1 0-7 4.9 4.9 0 0 1 7 0l.4.5.4-.5a4.9 4.9 0 0 1 7 0 4.9 4.9 0 0 1 0 7z',
  ban: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 2.2c1.5 0 2.9.5 4 1.3L6.5 16A6.8 6.8 0 0 1 12 5.2zm0 13.6c-1.5 0-2.9-.5-4-1.3L17.5 8A6.8 6.8 0 0 1 12 18.8z',
  similar:
    'M3 9.5c2.5-3.2 5.5-3.2 9 0s6.5 3.2 9 0v-2.8c-2.5 3.2-5.5 3.2-9 0s-6.5-3.2-9 0zm0 7.8c2.5-3.2 5.5-3.2 9 0s6.5 3.2 9 0v-2.8c-2.5 3.2-5.5 3.2-9 0s-6.5-3.2-9 0z',
  volume: 'M4 9v6h4l5 4.5v-15L8 9zm12-1.5v9a5 5 0 0 0 0-9z',
}

/** One of the small pictures on buttons; they say nothing that a label does not. */
export function icon(name) {
  const space = 'http://www.w3.org/2000/svg'
  const picture = document.createElementNS(space, 'svg')
  for (const [key, value] of [
    ['viewBox', '0 0 24 24'],
    ['aria-hidden', 'true'],
  ]) {
    picture.setAttribute(key, value)
  }
  const path = document.createElementNS(space, 'path')
  path.setAttribute('d', SHAPES[name])
  picture.append(path)
  return picture
}

/** A button that does something with a track: its label names both. */
export function trackButton(name, label, title, act, pressed, tabIndex = 0) {
  const attributes = {
    type: 'button',
    class: `icon ${name}`,
    tabindex: String(tabIndex),
    'aria-label': `${label}: ${title}`,
    'aria-pressed': pressed === undefined ? undefined : String(pressed),
    title: label,
  }
  const button = element('button', attributes, icon(name))
  button.addEventListener('click', act)
  return button
}
