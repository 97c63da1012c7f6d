// The rows of the table: each is made once, and shows one track after the other as one scrolls.
import { element, icon, iconButton, set } from './element.mjs'
import { ratingOf, showRating } from './stars.mjs'
import { beats, camelot, clock, keyName } from './words.mjs'

/**
 * @typedef {object} Doings what can be done with a row
 * @property {(id: string) => import('./taste.mjs').Opinion} opinionOf
 * @property {(id: string) => void} play
 * @property {(id: string, rating?: number) => void} rate
 * @property {(id: string) => void} favorite
 * @property {(id: string) => void} radio
 * @property {(id: string, button: HTMLElement) => void} menu
 * @property {(sort: string) => void} sort
 */

const part = (name, ...content) => element('span', { class: name }, ...content)
const cell = (name, ...content) =>
  element('div', { role: 'gridcell', class: `cell ${name}` }, ...content)
/** A button of a row: `does` names what it does, one of the doings. */
const act = (name, label, does, more) =>
  iconButton(name, label, undefined, { tabindex: '-1', 'data-does': does, ...more })

// The texts are there from the start, for to change one is less work than to put in another.
const blank = element(
  'div',
  { role: 'row', class: 'row' },
  cell(
    'number',
    element('span', { class: 'place', 'aria-hidden': 'true' }, ''),
    act('play', 'Play', 'play'),
  ),
  cell('title', part('name', ''), part('below', part('who', ''), part('sound', ''))),
  cell('artist', ''),
  cell('duration', ''),
  cell('tempo', ''),
  cell('key', element('b', {}, ''), ''),
  cell('energy', element('span', { class: 'level', role: 'img' })),
  cell('rating', ratingOf('-1')),
  cell(
    'actions',
    act('heart', 'Favourite', 'favorite'),
    act('radio', 'Start a radio', 'radio'),
    act('dots', 'More', 'menu', { 'aria-haspopup': 'menu' }),
  ),
)

/** A row that shows nothing yet. */
export const newRow = () => blank.cloneNode(true)

/** Shows a track; `undefined` while it is not there yet. */
export function fill(row, track, { opinion, playing, place }) {
  const [number, title, artist, duration, tempo, key, energy, rating, actions] = row.children
  const name = track?.title ?? '…'
  const sound = track ? [track.tempo > 0 && `${beats(track.tempo)} BPM`, camelot(track)] : []
  const [play, heart] = [number.lastChild, actions.firstChild]
  write(number.firstChild, place)
  write(title.firstChild, name)
  set(title.firstChild, 'title', track?.path)
  write(title.querySelector('.who'), track?.artist ?? '')
  write(title.querySelector('.sound'), sound.filter(Boolean).join(' · '))
  write(artist, track ? track.artist || 'unknown' : '')
  write(duration, track ? clock(track.duration) : '')
  write(tempo, track ? beats(track.tempo) : '')
  write(key.firstChild, track ? camelot(track) : '')
  write(key, track ? ` ${keyName(track)}` : '')
  const known = track?.energy === undefined ? 'not known' : `${Math.round(track.energy * 100)} %`
  set(energy.firstChild, 'aria-label', known)
  energy.firstChild.style.setProperty('--level', String(track?.energy ?? 0))
  showRating(rating.firstChild, name, opinion.rating)
  set(heart, 'aria-pressed', String(opinion.favorite === true))
  if (playing !== (play.title === 'Pause')) {
    play.title = playing ? 'Pause' : 'Play'
    play.replaceChildren(icon(playing ? 'pause' : 'play'))
  }
  for (const button of row.querySelectorAll('[data-does]')) {
    set(button, 'aria-label', `${button.title}: ${name}`)
  }
}

/** Changes the last text of an element, unless it is that already: then nothing is laid out anew. */
function write({ lastChild }, text) {
  if (lastChild.data !== text) lastChild.data = text
}
