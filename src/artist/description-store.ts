import type { Database } from 'better-sqlite3'
import { all, run, statements, value, values } from '../kernel/database/statements.ts'
import { DERIVED_MOOD, KIND } from './terms.ts'

/** A term of an artist, as stored. */
export interface StoredTerm {
  name: string
  /** Bits of `KIND`. */
  kinds: number
  weight: number
  frequency: number
}

const prepare = statements({
  /** The number of a term; `undefined` when it describes nothing. */
  find: value<[name: string], number>('SELECT num FROM terms WHERE name = ?'),
  insert: run<[name: string]>('INSERT INTO terms (name) VALUES (?)'),
  putOfArtist: run<Omit<StoredTerm, 'name'> & { artist: number; term: number }>(
    `INSERT INTO artist_terms (artist, term, kinds, weight, frequency)
     VALUES (@artist, @term, @kinds, @weight, @frequency)
     ON CONFLICT DO UPDATE SET kinds = kinds | excluded.kinds, weight = excluded.weight,
       frequency = excluded.frequency`,
  ),
  putOfSong: run<{ song: number; term: number; kinds: number; weight: number }>(
    `INSERT INTO song_terms (song, term, kinds, weight) VALUES (@song, @term, @kinds, @weight)
     ON CONFLICT DO UPDATE SET kinds = (kinds | excluded.kinds) & ~${DERIVED_MOOD},
       weight = iif(kinds = ${DERIVED_MOOD}, excluded.weight, max(weight, excluded.weight))`,
  ),
  removeFromArtist: run<[artist: number]>('DELETE FROM artist_terms WHERE artist = ?'),
  ofArtist: all<[artist: number], StoredTerm>(
    `SELECT t.name, a.kinds, a.weight, a.frequency FROM artist_terms a
     JOIN terms t ON t.num = a.term WHERE a.artist = ?
     ORDER BY a.weight DESC, a.frequency DESC, t.name`,
  ),
  /** The artists that a term describes as one of the kinds, and how well. */
  artists: all<[term: number, kinds: number], { num: number; weight: number }>(
    'SELECT artist AS num, weight FROM artist_terms WHERE term = ? AND kinds & ?',
  ),
  /** The songs that a term describes as one of the kinds, and how well. */
  songs: all<[term: number, kinds: number], { num: number; weight: number }>(
    'SELECT song AS num, weight FROM song_terms WHERE term = ? AND kinds & ?',
  ),
  /** The songs with a derived mood that have no other mood, and whose artist has none. */
  derivedSongs: all<[term: number], { num: number; weight: number }>(
    `SELECT d.song AS num, d.weight FROM song_terms d JOIN songs s ON s.num = d.song
     WHERE d.term = ? AND d.kinds = ${DERIVED_MOOD}
       AND NOT EXISTS (SELECT 1 FROM song_terms WHERE song = s.num AND kinds & ${KIND.mood})
       AND NOT EXISTS (SELECT 1 FROM artist_terms WHERE artist = s.artist AND kinds & ${KIND.mood})`,
  ),
  removeDerived: run<[song: number]>(
    `DELETE FROM song_terms WHERE song = ? AND kinds = ${DERIVED_MOOD}`,
  ),
  putDerived: run<{ song: number; term: number; weight: number }>(
    `INSERT OR IGNORE INTO song_terms (song, term, kinds, weight)
     VALUES (@song, @term, ${DERIVED_MOOD}, @weight)`,
  ),
})

/** The tables of terms: the words that describe artists and songs. */
export function artistTerms(db: Database) {
  const sql = prepare(db)
  const numOf = (name: string) => sql.find(name) ?? Number(sql.insert(name).lastInsertRowid)
  /** Describes an artist by terms. Other terms stay. */
  const addToArtist = (artist: number, terms: readonly StoredTerm[]) => {
    for (const { name, ...term } of terms) sql.putOfArtist({ artist, term: numOf(name), ...term })
  }
  return Object.assign(sql, {
    addToArtist,
    /** Replaces the terms of an artist. */
    setOfArtist(artist: number, terms: readonly StoredTerm[]): void {
      sql.removeFromArtist(artist)
      addToArtist(artist, terms)
    },
    /** Describes a song by a term. Of two weights, the greater one stays. */
    addToSong(song: number, { name, ...term }: Omit<StoredTerm, 'frequency'>): void {
      sql.putOfSong({ song, term: numOf(name), ...term })
    },
    /** Replaces the derived moods of a song. A term that the song already has stays unchanged. */
    setDerivedMoods(song: number, moods: readonly { name: string; confidence: number }[]): void {
      sql.removeDerived(song)
      for (const { name, confidence } of moods) {
        sql.putDerived({ song, term: numOf(name), weight: confidence })
      }
    },
  })
}

/** The ids of artists in other id spaces. Artists are named by their numbers. */
export const artistIds = statements({
  add: run<[catalog: string, foreignId: string, artist: number]>(
    'INSERT OR IGNORE INTO artist_foreign_ids (catalog, foreign_id, artist) VALUES (?, ?, ?)',
  ),
  ofArtist: values<[artist: number, catalog: string], string>(
    'SELECT foreign_id FROM artist_foreign_ids WHERE artist = ? AND catalog = ? ORDER BY foreign_id',
  ),
  artist: value<[catalog: string, foreignId: string], string>(
    `SELECT a.id FROM artist_foreign_ids f JOIN artists a ON a.num = f.artist
     WHERE f.catalog = ? AND f.foreign_id = ? ORDER BY a.num LIMIT 1`,
  ),
})

/** A document about an artist. */
interface ArtistDocument {
  kind: string
  id: string
  /** The answer, as JSON. */
  document: string
  dateFound: string | null
  datePosted: string | null
  /** How much it is about the artist, 0…1. */
  relevance: number
}

/** The documents about artists. */
export const artistDocuments = statements({
  /** Adds a document, or overwrites the one with its id. */
  put: run<ArtistDocument & { artist: number }>(
    `INSERT INTO artist_documents
       (artist, kind, id, document, date_found, date_posted, relevance)
     VALUES (@artist, @kind, @id, @document, @dateFound, @datePosted, @relevance)
     ON CONFLICT (artist, kind, id) DO UPDATE SET document = excluded.document,
       date_found = excluded.date_found, date_posted = excluded.date_posted,
       relevance = excluded.relevance, item = NULL`,
  ),
  newest: values<[artist: number, kind: string, results: number], string>(
    `SELECT coalesce(i.document, d.document)
     FROM artist_documents d LEFT JOIN feed_items i ON i.num = d.item
     WHERE d.artist = ? AND d.kind = ?
     ORDER BY d.date DESC, d.num LIMIT ?`,
  ),
  counts: all<[artist: number], { kind: string; count: number }>(
    'SELECT kind, count(*) AS count FROM artist_documents WHERE artist = ? GROUP BY kind',
  ),
})
