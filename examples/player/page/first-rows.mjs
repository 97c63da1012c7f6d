// The table with its first rows: shown before the modules of the other parts of the page are there.
import { Grid } from './grid.mjs'
import { Library } from './library.mjs'

/** @type {import('./cells.mjs').Doings} what can be done with a row, once app.mjs has set it */
export const doings = { opinionOf: () => ({}) }
for (const name of ['play', 'rate', 'favorite', 'radio', 'menu', 'sort']) {
  doings[name] = (...given) => others.then(() => doings[name](...given))
}
export const library = new Library((ids) => grid.refresh(ids))
export const grid = new Grid(document.getElementById('grid'), library, doings)

/** They come with the page itself; `null` where they could not be read. */
export const first = JSON.parse(document.getElementById('first').textContent)

if (first && ['', '#songs'].includes(location.hash)) {
  library.take(first.rows)
  grid.show(first.ids)
}
const others = painted().then(() => import('./app.mjs'))

// Keys that came too early are pressed again.
const early = []
const keep = (event) => event.defaultPrevented || early.push(event)
addEventListener('keydown', keep)
others.then(() => {
  removeEventListener('keydown', keep)
  for (const event of early)
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', event))
})

/** The next frame is painted, or will not be, as in a tab that nobody sees. */
function painted() {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, 100)
  })
}
