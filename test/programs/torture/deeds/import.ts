import { pick, whole } from '../../../support/chance.ts'
import { songOf, titleOf } from './base.ts'
import { idsOf, type Kind, WrongAnswer } from './deed.ts'

/** An import of songs, some with fingerprints. */
export interface Import {
  /** What the ids of the songs begin with; of an import that is run again, the first one's. */
  set: string
  /** The import that was cut off and is run again. */
  again?: string
  records: number
  coded: number
}

/** Songs of one message, which are taken in together; an import is sometimes of several. */
const BATCH = 1_000
/** Every batch has a multiple of so many. Two are under way at once, so that any may be missing. */
const LEAST = 500

export const importSongs: Kind<Import, { imported: number; updated: number }> = {
  name: 'import',
  weight: 2,
  draw(op, random, { ground, done }) {
    const cut = ground.cutImports.filter((one) => !done.some(({ deed }) => isAgain(deed, one)))
    const again = cut.length > 0 ? pick(random, cut) : undefined
    if (again !== undefined) return { ...planOf(again), again }
    return { set: op, ...sizeOf(whole(random, 0, 2 ** 31)) }
  },
  async perform(music, { set, records, coded }, signal) {
    const songs = Array.from({ length: records }, (_, i) => songOf(`${set}_${i}`, i < coded))
    const { imported, updated, rejected } = await music.songs.import(songs, { signal })
    const [first] = rejected
    if (first) throw new WrongAnswer(`record ${first.index} was rejected: ${first.info}`)
    if (imported + updated !== records) throw new WrongAnswer('not all records are told of')
    return { imported, updated }
  },
  atOnce: ({ records }) => records <= BATCH,
  find(database, { set, records, coded }) {
    const { from, end } = idsOf(set)
    const found = database
      .prepare<[string, string], { ids: number; songs: number; titles: number; first: string }>(
        `SELECT count(*) AS ids, count(DISTINCT f.song) AS songs,
           count(DISTINCT s.title) AS titles, min(s.title) AS first
         FROM song_foreign_ids f JOIN songs s ON s.num = f.song
         WHERE f.catalog = 'imported' AND f.foreign_id >= ? AND f.foreign_id < ?`,
      )
      .get(from, end)
    if (!found || found.ids === 0) return 'absent'
    const { ids, songs, titles } = found
    if (ids !== songs || titles !== songs) {
      return { broken: `${ids} ids name ${songs} songs of ${titles} titles` }
    }
    const prints = database
      .prepare<[string, string], number>(
        `SELECT count(*) FROM song_foreign_ids f JOIN songs s ON s.num = f.song
         JOIN recordings r ON r.song_id = s.id
         WHERE f.catalog = 'imported' AND f.foreign_id >= ? AND f.foreign_id < ?`,
      )
      .pluck()
      .get(from, end)
    if (songs === records) {
      return prints === coded ? 'present' : { broken: `${prints} recordings, not ${coded}` }
    }
    if (songs % LEAST !== 0) return { broken: `${songs} songs: a part of a batch` }
    return { unfinished: `${songs} of ${records} songs` }
  },
}

/** Most are one batch, some two and a half. */
function sizeOf(number: number): Pick<Import, 'records' | 'coded'> {
  const records = number % 8 === 0 ? 2 * BATCH + LEAST : number % 3 === 0 ? LEAST : BATCH
  return { records, coded: 100 + (number % 100) }
}

/** A cut import is named by its deed and size, so that another process can run it again. */
export function cutImport({ set, records, coded }: Import): string {
  return JSON.stringify({ set, records, coded })
}

function planOf(cut: string): Import {
  return JSON.parse(cut) as Import
}

function isAgain(deed: unknown, cut: string): boolean {
  return (deed as Partial<Import> | undefined)?.again === cut
}

/** One song of an import, and its title: to be asked for by name. */
export function someSong(
  { set, records, coded }: Import,
  number: number,
): { id: string; title: string; coded: boolean } {
  const i = number % records
  return { id: `${set}_${i}`, title: titleOf(`${set}_${i}`), coded: i < coded }
}
