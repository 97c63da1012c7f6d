// What the page can show: each view has an address, a title, and tracks or cards.
import { askedOf, byOpinion } from './search.mjs'
import { encoded, own } from './wire.mjs'
import { count } from './words.mjs'

/** The view of an address: `#album/12/Kind%20of%20Blue` is an album with its id and title. */
export function viewOf(hash) {
  const [name, ...given] = hash.replace(/^#/, '').split('/').map(decodeURIComponent)
  return Object.hasOwn(VIEWS, name)
    ? { name, given, ...VIEWS[name] }
    : { ...VIEWS.songs, name: 'songs', given: [] }
}

/** The address of a view. */
export function addressOf(name, ...given) {
  return `#${[name, ...given].map(encodeURIComponent).join('/')}`
}

/**
 * @typedef {object} View
 * @property {(given: string[]) => string} title
 * @property {string} tab - the tab that it belongs to
 * @property {(asked: object, given: string[], signal: AbortSignal) => Promise<object>} [tracks] -
 * answers `ids`, and for each what is shown in the place of its number
 * @property {string} [cards] - `albums` or `artists`
 * @property {(given: string[]) => unknown} [seed] - what a radio from here starts from
 */

/** @type {Record<string, View>} */
const VIEWS = {
  songs: { tab: 'songs', title: () => 'Songs', tracks: (asked, _, signal) => ids(asked, signal) },
  albums: { tab: 'albums', title: () => 'Albums', cards: 'albums' },
  artists: { tab: 'artists', title: () => 'Artists', cards: 'artists' },
  album: {
    tab: 'albums',
    title: ([, title]) => title,
    tracks: (asked, [album], signal) => ids({ ...asked, album }, signal),
    seed: ([, album, artist]) => ({ album, ...(artist && { artist }) }),
  },
  artist: {
    tab: 'artists',
    title: ([artist]) => artist,
    tracks: (asked, [artist], signal) => ids({ ...asked, artist }, signal),
    seed: ([artist]) => ({ artist }),
  },
  similar: {
    tab: 'songs',
    title: ([, title]) => `Sounds like “${title}”`,
    async tracks(_, [id], signal) {
      const { tracks, rows } = await own(`similar?${encoded({ id })}`, undefined, signal)
      const percent = ({ id, similarity }) => [id, `${Math.round(similarity * 100)} %`]
      return { ids: rows.map(({ id }) => id), rows, marks: new Map(tracks.map(percent)) }
    },
    seed: ([id]) => id,
  },
  taste: { tab: 'taste', title: () => 'Your taste' },
  review: { tab: 'review', title: () => 'Review' },
}

function ids(asked, signal) {
  return own(`ids?${encoded(asked)}`, undefined, signal)
}

/** The tracks of a view, as the form asks for them, in the order of `sort`. */
export async function tracksOf(view, form, sort, { opinionOf, signal }) {
  const ours = byOpinion([], sort, opinionOf) !== undefined
  const asked = { ...askedOf(form), sort: ours ? undefined : sort || undefined }
  const found = await view.tracks(asked, view.given, signal)
  return { ...found, ids: byOpinion(found.ids, sort, opinionOf) ?? found.ids }
}

/** What stands beside the title. */
export function noteOf({ name, cards, given }, many, total) {
  if (name === 'review') return ''
  if (name === 'similar') return 'most alike first'
  if (cards) return count(many, cards.slice(0, -1))
  if (name === 'album') return [given[2], count(many, 'track')].filter(Boolean).join(' · ')
  const part = name === 'songs' && many < total
  return part ? `${many.toLocaleString('en')} of ${count(total, 'track')}` : count(many, 'track')
}

/** What is said where there is nothing to show. */
export function nothingOf({ name, cards }, asked) {
  if (name === 'similar') return 'There is nothing yet to compare it with: add more music.'
  if (asked) {
    return 'Nothing is like that. Use fewer words or a wider filter: all words must be in the title, the artist’s name or the album.'
  }
  if (name === 'taste') {
    return 'Nothing yet. Rate a track with the keys 1 to 5, or press f for a favourite.'
  }
  return cards ? 'The tags of your files name none.' : 'There is nothing here.'
}
