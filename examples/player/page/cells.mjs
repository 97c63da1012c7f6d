// The cells of a row of the table.
import { element, iconButton } from './element.mjs'
import { ratingOf } from './stars.mjs'
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

export function cell(name, ...content) {
  return element('div', { role: 'gridcell', class: `cell ${name}` }, ...content)
}

/** The cells of the row of a track. */
export function cellsOf(track, { opinion, playing, place }, doings) {
  const { id, title, artist, duration, tempo, energy } = track
  const tabindex = '-1'
  const act = (name, label, onclick, more) =>
    iconButton(name, label, onclick, { of: title, tabindex, ...more })
  const sound = [tempo > 0 && `${beats(tempo)} BPM`, camelot(track)].filter(Boolean).join(' · ')
  const known = energy === undefined ? 'not known' : `${Math.round(energy * 100)} %`
  const level = element('span', { class: 'level' })
  level.style.setProperty('--level', String(energy ?? 0))
  return [
    cell(
      'number',
      element('span', { class: 'place', 'aria-hidden': 'true' }, place),
      act(playing ? 'pause' : 'play', playing ? 'Pause' : 'Play', () => doings.play(id)),
    ),
    cell(
      'title',
      element('span', { class: 'name', title: track.path }, title),
      element(
        'span',
        { class: 'below' },
        element('span', { class: 'who' }, artist ?? ''),
        element('span', { class: 'sound' }, sound),
      ),
    ),
    cell('artist', artist || element('span', { class: 'none' }, 'unknown')),
    cell('duration', clock(duration)),
    cell('tempo', beats(tempo)),
    cell('key', element('b', {}, camelot(track)), ` ${keyName(track)}`),
    cell('energy', level, element('span', { class: 'hidden' }, known)),
    cell(
      'rating',
      ratingOf(title, opinion.rating, (rating) => doings.rate(id, rating), -1),
    ),
    cell(
      'actions',
      act('heart', 'Favourite', () => doings.favorite(id), {
        'aria-pressed': String(opinion.favorite === true),
      }),
      act('radio', 'Start a radio', () => doings.radio(id)),
      act('dots', 'More', ({ currentTarget }) => doings.menu(id, currentTarget), {
        'aria-haspopup': 'menu',
      }),
    ),
  ]
}
