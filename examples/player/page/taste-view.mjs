// The taste profile in a few figures, and the lists it makes.
import { element } from './element.mjs'
import { beats, keyName } from './words.mjs'

/** From this rating on, four stars, a track is liked. */
const LIKED = 8

const opinionated = (one, name) => (one.opinion[name] ?? 0) > 0

export const LISTS = [
  { name: 'all', label: 'All', has: () => true, sort: 'artist-asc' },
  {
    name: 'favorites',
    label: 'Favourites',
    has: (one) => one.opinion.favorite === true,
    sort: 'artist-asc',
  },
  { name: 'rated', label: 'Rated', has: (one) => opinionated(one, 'rating'), sort: 'rating-desc' },
  { name: 'played', label: 'Played', has: (one) => opinionated(one, 'plays'), sort: 'plays-desc' },
  {
    name: 'banned',
    label: 'Banned',
    has: (one) => one.opinion.banned === true,
    sort: 'artist-asc',
  },
]

/** Tracks of which something is said, with what is said; not those of which all was taken back. */
export function opinions(library, taste) {
  return taste.ids.flatMap((id) => {
    const row = library.row(id)
    const opinion = taste.of(id)
    return row && Object.values(opinion).some(Boolean) ? [{ row, opinion }] : []
  })
}

/** Shows the figures and the choice of lists. */
export function drawTaste(box, all, rows, { list, choose }) {
  const likes = all
    .filter(({ opinion }) => opinion.favorite || (opinion.rating ?? 0) >= LIKED)
    .map(({ row }) => row)
  const plays = all.reduce((sum, { opinion }) => sum + (opinion.plays ?? 0), 0)
  const tiles = [
    ['Plays', plays.toLocaleString('en'), ''],
    ['Rated', String(all.filter((one) => opinionated(one, 'rating')).length), ''],
    ['Liked tempo', beats(mean(likes, 'tempo')), `all: ${beats(mean(rows, 'tempo'))} BPM`],
    ['Liked energy', percent(mean(likes, 'energy')), `all: ${percent(mean(rows, 'energy'))}`],
    ['Liked key', commonest(likes), `all: ${commonest(rows)}`],
  ]
  box
    .querySelector('.tiles')
    .replaceChildren(
      ...tiles.map(([name, value, note]) =>
        element(
          'div',
          {},
          element('dt', {}, name),
          element('dd', {}, value, note && element('small', {}, note)),
        ),
      ),
    )
  const chips = LISTS.map(({ name, label, has }) => {
    const many = element('span', { class: 'many' }, String(all.filter(has).length))
    const pressed = String(name === list)
    const chip = element('button', { type: 'button', 'aria-pressed': pressed }, `${label} `, many)
    chip.dataset.list = name
    chip.addEventListener('click', () => choose(name))
    return chip
  })
  const group = box.querySelector('.chips')
  const held = group.contains(document.activeElement)
  group.replaceChildren(...chips)
  if (held) group.querySelector('[aria-pressed=true]').focus()
}

function mean(rows, name) {
  const known = rows.map((row) => row[name]).filter((value) => value > 0)
  return known.length === 0 ? 0 : known.reduce((sum, value) => sum + value, 0) / known.length
}

function percent(share) {
  return share > 0 ? `${Math.round(share * 100)} %` : '–'
}

/** The key that more of them are in than in any other; “–” where there is none such. */
function commonest(rows) {
  const counts = new Map()
  for (const row of rows) counts.set(keyName(row), (counts.get(keyName(row)) ?? 0) + 1)
  const [first, second] = [...counts].filter(([name]) => name !== '–').sort(([, a], [, b]) => b - a)
  return first && first[1] > (second?.[1] ?? 0) ? first[0] : '–'
}
