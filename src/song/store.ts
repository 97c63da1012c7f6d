import type { Database } from 'better-sqlite3'
import { Columns } from '../kernel/database/columns.ts'
import { all, one, only, run, storeOf, value, values } from '../kernel/database/statements.ts'
import { nameKey, wordsOf } from '../naming/names.ts'
import { type SongMatchStore, songMatches } from '../naming/song-match-store.ts'
import type { ImportedSummary, SongSummaryRow } from './audio-summary.ts'
import {
  INSERT_SUMMARIZED,
  SEARCHED_FACTS,
  SONG_COLUMNS,
  SONG_FACTS,
  type SongColumn,
  unknownSongValue,
} from './fact-columns.ts'
import type { FactValues, SearchedFact } from './facts.ts'
import { songIds } from './id-store.ts'
import { type SongNames, SongTexts } from './text-store.ts'

/** A song as stored, with the sound of its first analysed track or of an import. */
export interface SongRow extends SongSummaryRow {
  num: number
  id: string
  title: string
  artistNum: number | null
  artistId: string | null
  /** The artist as the song credits them. */
  artistName: string | null
  release: string | null
  year: number | null
  /** Seconds, as imported or tagged. */
  songDuration: number | null
  /** Imported, or computed from plays in catalogs. */
  hotttnesss: number | null
  songType: string | null
  /** Whether the hotttnesss was imported. */
  rated: 0 | 1
  /**
   * Which fields an import has set, as `importedBits` gives them; 0 for a song made from a track.
   */
  imported: number
}

/** The facts about a song besides its id. */
export interface SongFacts {
  title: string
  /** The number of its artist. */
  artist: number | null
  /** The artists as the song credits them, if it differs from the artist's name. */
  credit: string | null
  release: string | null
  /** Seconds. */
  duration: number | null
  year: number | null
  /** 0…1. */
  hotttnesss: number | null
  /** `live` and the like, separated by spaces. */
  songType: string | null
}

/** A song with the title and artist of another one. */
type Namesake = { num: number } & Pick<SongFacts, 'credit' | 'duration'>

/** The search index values of a song. */
export interface IndexedSong
  extends Partial<FactValues<SearchedFact>>,
    Pick<SongFacts, 'artist' | 'hotttnesss'>,
    SongNames {}

type WordCounts = Record<'words' | 'artistWords', number>
const FIRST_TRACK = `
LEFT JOIN tracks t ON t.id = (
  SELECT x.id FROM tracks x JOIN analyses y ON y.track_id = x.id
  WHERE x.song_id = s.id ORDER BY x.created_at, x.id LIMIT 1)
LEFT JOIN analyses a ON a.track_id = t.id
LEFT JOIN song_summaries m ON m.song = s.num`

const SELECT = `
SELECT s.num, s.id, s.title, s.artist AS artistNum, r.id AS artistId,
  coalesce(s.credit, r.name) AS artistName, s.release, s.year, s.duration AS songDuration,
  coalesce(s.hotttnesss, s.heard_hotttnesss) AS hotttnesss, s.song_type AS songType,
  s.hotttnesss IS NOT NULL AS rated, s.imported,
  t.id AS trackId, m.song IS NOT NULL AS summarized, ${SONG_FACTS}
FROM songs s
LEFT JOIN artists r ON r.num = s.artist${FIRST_TRACK}`

type Keyed = SongFacts & { titleKey: string }

