import { Columns, ROWS_IN_BLOCK } from '../kernel/database/columns.ts'
import { all, one, run, storeOf, values } from '../kernel/database/statements.ts'
import { ArtistMatchStore } from '../naming/artist-match-store.ts'
import { artistKey, nameKey, squashedKey, wordsOfKey } from '../naming/names.ts'
import { soundKeys } from '../naming/sound-keys.ts'
import { isForeign } from '../naming/spellings.ts'
import {
  ARTIST_COLUMNS,
  type ArtistColumn,
  ONGOING_YEAR,
  unknownArtistValue,
} from './artist-columns.ts'
import { artistDocuments, artistIds, TermStore } from './description-store.ts'

export interface ArtistRow {
  num: number
  id: string
  name: string
  /** Imported, or computed from plays in catalogs. */
  familiarity: number | null
  hotttnesss: number | null
  /** Whether they come from plays. */
  familiarityHeard: 0 | 1
  hotttnesssHeard: 0 | 1
  latitude: number | null
  longitude: number | null
  location: string | null
  city: string | null
  region: string | null
  country: string | null
  urls: string
  said: string | null
  /** 0 for an artist that came with a track. */
  imported: number
}

/** An import overwrites these where it has them. */
const ARTIST_FACTS = [
  'familiarity',
  'hotttnesss',
  'latitude',
  'longitude',
  'location',
  'city',
  'region',
  'country',
] as const
type ArtistFactName = (typeof ARTIST_FACTS)[number]

type ArtistFacts = { [K in ArtistFactName]?: NonNullable<ArtistRow[K]> | undefined } & {
  name?: string | undefined
  urls?: Record<string, string> | undefined
}

interface IndexedArtist extends Record<ArtistColumn, number | null> {
  name: string
  aliases: string
}

const EMPTY_INDEX = Object.freeze({
  aliases: '[]',
  familiarity: null,
  hotttnesss: null,
  latitude: null,
  longitude: null,
  startYear: null,
  endYear: null,
})

const SELECT_ARTIST = `
SELECT num, id, name, coalesce(familiarity, heard_familiarity) AS familiarity,
  coalesce(hotttnesss, heard_hotttnesss) AS hotttnesss, familiarity IS NULL AS familiarityHeard,
  hotttnesss IS NULL AS hotttnesssHeard, latitude, longitude, location, city, region, country, urls, said, imported
FROM artists`

/** Only the name is known. */
const UNKNOWN_FACTS = Object.freeze({
  familiarity: null,
  hotttnesss: null,
  familiarityHeard: 1,
  hotttnesssHeard: 1,
  latitude: null,
  longitude: null,
  location: null,
  city: null,
  region: null,
  country: null,
  urls: '{}',
  said: null,
  imported: 0,
} as const)

