import { statements, value, values } from '../kernel/database/statements.ts'

/** Artists in one block of their columns (`kernel/database/columns.ts`). */
const BLOCK = 512

/** Reads the names of all artists, to find them in texts. */
export const openArtistNameStore = statements({
  /** Grows with each change of an artist. */
  revision: value<[], number | null>('SELECT max(revision) FROM artist_columns'),
  /** The blocks of the artists that changed since a revision. */
  blocksSince: values<[revision: number], number>(
    'SELECT block FROM artist_columns WHERE revision > ? ORDER BY block',
  ),
  keysOfBlock: values<{ block: number }, string>(
    `SELECT name_key FROM artist_names
     WHERE artist >= @block * ${BLOCK} AND artist < (@block + 1) * ${BLOCK}`,
  ),
})

export type ArtistNameStore = ReturnType<typeof openArtistNameStore>
