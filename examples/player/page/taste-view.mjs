// The taste profile in a few figures, and the lists it makes.
import { element, replace } from './element.mjs'
import { byOpinion } from './search.mjs'
import { beats, camelot, keyName } from './words.mjs'

/** From this rating on, four stars, a track is liked. */
const LIKED = 8

const LISTS = [
  { name: 'all', label: 'All', has: (opinion) => Object.values(opinion).some(Boolean) },
  { name: 'favorites', label: 'Favourites', has: ({ favorite }) => favorite === true },
  { name: 'rated', label: 'Rated', has: ({ rating }) => rating > 0, sort: 'rating-desc' },
  { name: 'played', label: 'Played', has: ({ plays }) => plays > 0, sort: 'plays-desc' },
  { name: 'banned', label: 'Banned', has: ({ banned }) => banned === true },
]

/** The tracks of a list, as far as they can be played. */
export async function listOf(name, taste, library) {
  const { has, sort } = LISTS.find((one) => one.name === name)
  const rows = await library.want(taste.ids.filter((id) => has(taste.of(id))))
  const ids = rows.map(({ id }) => id)
  if (sort) return byOpinion(ids, sort, (id) => taste.of(id))
  const by = ({ artist, title }) => `${artist} ${title}`
  return rows.sort((a, b) => by(a).localeCompare(by(b))).map(({ id }) => id)
}

/** Shows the figures and the choice of lists. */
export function drawTaste(box, taste, library, { list, choose }) {
  const rows = taste.ids.flatMap((id) => library.row(id) ?? [])
  const all = rows.map((row) => ({ row, opinion: taste.of(row.id) }))
  const likes = all
    .filter(({ opinion }) => opinion.favorite || opinion.rating >= LIKED)
    .map(({ row }) => row)
  const plays = all.reduce((sum, { opinion }) => sum + (opinion.plays ?? 0), 0)
  const energy = mean(likes, 'energy')
  const tiles = [
    ['Plays', plays.toLocaleString('en')],
    ['Liked tracks', String(likes.length)],
    ['Liked tempo', likes.length > 0 ? `${beats(mean(likes, 'tempo'))} BPM` : '–'],
    ['Liked energy', energy > 0 ? `${Math.round(energy * 100)} %` : '–'],
    ['Liked key', commonest(likes)],
  ]
  const figures = tiles.map(([name, value]) =>
    element('div', {}, element('dt', {}, name), element('dd', {}, value)),
  )
  box.querySelector('.tiles').replaceChildren(...figures)
  const chips = LISTS.map(({ name, label, has }) => {
    const many = element('span', {}, String(all.filter(({ opinion }) => has(opinion)).length))
    const attributes = { type: 'button', 'aria-pressed': String(name === list) }
    return element('button', { ...attributes, onclick: () => choose(name) }, `${label} `, many)
  })
  replace(box.querySelector('.chips'), ...chips)
}

function mean(rows, name) {
  const known = rows.map((row) => row[name]).filter((value) => value > 0)
  return known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length)
}

/** The key that more of them are in than in any other; “–” where there is none such. */
function commonest(rows) {
  const counts = new Map()
  for (const row of rows.filter(({ key }) => key >= 0)) {
    const name = `${camelot(row)} ${keyName(row)}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const [first, second] = [...counts].sort(([, a], [, b]) => b - a)
  return first && first[1] > (second?.[1] ?? 0) ? first[0] : '–'
}