export class ArtistStore extends storeOf({
  byId: one<[id: string], ArtistRow>(`${SELECT_ARTIST} WHERE id = ?`),
  byNum: one<[num: number], ArtistRow>(`${SELECT_ARTIST} WHERE num = ?`),
  byKey: all<[key: string], ArtistRow>(
    `${SELECT_ARTIST} JOIN artist_names ON artist = num WHERE name_key = ? ORDER BY imported = 0, num`,
  ),
  insert: run<{ id: string; name: string; imported: number; now: number }>(
    'INSERT INTO artists (id, name, imported, created_at) VALUES (@id, @name, @imported, @now)',
  ),
  insertName: run<{ key: string; num: number; squashed: string; alias: string | null }>(
    `INSERT INTO artist_names (name_key, artist, squashed_key, alias)
     VALUES (@key, @num, @squashed, @alias) ON CONFLICT DO NOTHING`,
  ),
  insertSound: run<[key: string, latin: number, artist: number]>(
    `INSERT INTO artist_sounds (sound_key, latin, artist) VALUES (?, ?, ?)
     ON CONFLICT DO NOTHING`,
  ),
  rename: run<[name: string, num: number]>('UPDATE artists SET name = ? WHERE num = ?'),
  /** The new name stops being an alias; the old name becomes one. */
  makeAlias: run<{ num: number; key: string; before: string; beforeKey: string }>(
    `UPDATE artist_names SET alias = CASE name_key WHEN @key THEN NULL ELSE coalesce(alias, @before) END
     WHERE artist = @num AND name_key IN (@key, @beforeKey)`,
  ),
  putFacts: run<Record<ArtistFactName, string | number | null> & { num: number; urls: string }>(
    `UPDATE artists SET imported = 1, urls = json_patch(urls, @urls),
       ${ARTIST_FACTS.map((name) => `${name} = coalesce(@${name}, ${name})`).join(', ')}
     WHERE num = @num`,
  ),
  setSaid: run<[digest: string, num: number]>('UPDATE artists SET said = ? WHERE num = ?'),
  /** Unless neither changes by more than `least`. */
  putHeard: run<Record<'num' | 'familiarity' | 'hotttnesss' | 'least', number>>(
    `UPDATE artists SET heard_familiarity = @familiarity, heard_hotttnesss = @hotttnesss
     WHERE num = @num AND max(abs(coalesce(heard_familiarity, -1) - @familiarity),
       abs(coalesce(heard_hotttnesss, -1) - @hotttnesss)) > @least`,
  ),
  deleteYears: run<[num: number]>('DELETE FROM artist_years WHERE artist = ?'),
  insertYears: run<[num: number, start: number, end: number | null]>(
    'INSERT OR REPLACE INTO artist_years (artist, start_year, end_year) VALUES (?, ?, ?)',
  ),
  sumYears: run<[num: number]>(
    `UPDATE artists SET
       start_year = (SELECT min(start_year) FROM artist_years WHERE artist = num),
       end_year = (SELECT max(coalesce(end_year, ${ONGOING_YEAR})) FROM artist_years WHERE artist = num)
     WHERE num = ?`,
  ),
  years: all<[num: number], { start: number; end: number | null }>(
    `SELECT start_year AS start, end_year AS "end" FROM artist_years WHERE artist = ?
     ORDER BY start_year`,
  ),
  matchingWords: values<[query: string], number>(
    'SELECT rowid FROM artist_words WHERE artist_words MATCH ?',
  ),
  songsOf: all<[num: number], { id: string; title: string }>(
    `SELECT id, title FROM songs WHERE artist = ?
     ORDER BY coalesce(hotttnesss, heard_hotttnesss) DESC NULLS LAST, num`,
  ),
  deleteUnused: run<[num: number]>(
    `DELETE FROM artists WHERE num = ? AND imported = 0
       AND NOT EXISTS (SELECT 1 FROM songs WHERE songs.artist = artists.num)`,
  ),
  indexed: one<[num: number], IndexedArtist>(
    `SELECT name, (SELECT json_group_array(alias) FROM artist_names
         WHERE artist = num AND alias IS NOT NULL) AS aliases,
       coalesce(familiarity, heard_familiarity) AS familiarity,
       coalesce(hotttnesss, heard_hotttnesss) AS hotttnesss, latitude, longitude,
       start_year AS startYear, end_year AS endYear
     FROM artists WHERE num = ?`,
  ),
  /** Blocks of columns with artists that changed after a revision. */
  blocksSince: values<[revision: number], number>(
    'SELECT block FROM artist_columns WHERE revision > ? ORDER BY block',
  ),
  namesOfBlock: values<{ block: number }, string>(
    `SELECT name_key FROM artist_names
     WHERE artist >= @block * ${ROWS_IN_BLOCK} AND artist < (@block + 1) * ${ROWS_IN_BLOCK}`,
  ),
  deleteWords: run<[num: number]>('DELETE FROM artist_words WHERE rowid = ?'),
  insertWords: run<[num: number, words: string]>(
    'INSERT INTO artist_words (rowid, name) VALUES (?, ?)',
  ),
  deleteGrams: run<[num: number]>('DELETE FROM artist_grams WHERE rowid = ?'),
  insertGrams: run<[num: number, names: string]>(
    'INSERT INTO artist_grams (rowid, names) VALUES (?, ?)',
  ),
}) {
  readonly columns = new Columns<ArtistColumn>(this.db, 'artist_columns', ARTIST_COLUMNS)
  readonly names = new ArtistMatchStore(this.db)
  readonly ids = artistIds(this.db)
  readonly terms = new TermStore(this.db)
  readonly documents = artistDocuments(this.db)

  /** However it is spelt; imported ones first. */
  findByName(name: string): ArtistRow[] {
    return this.byKey(artistKey(name))
  }

  /** It is found by name at once, by words after {@link updateIndex}. */
  addArtist(artist: { id: string; name: string; imported: boolean; now: number }): ArtistRow {
    const imported = Number(artist.imported)
    const num = Number(this.insert({ ...artist, imported }).lastInsertRowid)
    this.addName(num, artist.name)
    return { ...UNKNOWN_FACTS, num, id: artist.id, name: artist.name, imported }
  }

  /** @param alias - whether it is another name than the one that answers show */
  addName(num: number, name: string, alias = false): void {
    const key = artistKey(name)
    this.insertName({ key, num, squashed: squashedKey(key), alias: alias ? name : null })
    const latin = Number(!isForeign(key))
    for (const sound of soundKeys(key)) this.insertSound(sound, latin, num)
  }

  /** The facts of an import; the others stay. */
  updateFacts(num: number, { urls = {}, name, ...facts }: ArtistFacts): void {
    const importedFacts = Object.fromEntries(
      ARTIST_FACTS.map((fact) => [fact, facts[fact] ?? null]),
    )
    this.putFacts({
      ...(importedFacts as Record<ArtistFactName, null>),
      num,
      urls: JSON.stringify(urls),
    })
    if (name !== undefined) this.#changeName(num, name)
  }

  #changeName(num: number, name: string): void {
    const oldName = this.byNum(num)?.name
    if (oldName === undefined || oldName === name) return
    this.rename(name, num)
    this.addName(num, name)
    this.makeAlias({ num, key: artistKey(name), before: oldName, beforeKey: artistKey(oldName) })
  }

  setYears(num: number, years: { start: number; end?: number | undefined }[]): void {
    this.deleteYears(num)
    for (const { start, end } of years) this.insertYears(num, start, end ?? null)
    this.sumYears(num)
  }

  /** In one of their names, or in several together. */
  withWords(words: readonly string[]): number[] {
    if (words.length === 0) return []
    return this.matchingWords(words.map((word) => `"${word}"`).join(' '))
  }

  /**
   * Called inside the transaction that changed the artists.
   * @param added - names of artists added in this transaction, which have nothing else
   */
  updateIndex(nums: readonly number[], added?: ReadonlyMap<number, string>): void {
    const rows = new Map<number, IndexedArtist | undefined>()
    for (const num of new Set(nums)) {
      const name = added?.get(num)
      const row = name === undefined ? this.indexed(num) : { ...EMPTY_INDEX, name }
      if (name === undefined) {
        this.deleteWords(num)
        this.deleteGrams(num)
      }
      if (row) this.#indexNames(num, row)
      rows.set(num, row)
    }
    if (rows.size === 0) return
    this.columns.writeRows(rows, (row, column) => row[column] ?? unknownArtistValue(column))
  }

  #indexNames(num: number, { name, aliases }: IndexedArtist): void {
    const names = [name, ...(JSON.parse(aliases) as string[])]
    this.insertWords(num, names.flatMap((name) => wordsOfKey(nameKey(name))).join(' '))
    this.insertGrams(num, names.map((name) => ` ${artistKey(name)} `).join(''))
  }

  /** Removes an artist that came with your own tracks and has no song left. */
  removeUnused(num: number): void {
    if (this.deleteUnused(num).changes > 0) this.updateIndex([num])
  }
}
