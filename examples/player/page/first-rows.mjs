// The table with its first rows: shown before the modules of the other parts of the page are there.
import { Grid } from './grid.mjs'
import { Library } from './library.mjs'
import { viewOf } from './views.mjs'
import { own } from './wire.mjs'

/** @type {import('./cells.mjs').Doings} what can be done with a row, once app.mjs has set it */
export const doings = { opinionOf: () => ({}) }
for (const name of ['play', 'rate', 'favorite', 'radio', 'menu', 'sort']) {
  doings[name] = (...given) => others.then(() => doings[name](...given))
}
export const library = new Library((ids) => grid.refresh(ids))
export const grid = new Grid(document.getElementById('grid'), library, doings)

/** The page asks for it before its modules are there. */
export const first = own('first')

const others = first
  .then(({ ids, rows }) => {
    if (viewOf(location.hash).name !== 'songs') return
    library.take(rows)
    grid.show(ids)
    return painted()
  })
  // app.mjs tells what went wrong.
  .catch(() => {})
  .then(() => import('./app.mjs'))

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