/** The tables of songs and of their imported summaries. */
export class SongStore extends storeOf({
  byId: one<[id: string], SongRow>(`${SELECT} WHERE s.id = ?`),
  byNum: one<[num: number], SongRow>(`${SELECT} WHERE s.num = ?`),
  /** The number of a song, which tables use as its key. */
  numOf: value<[id: string], number>('SELECT num FROM songs WHERE id = ?'),
  idRow: only<[num: number], { id: string }>('SELECT id FROM songs WHERE num = ?'),
  /** The number of a song's artist. */
  artistOf: value<[num: number], number | null>('SELECT artist FROM songs WHERE num = ?'),
  ofArtist: values<[artist: number], number>('SELECT num FROM songs WHERE artist = ? ORDER BY num'),
  withTitle: values<[titleKey: string], number>('SELECT num FROM songs WHERE title_key = ?'),
  withQuery: values<[query: string, most: number], number>(
    'SELECT rowid FROM song_words WHERE song_words MATCH ? LIMIT ?',
  ),
  /** The songs of an artist with one title, by its key. */
  namesakes: all<[artist: number, titleKey: string], Namesake>(
    'SELECT num, credit, duration FROM songs WHERE artist = ? AND title_key = ? ORDER BY num',
  ),
  insert: run<Keyed & { id: string; imported: number; now: number }>(
    `INSERT INTO songs (id, title, title_key, artist, credit, release, duration, year, hotttnesss,
       song_type, imported, created_at)
     VALUES (@id, @title, @titleKey, @artist, @credit, @release, @duration, @year, @hotttnesss,
       @songType, @imported, @now)`,
  ),
  overwrite: run<Keyed & { num: number; imported: number }>(
    `UPDATE songs SET title = @title, title_key = @titleKey, credit = @credit,
       artist = coalesce(@artist, artist), release = coalesce(@release, release),
       duration = coalesce(@duration, duration), year = coalesce(@year, year),
       hotttnesss = coalesce(@hotttnesss, hotttnesss),
       song_type = coalesce(@songType, song_type), imported = imported | @imported
     WHERE num = @num`,
  ),
  complete: run<Keyed & { num: number }>(
    `UPDATE songs SET
       title = iif(title = '', @title, title),
       title_key = iif(title = '', @titleKey, title_key),
       credit = iif(artist IS NULL, @credit, credit),
       artist = coalesce(artist, @artist),
       release = coalesce(release, @release),
       duration = coalesce(duration, @duration),
       year = coalesce(year, @year)
     WHERE num = @num`,
  ),
  /** Overwrites the summary of a song with the values of an import; other values stay. */
  summarize: run<ImportedSummary & { song: number }>(
    `INSERT INTO song_summaries (song, ${INSERT_SUMMARIZED.columns})
     VALUES (@song, ${INSERT_SUMMARIZED.values})
     ON CONFLICT DO UPDATE SET ${INSERT_SUMMARIZED.update}`,
  ),
  putHeard: run<{ num: number; hotttnesss: number; least: number }>(
    `UPDATE songs SET heard_hotttnesss = @hotttnesss
     WHERE num = @num AND abs(coalesce(heard_hotttnesss, -1) - @hotttnesss) > @least`,
  ),
  deleteUnused: one<[id: string], { num: number; artist: number | null }>(
    `DELETE FROM songs WHERE id = ? AND imported = 0
       AND NOT EXISTS (SELECT 1 FROM tracks WHERE tracks.song_id = songs.id)
     RETURNING num, artist`,
  ),
  indexed: one<[num: number], IndexedSong>(
    `SELECT s.title_key AS titleKey, coalesce(s.credit, r.name) AS artistName, s.artist,
       coalesce(s.hotttnesss, s.heard_hotttnesss) AS hotttnesss, ${SEARCHED_FACTS}
     FROM songs s
     LEFT JOIN artists r ON r.num = s.artist${FIRST_TRACK}
     WHERE s.num = ?`,
  ),
  deleteWords: run<[num: number]>('DELETE FROM song_words WHERE rowid = ?'),
  insertWords: run<[num: number, title: string, artist: string]>(
    'INSERT INTO song_words (rowid, title, artist) VALUES (?, ?, ?)',
  ),
}) {
  /** The columns that searches read. */
  readonly columns: Columns<SongColumn>
  /** The statements for matching names. */
  readonly names: SongMatchStore
  readonly ids: ReturnType<typeof songIds>
  readonly texts: SongTexts
  #space: { catalog: string; revision: number; songs: number[] } | undefined

  constructor(db: Database) {
    super(db)
    this.columns = new Columns(db, 'song_columns', SONG_COLUMNS)
    this.names = songMatches(db)
    this.ids = songIds(db)
    this.texts = new SongTexts(db)
  }

  idOf(num: number): string {
    return this.idRow(num).id
  }

  /** Adds a song; returns its number. Searches find it after {@link index}. */
  add(id: string, facts: SongFacts, imported: number, now: number): number {
    const row = { id, ...facts, titleKey: nameKey(facts.title), imported, now }
    return Number(this.insert(row).lastInsertRowid)
  }

  /** Sets only the unknown facts of a song. */
  fillIn(num: number, facts: SongFacts): void {
    this.complete({ num, ...facts, titleKey: nameKey(facts.title) })
  }

  /** Overwrites the facts of a song with those of an import. */
  update(num: number, facts: SongFacts, imported: number): void {
    this.overwrite({ num, ...facts, titleKey: nameKey(facts.title), imported })
  }

  /** Sets the hotttnesss computed from plays; returns false when it changes by `least` or less. */
  setHeard(num: number, hotttnesss: number, least: number): boolean {
    return this.putHeard({ num, hotttnesss, least }).changes > 0
  }

  /**
   * The songs with all the words in the title, in the artist as credited, or in both together; at
   * most the first `most` of them.
   */
  withWords(words: readonly string[], where: 'title' | 'artist' | 'both', most: number): number[] {
    if (words.length === 0) return []
    const quoted = words.map((word) => `"${word}"`).join(' ')
    return this.withQuery(where === 'both' ? quoted : `{${where}} : (${quoted})`, most)
  }

  /**
   * Updates the words and columns of songs; inside the transaction that changed them.
   *
   * @param added - songs that were added in this transaction, which have no indexed words yet
   */
  index(nums: Iterable<number>, added?: ReadonlyMap<number, IndexedSong>): void {
    const rows = new Map<number, [IndexedSong, WordCounts] | undefined>()
    for (const num of new Set(nums)) {
      const fresh = added?.get(num)
      const song = fresh ?? this.indexed(num)
      if (!fresh) this.deleteWords(num)
      rows.set(num, song && [song, this.#indexNames(num, song)])
    }
    if (rows.size === 0) return
    this.texts.write(new Map([...rows].map(([num, row]) => [num, row?.[0]])))
    this.columns.write(rows, ([song, counts], column) =>
      column === 'words' || column === 'artistWords'
        ? Math.min(counts[column], 255) // the maximum of a byte
        : (song[column] ?? unknownSongValue(column)),
    )
  }

  #indexNames(num: number, { titleKey, artistName }: IndexedSong): WordCounts {
    const title = wordsOf(titleKey)
    const artist = artistName === null ? [] : wordsOf(nameKey(artistName))
    this.insertWords(num, title.join(' '), artist.join(' '))
    return { words: Math.max(title.length, 1), artistWords: artist.length }
  }

  /** The songs that have an id or a track in a space. A space may hold all songs. */
  inSpace(catalog: string): readonly number[] {
    const { revision } = this.columns
    if (this.#space?.catalog !== catalog || this.#space.revision !== revision) {
      this.#space = { catalog, revision, songs: this.ids.songsInSpace({ catalog }) }
    }
    return this.#space.songs
  }

  /** Removes a song that came with a track and has no track left; also returns its artist. */
  removeUnused(id: string): { removed: boolean; artist: number | null } {
    const row = this.deleteUnused(id)
    if (row) this.index([row.num])
    return { removed: row !== undefined, artist: row?.artist ?? null }
  }
}
