import type { Database } from 'better-sqlite3'
import { Columns, type Values } from '../kernel/database/columns.ts'
import { type Transaction, transaction } from '../kernel/database/transaction.ts'
import { ARTIST_COLUMNS, type ArtistColumn, ONGOING } from './artist-columns.ts'
import { ArtistMatchStore } from './match-store.ts'
import { artistKey, nameKey, squashed, wordsOf } from './names.ts'

/** An artist as stored. */
export interface ArtistRow {
  num: number
  id: string
  name: string
  /** As imported, else as listening shows it. */
  familiarity: number | null
  hotttnesss: number | null
  /** Whether the familiarity is what listening shows, and the hotttnesss. */
  familiarityHeard: 0 | 1
  hotttnesssHeard: 0 | 1
  latitude: number | null
  longitude: number | null
  location: string | null
  city: string | null
  region: string | null
  country: string | null
  /** Names of web sites and their addresses, as JSON. */
  urls: string
  /** Digest of what song records last said of the artist. */
  said: string | null
  /** 0: came with a track of one's own. */
  imported: number
}

/** What an import says of an artist; `undefined` where it says nothing. */
export interface ArtistFacts {
  name?: string | undefined
  familiarity?: number | undefined
  hotttnesss?: number | undefined
  latitude?: number | undefined
  longitude?: number | undefined
  location?: string | undefined
  city?: string | undefined
  region?: string | undefined
  country?: string | undefined
  urls?: Record<string, string> | undefined
}

/** A term of an artist or a song, as stored. */
export interface StoredTerm {
  name: string
  /** Bits of `KIND`. */
  kinds: number
  weight: number
  frequency: number
}

/** A document about an artist, as it is answered, in JSON. */
export interface ArtistDocument {
  kind: string
  id: string
  document: string
  dateFound: string | null
  datePosted: string | null
  /** How much it is about the artist, 0..1. */
  relevance: number
}

const SELECT = `
SELECT num, id, name, coalesce(familiarity, heard_familiarity) AS familiarity,
  coalesce(hotttnesss, heard_hotttnesss) AS hotttnesss, familiarity IS NULL AS familiarityHeard,
  hotttnesss IS NULL AS hotttnesssHeard, latitude, longitude, location, city, region, country, urls, said, imported
FROM artists`

/** The tables of artists: what they are called, where and when they were, what is said of them. */
export class ArtistStore {
  readonly atomically: Transaction
  /** The numbers that searches read. */
  readonly columns: Columns<ArtistColumn>
  /** What names are matched by. */
  readonly names: ArtistMatchStore
  readonly #db: Database
  readonly #byId
  readonly #byNum
  readonly #byKey
  readonly #bySquashedKey
  readonly #byForeignId
  readonly #insert
  readonly #insertName
  readonly #insertForeignId
  readonly #update
  readonly #term
  readonly #insertTerm
  readonly #insertArtistTerm
  readonly #setSaid
  readonly #setHeard
  readonly #indexed
  readonly #deleteWords
  readonly #insertWords
  readonly #deleteGrams
  readonly #insertGrams

