import { TokenCounts } from '../kernel/database/counts.ts'
import { all, one, storeOf, values } from '../kernel/database/statements.ts'

export interface NamedSong {
  num: number
  id: string
  title: string
  titleKey: string
  artist: number | null
  artistName: string | null
  /** Only where it is not the artist's name. */
  credit: string | null
  release: string | null
  duration: number | null
  imported: number
}

export function creditIn({ credit, artistName }: NamedSong): string {
  return credit ?? artistName ?? ''
}

const SELECT_NAMED_SONG = `
SELECT s.num, s.id, s.title, s.title_key AS titleKey, s.artist, r.name AS artistName, s.credit, s.release, s.duration,
  s.imported`

export class SongMatchStore extends storeOf({
  byNum: one<[num: number], NamedSong>(
    `${SELECT_NAMED_SONG} FROM songs s LEFT JOIN artists r ON r.num = s.artist WHERE s.num = ?`,
  ),
  byForeignId: all<[catalog: string, foreignId: string, most: number], NamedSong>(
    `${SELECT_NAMED_SONG} FROM song_foreign_ids f JOIN songs s ON s.num = f.song
     LEFT JOIN artists r ON r.num = s.artist
     WHERE f.catalog = ? AND f.foreign_id = ? ORDER BY s.num LIMIT ?`,
  ),
  // CROSS: SQLite must not go through all songs of a common title.
  byKeys: all<[artistKey: string, titleKey: string, most: number], NamedSong>(
    `${SELECT_NAMED_SONG} FROM artist_names n CROSS JOIN songs s ON s.artist = n.artist
     CROSS JOIN artists r ON r.num = s.artist
     WHERE n.name_key = ? AND s.title_key = ? ORDER BY s.num LIMIT ?`,
  ),
  between: all<[artist: number, first: string, last: string, most: number], NamedSong>(
    `${SELECT_NAMED_SONG} FROM songs s CROSS JOIN artists r ON r.num = s.artist
     WHERE s.artist = ? AND s.title_key >= ? AND s.title_key < ? LIMIT ?`,
  ),
  titled: all<[titleKey: string, most: number], NamedSong>(
    `${SELECT_NAMED_SONG} FROM songs s LEFT JOIN artists r ON r.num = s.artist WHERE s.title_key = ? LIMIT ?`,
  ),
  ofArtist: all<[artist: number, most: number], Pick<NamedSong, 'num' | 'title' | 'titleKey'>>(
    'SELECT num, title, title_key AS titleKey FROM songs WHERE artist = ? LIMIT ?',
  ),
  matchingWords: values<[query: string, most: number], number>(
    'SELECT rowid FROM song_words WHERE song_words MATCH ? LIMIT ?',
  ),
}) {
  readonly words = new TokenCounts(this.db, { counts: 'song_word_counts', revised: 'song_columns' })

  beginningWith(artist: number, text: string, limit: number): NamedSong[] {
    return this.between(artist, text, `${text}\u{10ffff}`, limit)
  }

  withWords(sets: readonly (readonly string[])[], limit: number): number[] {
    if (sets.length === 0) return []
    const queries = sets.map((words) => `(${words.map((word) => `"${word}"`).join(' AND ')})`)
    return this.matchingWords(queries.join(' OR '), limit)
  }
}
