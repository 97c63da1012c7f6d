import type { Database } from 'better-sqlite3'
import { Counts } from '../kernel/database/counts.ts'
import { all, one, statements, values } from '../kernel/database/statements.ts'

/** The fields of a song that are compared. */
export interface NamedSong {
  num: number
  id: string
  title: string
  titleKey: string
  /** The number of its artist. */
  artist: number | null
  artistName: string | null
  /** The artists as the song credits them, if that is not the artist's name. */
  credit: string | null
  release: string | null
  /** Seconds. */
  duration: number | null
  imported: number
}

/** The artists of a song as they are shown. */
export function creditIn({ credit, artistName }: NamedSong): string {
  return credit ?? artistName ?? ''
}

const SELECT = `
SELECT s.num, s.id, s.title, s.title_key AS titleKey, s.artist, r.name AS artistName, s.credit, s.release, s.duration,
  s.imported`

const prepare = statements({
  byNum: one<[num: number], NamedSong>(
    `${SELECT} FROM songs s LEFT JOIN artists r ON r.num = s.artist WHERE s.num = ?`,
  ),
  byForeignId: all<[catalog: string, foreignId: string, most: number], NamedSong>(
    `${SELECT} FROM song_foreign_ids f JOIN songs s ON s.num = f.song
     LEFT JOIN artists r ON r.num = s.artist
     WHERE f.catalog = ? AND f.foreign_id = ? ORDER BY s.num LIMIT ?`,
  ),
  /** The songs with a title by artists with a name. */
  // CROSS makes SQLite go from the name to the songs, and not through all songs of a common title.
  byKeys: all<[artistKey: string, titleKey: string, most: number], NamedSong>(
    `${SELECT} FROM artist_names n CROSS JOIN songs s ON s.artist = n.artist
     CROSS JOIN artists r ON r.num = s.artist
     WHERE n.name_key = ? AND s.title_key = ? ORDER BY s.num LIMIT ?`,
  ),
  between: all<[artist: number, first: string, last: string, most: number], NamedSong>(
    `${SELECT} FROM songs s CROSS JOIN artists r ON r.num = s.artist
     WHERE s.artist = ? AND s.title_key >= ? AND s.title_key < ? LIMIT ?`,
  ),
  titled: all<[titleKey: string, most: number], NamedSong>(
    `${SELECT} FROM songs s LEFT JOIN artists r ON r.num = s.artist WHERE s.title_key = ? LIMIT ?`,
  ),
  ofArtist: all<[artist: number, most: number], Pick<NamedSong, 'num' | 'titleKey'>>(
    'SELECT num, title_key AS titleKey FROM songs WHERE artist = ? LIMIT ?',
  ),
  matchingWords: values<[query: string, most: number], number>(
    'SELECT rowid FROM song_words WHERE song_words MATCH ? LIMIT ?',
  ),
})

/** The queries that match names of songs. */
export type SongMatchStore = ReturnType<typeof songMatches>

export function songMatches(db: Database) {
  const sql = prepare(db)
  return Object.assign(sql, {
    /** About how many songs have a word in their names. */
    words: new Counts(db, { counts: 'song_word_counts', revised: 'song_columns' }),
    /** The songs of an artist whose titles begin with a text. */
    beginningWith: (artist: number, text: string, most: number) =>
      sql.between(artist, text, `${text}\u{10ffff}`, most),
    /** The songs with all the words of one of the sets in their names. */
    withWords(sets: readonly (readonly string[])[], most: number): number[] {
      if (sets.length === 0) return []
      const asked = sets.map((words) => `(${words.map((word) => `"${word}"`).join(' AND ')})`)
      return sql.matchingWords(asked.join(' OR '), most)
    },
  })
}