  constructor(db: Database) {
    this.atomically = transaction(db)
    this.#db = db
    this.columns = new Columns(db, 'artist_columns', ARTIST_COLUMNS)
    this.names = new ArtistMatchStore(db)
    this.#byId = db.prepare<[string], ArtistRow>(`${SELECT} WHERE id = ?`)
    this.#byNum = db.prepare<[number], ArtistRow>(`${SELECT} WHERE num = ?`)
    const named = (column: string) =>
      db.prepare<[string], ArtistRow>(
        `${SELECT} JOIN artist_names ON artist = num WHERE ${column} = ? ORDER BY imported = 0, num`,
      )
    this.#byKey = named('name_key')
    this.#bySquashedKey = named('squashed_key')
    this.#byForeignId = db
      .prepare<[string, string], string>(
        `SELECT a.id FROM artist_foreign_ids f JOIN artists a ON a.num = f.artist
         WHERE f.catalog = ? AND f.foreign_id = ? ORDER BY a.num LIMIT 1`,
      )
      .pluck()
    this.#insert = db.prepare<{ id: string; name: string; imported: number; now: number }>(
      `INSERT INTO artists (id, name, imported, created_at) VALUES (@id, @name, @imported, @now)`,
    )
    this.#insertName = db.prepare<[string, number, string, string | null]>(
      `INSERT INTO artist_names (name_key, artist, squashed_key, alias) VALUES (?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
    )
    this.#insertForeignId = db.prepare<[string, string, number]>(
      'INSERT OR IGNORE INTO artist_foreign_ids (catalog, foreign_id, artist) VALUES (?, ?, ?)',
    )
    this.#update = db.prepare(
      `UPDATE artists SET imported = 1, familiarity = coalesce(@familiarity, familiarity),
         hotttnesss = coalesce(@hotttnesss, hotttnesss), latitude = coalesce(@latitude, latitude),
         longitude = coalesce(@longitude, longitude), location = coalesce(@location, location),
         city = coalesce(@city, city), region = coalesce(@region, region),
         country = coalesce(@country, country), urls = json_patch(urls, @urls)
       WHERE num = @num`,
    )
    this.#term = db.prepare<[string], number>('SELECT num FROM terms WHERE name = ?').pluck()
    this.#insertTerm = db.prepare<[string]>('INSERT INTO terms (name) VALUES (?)')
    this.#insertArtistTerm = db.prepare<[number, number, number, number, number]>(
      `INSERT INTO artist_terms (artist, term, kinds, weight, frequency) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET kinds = kinds | excluded.kinds, weight = excluded.weight,
         frequency = excluded.frequency`,
    )
    this.#setHeard = db.prepare<{
      num: number
      familiarity: number
      hotttnesss: number
      least: number
    }>(
      `UPDATE artists SET heard_familiarity = @familiarity, heard_hotttnesss = @hotttnesss
       WHERE num = @num AND max(abs(coalesce(heard_familiarity, -1) - @familiarity),
         abs(coalesce(heard_hotttnesss, -1) - @hotttnesss)) > @least`,
    )
    this.#setSaid = db.prepare<[string, number]>('UPDATE artists SET said = ? WHERE num = ?')
    this.#indexed = db.prepare<[number], IndexedArtist>(INDEXED)
    this.#deleteWords = db.prepare<[number]>('DELETE FROM artist_words WHERE rowid = ?')
    this.#insertWords = db.prepare<[number, string]>(
      'INSERT INTO artist_words (rowid, name) VALUES (?, ?)',
    )
    this.#deleteGrams = db.prepare<[number]>('DELETE FROM artist_grams WHERE rowid = ?')
    this.#insertGrams = db.prepare<[number, string]>(
      'INSERT INTO artist_grams (rowid, names) VALUES (?, ?)',
    )
  }

  byId(id: string): ArtistRow | undefined {
    return this.#byId.get(id)
  }

  byNum(num: number): ArtistRow | undefined {
    return this.#byNum.get(num)
  }

  /** The artist of that name, however it is spelt; of several an imported one, the first that came. */
  byName(name: string): ArtistRow | undefined {
    return this.#byKey.get(artistKey(name))
  }

  /** The numbers of all artists who are called so, however it is spelt. */
  named(name: string): number[] {
    return this.#byKey.all(artistKey(name)).map(({ num }) => num)
  }

  /** All artists of a name by its key, imported ones first. */
  allByKey(key: string): ArtistRow[] {
    return this.#byKey.all(key)
  }

  /** All artists of a name by its key without spaces. */
  allBySquashedKey(key: string): ArtistRow[] {
    return this.#bySquashedKey.all(key)
  }

  /** The artist that has an id in another id space. */
  byForeignId(catalog: string, foreignId: string): string | undefined {
    return this.#byForeignId.get(catalog, foreignId)
  }

  /** Adds an artist. It is found by name at once, and by words after {@link index}. */
  add(artist: { id: string; name: string; imported: boolean; now: number }): ArtistRow {
    const { lastInsertRowid } = this.#insert.run({ ...artist, imported: artist.imported ? 1 : 0 })
    const num = Number(lastInsertRowid)
    this.addName(num, artist.name, false)
    return {
      ...UNDESCRIBED,
      num,
      id: artist.id,
      name: artist.name,
      imported: Number(artist.imported),
    }
  }

  addName(num: number, name: string, alias: boolean): void {
    const key = artistKey(name)
    this.#insertName.run(key, num, squashed(key), alias ? name : null)
  }

  addForeignId(num: number, catalog: string, foreignId: string): void {
    this.#insertForeignId.run(catalog, foreignId, num)
  }

  foreignIds(num: number, catalog: string): { catalog: string; foreignId: string }[] {
    return this.#db
      .prepare<[number, string], { catalog: string; foreignId: string }>(
        `SELECT catalog, foreign_id AS foreignId FROM artist_foreign_ids
         WHERE artist = ? AND catalog = ? ORDER BY foreign_id`,
      )
      .all(num, catalog)
  }

  /** Writes what an import says over what was known; where it says nothing, that stays. */
  update(num: number, facts: ArtistFacts): void {
    const { urls = {}, name, ...rest } = facts
    this.#update.run({ num, urls: JSON.stringify(urls), ...absent(rest) })
    if (name !== undefined) this.#rename(num, name)
  }

  /** Notes what song records said of an artist. */
  setSaid(num: number, digest: string): void {
    this.#setSaid.run(digest, num)
  }

  /** Writes what listening shows of an artist; false when it changes little. */
  setHeard(
    num: number,
    heard: { familiarity: number; hotttnesss: number },
    least: number,
  ): boolean {
    return this.#setHeard.run({ num, ...heard, least }).changes > 0
  }

  /** Gives an artist its proper name; the one before goes on as an alias. */
  #rename(num: number, name: string): void {
    const before = this.byNum(num)?.name
    if (before === undefined || before === name) return
    this.#db.prepare('UPDATE artists SET name = ? WHERE num = ?').run(name, num)
    this.addName(num, name, false)
    this.#db
      .prepare(
        `UPDATE artist_names SET alias = CASE name_key WHEN ? THEN NULL ELSE coalesce(alias, ?) END
         WHERE artist = ? AND name_key IN (?, ?)`,
      )
      .run(artistKey(name), before, num, artistKey(name), artistKey(before))
  }

  /** Replaces the years of activity. */
  setYears(num: number, years: { start: number; end?: number | undefined }[]): void {
    this.#db.prepare('DELETE FROM artist_years WHERE artist = ?').run(num)
    const insert = this.#db.prepare(
      'INSERT OR REPLACE INTO artist_years (artist, start_year, end_year) VALUES (?, ?, ?)',
    )
    for (const { start, end } of years) insert.run(num, start, end ?? null)
    this.#db
      .prepare(
        `UPDATE artists SET
           start_year = (SELECT min(start_year) FROM artist_years WHERE artist = num),
           end_year = (SELECT max(coalesce(end_year, ${ONGOING})) FROM artist_years WHERE artist = num)
         WHERE num = ?`,
      )
      .run(num)
  }

  years(num: number): { start: number; end: number | null }[] {
    return this.#db
      .prepare<[number], { start: number; end: number | null }>(
        `SELECT start_year AS start, end_year AS "end" FROM artist_years WHERE artist = ?
         ORDER BY start_year`,
      )
      .all(num)
  }

  /** The number of a term, made when there is none. */
  termNum(name: string): number {
    return this.#term.get(name) ?? Number(this.#insertTerm.run(name).lastInsertRowid)
  }

  /** The number of a term; `undefined` when nobody has it. */
  knownTerm(name: string): number | undefined {
    return this.#term.get(name)
  }

  /** Says terms of an artist; others that it had stay. */
  addTerms(num: number, terms: readonly StoredTerm[]): void {
    for (const { name, kinds, weight, frequency } of terms) {
      this.#insertArtistTerm.run(num, this.termNum(name), kinds, weight, frequency)
    }
  }

  /** Replaces the terms of an artist. */
  setTerms(num: number, terms: readonly StoredTerm[]): void {
    this.#db.prepare('DELETE FROM artist_terms WHERE artist = ?').run(num)
    this.addTerms(num, terms)
  }

  /** The terms of an artist, the weightiest first. */
  terms(num: number): StoredTerm[] {
    return this.#db
      .prepare<[number], StoredTerm>(
        `SELECT t.name, a.kinds, a.weight, a.frequency FROM artist_terms a
         JOIN terms t ON t.num = a.term WHERE a.artist = ? ORDER BY a.weight DESC, a.frequency DESC, t.name`,
      )
      .all(num)
  }

  /** The artists of whom a term is said in one of the kinds, with its weight. */
  artistsOfTerm(term: number, kinds: number): [artist: number, weight: number][] {
    return this.#db
      .prepare<[number, number], [number, number]>(
        'SELECT artist, weight FROM artist_terms WHERE term = ? AND kinds & ?',
      )
      .raw()
      .all(term, kinds)
  }

  /** Adds a document, or writes it over the one with its id. */
  putDocument(num: number, given: ArtistDocument): void {
    const { kind, id, document, dateFound, datePosted, relevance } = given
    this.#db
      .prepare(
        `INSERT INTO artist_documents
           (artist, kind, id, document, date_found, date_posted, relevance)
         VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (artist, kind, id) DO UPDATE SET document = excluded.document,
           date_found = excluded.date_found, date_posted = excluded.date_posted,
           relevance = excluded.relevance, item = NULL`,
      )
      .run(num, kind, id, document, dateFound, datePosted, relevance)
  }

  /** The newest documents of a kind. */
  documents(num: number, kind: string, results: number): string[] {
    return this.#db
      .prepare<[number, string, number], string>(
        `SELECT coalesce(i.document, d.document)
         FROM artist_documents d LEFT JOIN feed_items i ON i.num = d.item
         WHERE d.artist = ? AND d.kind = ?
         ORDER BY d.date DESC, d.num LIMIT ?`,
      )
      .pluck()
      .all(num, kind, results)
  }

  /** How many documents of each kind there are. */
  documentCounts(num: number): Record<string, number> {
    const counts = this.#db
      .prepare<[number], [string, number]>(
        'SELECT kind, count(*) FROM artist_documents WHERE artist = ? GROUP BY kind',
      )
      .raw()
      .all(num)
    return Object.fromEntries(counts)
  }

  /** Artists in whose names, or one of them, all the words are. */
  withWords(words: readonly string[]): number[] {
    if (words.length === 0) return []
    return this.#db
      .prepare<[string], number>('SELECT rowid FROM artist_words WHERE artist_words MATCH ?')
      .pluck()
      .all(words.map((word) => `"${word}"`).join(' '))
  }

  /** Brings the words and columns of artists up to date; inside the transaction that changed them. */
  index(nums: readonly number[]): void {
    const rows = new Map<number, Values<ArtistColumn> | undefined>()
    for (const num of nums) {
      if (rows.has(num)) continue
      const row = this.#indexed.get(num)
      this.#deleteWords.run(num)
      this.#deleteGrams.run(num)
      rows.set(num, row && columnsOf(row))
      if (!row) continue
      const names = [row.name, ...(JSON.parse(row.aliases) as string[])]
      this.#insertWords.run(num, names.flatMap((name) => wordsOf(nameKey(name))).join(' '))
      this.#insertGrams.run(num, names.map((name) => ` ${artistKey(name)} `).join(''))
    }
    if (rows.size > 0) this.columns.write(rows)
  }

  /** All numbers, of a database whose artists were never indexed. */
  unindexed(): number[] {
    if (!this.columns.isEmpty) return []
    return this.#db.prepare<[], number>('SELECT num FROM artists').pluck().all()
  }

  /** Removes an artist that came with a track of one's own, if no song of theirs is left. */
  removeUnused(num: number): void {
    const removed = this.#db
      .prepare(
        `DELETE FROM artists WHERE num = ? AND imported = 0
           AND NOT EXISTS (SELECT 1 FROM songs WHERE songs.artist = artists.num)`,
      )
      .run(num).changes
    if (removed > 0) this.index([num])
  }

  /** The songs of an artist as they are listed, those that are talked of most first. */
  songsOf(artist: number): { id: string; title: string }[] {
    return this.#db
      .prepare<[number], { id: string; title: string }>(
        `SELECT id, title FROM songs WHERE artist = ?
         ORDER BY coalesce(hotttnesss, heard_hotttnesss) DESC NULLS LAST, num`,
      )
      .all(artist)
  }
}

/** What is known of an artist of whom nothing but the name is. */
const UNDESCRIBED = Object.freeze({
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
} as const)

interface IndexedArtist {
  name: string
  aliases: string
  familiarity: number | null
  hotttnesss: number | null
  latitude: number | null
  longitude: number | null
  startYear: number | null
  endYear: number | null
}

const INDEXED = `
SELECT name, (SELECT json_group_array(alias) FROM artist_names
    WHERE artist = num AND alias IS NOT NULL) AS aliases,
  coalesce(familiarity, heard_familiarity) AS familiarity,
  coalesce(hotttnesss, heard_hotttnesss) AS hotttnesss, latitude, longitude,
  start_year AS startYear, end_year AS endYear
FROM artists WHERE num = ?`

function columnsOf(row: IndexedArtist): Values<ArtistColumn> {
  return {
    familiarity: row.familiarity ?? Number.NaN,
    hotttnesss: row.hotttnesss ?? Number.NaN,
    latitude: row.latitude ?? Number.NaN,
    longitude: row.longitude ?? Number.NaN,
    startYear: row.startYear ?? 0,
    endYear: row.endYear ?? 0,
  }
}

/** With null for what is not said. */
function absent<T extends object>(facts: T): { [K in keyof T]: NonNullable<T[K]> | null } {
  const names = ['familiarity', 'hotttnesss', 'latitude', 'longitude', 'location', 'city']
  const all = [...names, 'region', 'country']
  const given = facts as Record<string, unknown>
  return Object.fromEntries(all.map((name) => [name, given[name] ?? null])) as never
}
