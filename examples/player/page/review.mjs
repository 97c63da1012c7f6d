// What wants a look: recordings that are there twice, and tracks whose files are gone.
import { button, element } from './element.mjs'
import { own } from './wire.mjs'
import { clock, count, isolated } from './words.mjs'

/**
 * @param {HTMLElement} box
 * @param {object} doings
 * @param {(id: string, ids: string[]) => void} doings.play
 * @param {(id: string) => void} doings.ban
 * @param {(id: string) => boolean} doings.banned
 * @param {(error: Error) => void} doings.failed
 */
export async function drawReview(box, doings) {
  box.replaceChildren(element('p', {}, 'Comparing the tracks …'))
  const [{ groups }, missing] = await Promise.all([own('duplicates'), own('missing')])
  const none = groups.length === 0 ? [element('p', {}, 'Every recording is there once.')] : []
  box.replaceChildren(
    element('h2', {}, 'The same recording twice'),
    ...none,
    ...groups.map((rows) => duplicates(rows, doings)),
    element('h2', {}, 'Files that are gone'),
    element('p', {}, missingNote(missing)),
    ...missing.rows.map((row) => gone(row, box, doings)),
  )
}

function missingNote({ total, rows }) {
  if (rows.length === 0) return 'No file is missing.'
  const rest = total > rows.length ? ` The first ${rows.length} are shown.` : ''
  return `${count(total, 'track')} of which no file is left. If you moved them, scan their new folder: ratings and plays stay with them.${rest}`
}

function duplicates(rows, doings) {
  const ids = rows.map(({ id }) => id)
  return element(
    'ul',
    {},
    ...rows.map((row) => {
      const pressed = String(doings.banned(row.id))
      const ban = ({ currentTarget }) => {
        doings.ban(row.id)
        currentTarget.setAttribute('aria-pressed', String(doings.banned(row.id)))
      }
      const of = (label) => ({ 'aria-label': `${label}: ${row.path}` })
      return line(
        row,
        button('Play', () => doings.play(row.id, ids), of('Play')),
        button('Ban', ban, { ...of('Ban'), 'aria-pressed': pressed }),
      )
    }),
  )
}

function gone(row, box, doings) {
  const remove = async () => {
    try {
      await own('remove', { id: row.id })
      await drawReview(box, doings)
      box.querySelector('button, h2')?.focus()
    } catch (error) {
      doings.failed(error)
    }
  }
  const label = `Remove from the library: ${row.title}`
  return element('ul', {}, line(row, button('Remove', remove, { 'aria-label': label })))
}

function line({ title, artist, path, duration }, ...acts) {
  const who = isolated(artist || 'unknown')
  return element(
    'li',
    {},
    element(
      'div',
      {},
      element('b', {}, title),
      element('p', { class: 'who' }, who, duration && ` · ${clock(duration)}`),
      element('p', { class: 'path' }, path),
    ),
    ...acts,
  )
}
