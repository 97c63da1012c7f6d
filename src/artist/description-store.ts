import { all, run, statements, storeOf, value, values } from '../kernel/database/statements.ts'
import { DERIVED_MOOD, HEARD_TERM, TERM_KINDS } from './terms.ts'

export interface StoredTerm {
  name: string
  /** Bits of `KIND`. */
  kinds: number
  weight: number
  frequency: number
}

/** A term that was derived from sound. */
interface SureTerm {
  name: string
  confidence: number
}

export class TermStore extends storeOf({
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
     ON CONFLICT DO UPDATE SET kinds = (iif(kinds IN (${DERIVED_MOOD}, ${HEARD_TERM}), 0, kinds)
         | excluded.kinds),
       weight = iif(kinds IN (${DERIVED_MOOD}, ${HEARD_TERM}), excluded.weight,
         max(weight, excluded.weight))`,
  ),
  removeFromArtist: run<[artist: number]>('DELETE FROM artist_terms WHERE artist = ?'),
  ofArtist: all<[artist: number], StoredTerm>(
    `SELECT t.name, a.kinds, a.weight, a.frequency FROM artist_terms a
     JOIN terms t ON t.num = a.term WHERE a.artist = ?
     ORDER BY a.weight DESC, a.frequency DESC, t.name`,
  ),
  artists: all<[term: number, kinds: number], { num: number; weight: number }>(
    'SELECT artist AS num, weight FROM artist_terms WHERE term = ? AND kinds & ?',
  ),
  songs: all<[term: number, kinds: number], { num: number; weight: number }>(
    'SELECT song AS num, weight FROM song_terms WHERE term = ? AND kinds & ?',
  ),
  /** Those that have no other mood, and whose artist has none. */
  derivedSongs: all<[term: number], { num: number; weight: number }>(
    `SELECT d.song AS num, d.weight FROM song_terms d JOIN songs s ON s.num = d.song
     WHERE d.term = ? AND d.kinds = ${DERIVED_MOOD}
       AND NOT EXISTS (SELECT 1 FROM song_terms WHERE song = s.num AND kinds & ${TERM_KINDS.mood})
       AND NOT EXISTS (SELECT 1 FROM artist_terms WHERE artist = s.artist AND kinds & ${TERM_KINDS.mood})`,
  ),
  removeKinds: run<[song: number, kinds: number]>(
    'DELETE FROM song_terms WHERE song = ? AND kinds = ?',
  ),
  putUnlessKnown: run<{ song: number; term: number; kinds: number; weight: number }>(
    `INSERT OR IGNORE INTO song_terms (song, term, kinds, weight)
     VALUES (@song, @term, @kinds, @weight)`,
  ),
}) {
  #numOf(name: string): number {
    return this.find(name) ?? Number(this.insert(name).lastInsertRowid)
  }

  addToArtist(artist: number, terms: readonly StoredTerm[]): void {
    for (const { name, ...term } of terms) {
      this.putOfArtist({ artist, term: this.#numOf(name), ...term })
    }
  }

  setOfArtist(artist: number, terms: readonly StoredTerm[]): void {
    this.removeFromArtist(artist)
    this.addToArtist(artist, terms)
  }

  /** Of two weights, the greater one stays. */
  addToSong(song: number, { name, ...term }: Omit<StoredTerm, 'frequency'>): void {
    this.putOfSong({ song, term: this.#numOf(name), ...term })
  }

  /** A term that the song already has stays unchanged. */
  setDerivedMoods(song: number, moods: readonly SureTerm[]): void {
    this.#replace(song, DERIVED_MOOD, moods)
  }

  /** A term that the song already has stays unchanged. */
  setHeardTerms(song: number, terms: readonly SureTerm[]): void {
    this.#replace(song, HEARD_TERM, terms)
  }

  #replace(song: number, kinds: number, terms: readonly SureTerm[]): void {
    this.removeKinds(song, kinds)
    for (const { name, confidence } of terms)
      this.putUnlessKnown({ song, term: this.#numOf(name), kinds, weight: confidence })
  }
}

export const artistIds = statements({
  add: run<[catalog: string, foreignId: string, artist: number]>(
    'INSERT OR IGNORE INTO artist_foreign_ids (catalog, foreign_id, artist) VALUES (?, ?, ?)',
  ),
  ofArtist: values<[artist: number, catalog: string], string>(
    'SELECT foreign_id FROM artist_foreign_ids WHERE artist = ? AND catalog = ? ORDER BY foreign_id',
  ),
  artist: value<[catalog: string, foreignId: string], number>(
    `SELECT artist FROM artist_foreign_ids WHERE catalog = ? AND foreign_id = ?
     ORDER BY artist LIMIT 1`,
  ),
})

export interface ArtistDocument {
  kind: string
  id: string
  document: string
  dateFound: string | null
  datePosted: string | null
  relevance: number
}

export const artistDocuments = statements({
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
