import { type Kind, takeBack, type Undoing, WrongAnswer } from './deed.ts'

/** A catalog that is made, and perhaps deleted again. */
export const shelf: Kind<{ name: string }, { id: string }> = {
  name: 'catalog',
  weight: 0.7,
  draw: (op) => ({ name: op }),
  async perform(music, { name }, signal) {
    const { id } = await music.catalogs.create({ name, type: 'artist' }, { signal })
    return { id }
  },
  atOnce: () => true,
  find(database, { name }, answer) {
    const ids = database
      .prepare<[string], string>('SELECT id FROM catalogs WHERE name = ? AND gone = 0')
      .pluck()
      .all(name)
    if (ids.length === 0) return 'absent'
    if (answer && ids[0] !== answer.id) return { broken: `is catalog ${ids[0]}, not ${answer.id}` }
    return 'present'
  },
}

/** Deletes a catalog of its own. */
export const deletion: Kind<{ id: string } & Undoing, object> = {
  name: 'deletion',
  weight: 0.4,
  draw: (_op, _random, memory) => takeBack(memory, 'catalog'),
  async perform(music, { id }, signal) {
    const catalog = await music.catalogs.get({ id }, { signal })
    const told = await catalog.delete({ signal })
    if (told.id !== id) throw new WrongAnswer(`deleted ${told.id}, not ${id}`)
    return told
  },
  atOnce: () => true,
  find(database, { id }) {
    const there = database.prepare('SELECT 1 FROM catalogs WHERE id = ? AND gone = 0').get(id)
    return there === undefined ? 'present' : 'absent'
  },
}
