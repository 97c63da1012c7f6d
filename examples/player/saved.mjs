// Saved searches: kept in the catalog of taste, as plain queries of `tracks.search`.
import { askedOf, queryOf } from './library.mjs'
import { tasteOf } from './radio.mjs'

/** All of them, as the form of the page asks them. */
export async function savedOf(music) {
  const saved = await (await tasteOf(music)).saved()
  return saved.flatMap(({ name, search }) => (search ? { name, asked: askedOf(search) } : []))
}

/** Keeps a search under a name; without one, removes what has the name. */
export async function save(music, { name, asked }) {
  await (await tasteOf(music)).save(name, asked ? { search: queryOf(asked) } : null)
  return savedOf(music)
}
