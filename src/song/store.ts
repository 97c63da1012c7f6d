import { Columns } from '../kernel/database/columns.ts'
import { all, one, only, run, storeOf, value, values } from '../kernel/database/statements.ts'
import { type PlacedWord, TextBlocks } from '../kernel/database/texts.ts'
import { nameKey, wordsOfKey } from '../naming/names.ts'
import { SearchBox } from '../naming/search-box.ts'
import { SongMatchStore } from '../naming/song-match-store.ts'
import { placedTitle, placedWords, TEXT_FIELDS } from '../naming/text-fields.ts'
import { textWords } from '../naming/typed-text.ts'
import type { ImportedSummary, SongSummaryRow } from './audio-summary.ts'
import {
  INSERT_SUMMARIZED,
  SEARCHED_FACTS,
  SONG_COLUMNS,
  SONG_FACTS,
  type SongColumn,
  UNKNOWN_SONG,
} from './fact-columns.ts'
import type { FactValues, SearchedFact } from './facts.ts'
import { songIds } from './id-store.ts'

export interface SongRow extends SongSummaryRow {
  num: number
  id: string
  title: string
  artistNum: number | null
  artistId: string | null
  artistName: string | null
  release: string | null
  year: number | null
  /** Seconds, as imported or tagged. */
  songDuration: number | null
  hotttnesss: number | null
  songType: string | null
  rated: 0 | 1
  /** As `importedBits` gives them; 0 for a song made from a track. */
  imported: number
}

export interface SongFacts {
  title: string
  artist: number | null
  /** If it differs from the artist's name. */
  credit: string | null
  release: string | null
  duration: number | null
  year: number | null
  hotttnesss: number | null
  /** `live` and the like, separated by spaces. */
  songType: string | null
}

type Namesake = { num: number } & Pick<SongFacts, 'credit' | 'duration'>

export interface IndexedSong
  extends Partial<FactValues<SearchedFact>>,
    Pick<SongFacts, 'artist' | 'hotttnesss'> {
  titleKey: string
  artistName: string | null
}

type WordCounts = Record<'words' | 'artistWords', number>
const FIRST_TRACK = `
LEFT JOIN tracks t ON t.id = (
  SELECT x.id FROM tracks x JOIN analyses y ON y.track_id = x.id
  WHERE x.song_id = s.id ORDER BY x.created_at, x.id LIMIT 1)
LEFT JOIN analyses a ON a.track_id = t.id
LEFT JOIN song_summaries m ON m.song = s.num`

const SELECT_SONG = `
SELECT s.num, s.id, s.title, s.artist AS artistNum, r.id AS artistId,
  coalesce(s.credit, r.name) AS artistName, s.release, s.year, s.duration AS songDuration,
  coalesce(s.hotttnesss, s.heard_hotttnesss) AS hotttnesss, s.song_type AS songType,
  s.hotttnesss IS NOT NULL AS rated, s.imported,
  t.id AS trackId, m.song IS NOT NULL AS summarized, ${SONG_FACTS}
FROM songs s
LEFT JOIN artists r ON r.num = s.artist${FIRST_TRACK}`

type KeyedFacts = SongFacts & { titleKey: string }

export class SongStore extends storeOf({
  byId: one<[id: string], SongRow>(`${SELECT_SONG} WHERE s.id = ?`),
  byNum: one<[num: number], SongRow>(`${SELECT_SONG} WHERE s.num = ?`),
  /** Tables use it as their key. */
  numOf: value<[id: string], number>('SELECT num FROM songs WHERE id = ?'),
  idRow: only<[num: number], { id: string }>('SELECT id FROM songs WHERE num = ?'),
  artistOf: value<[num: number], number | null>('SELECT artist FROM songs WHERE num = ?'),
  ofArtist: values<[artist: number], number>('SELECT num FROM songs WHERE artist = ? ORDER BY num'),
  withTitle: values<[titleKey: string], number>('SELECT num FROM songs WHERE title_key = ?'),
  namesakes: all<[artist: number, titleKey: string], Namesake>(
    'SELECT num, credit, duration FROM songs WHERE artist = ? AND title_key = ? ORDER BY num',
  ),
  insert: run<KeyedFacts & { id: string; imported: number; now: number }>(
    `INSERT INTO songs (id, title, title_key, artist, credit, release, duration, year, hotttnesss,
       song_type, imported, created_at)
     VALUES (@id, @title, @titleKey, @artist, @credit, @release, @duration, @year, @hotttnesss,
       @songType, @imported, @now)`,
  ),
  overwrite: run<KeyedFacts & { num: number; imported: number }>(
    `UPDATE songs SET title = @title, title_key = @titleKey, credit = @credit,
       artist = coalesce(@artist, artist), release = coalesce(@release, release),
       duration = coalesce(@duration, duration), year = coalesce(@year, year),
       hotttnesss = coalesce(@hotttnesss, hotttnesss),
       song_type = coalesce(@songType, song_type), imported = imported | @imported
     WHERE num = @num`,
  ),
  complete: run<KeyedFacts & { num: number }>(
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
  /** With the values of an import; other values stay. */
  summarize: run<ImportedSummary & { song: number }>(
    `INSERT INTO song_summaries (song, ${INSERT_SUMMARIZED.columns})
     VALUES (@song, ${INSERT_SUMMARIZED.values})
     ON CONFLICT DO UPDATE SET ${INSERT_SUMMARIZED.update}`,
  ),
  /** Unless it changes by `least` or less. */
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
  readonly columns = new Columns<SongColumn>(this.db, 'song_columns', SONG_COLUMNS)
  readonly names = new SongMatchStore(this.db)
  readonly ids = songIds(this.db)
  readonly #texts = new TextBlocks(this.db, 'song_texts')
  readonly box = new SearchBox(this.#texts)
  #space: { catalog: string; revision: number; songs: number[] } | undefined

  idOf(num: number): string {
    return this.idRow(num).id
  }

  /** Returns its number; searches find it after {@link updateIndex}. */
  addSong(
    id: string,
    facts: SongFacts,
    imported: number,
    now: number,
    titleKey = nameKey(facts.title),
  ): number {
    return Number(this.insert({ id, ...facts, titleKey, imported, now }).lastInsertRowid)
  }

  fillIn(num: number, facts: SongFacts): void {
    this.complete({ num, ...facts, titleKey: nameKey(facts.title) })
  }

  overwriteFacts(num: number, facts: SongFacts, imported: number): void {
    this.overwrite({ num, ...facts, titleKey: nameKey(facts.title), imported })
  }

  /** In the title, in the artist as credited, or in both together; at most the first `most`. */
  withWords(words: readonly string[], field: 'title' | 'artist' | 'both', most: number): number[] {
    if (words.length === 0) return []
    const phrase = words.map((word) => `"${word}"`).join(' ')
    return this.names.matchingWords(field === 'both' ? phrase : `{${field}} : (${phrase})`, most)
  }

  /**
   * Called inside the transaction that changed the songs.
   * @param added - songs added in this transaction, which have no indexed words yet
   */
  updateIndex(nums: Iterable<number>, added?: ReadonlyMap<number, IndexedSong>): void {
    const rows = new Map<number, [IndexedSong, WordCounts] | undefined>()
    const texts = new Map<number, PlacedWord[] | undefined>()
    for (const num of new Set(nums)) {
      const addedSong = added?.get(num)
      const song = addedSong ?? this.indexed(num)
      if (!addedSong) this.deleteWords(num)
      texts.set(num, undefined)
      rows.set(num, song && [song, this.#indexNames(num, song, texts)])
    }
    if (rows.size === 0) return
    this.#texts.writeTexts(texts)
    this.columns.writeRows(rows, ([song, counts], column) =>
      column === 'words' || column === 'artistWords'
        ? Math.min(counts[column], 255) // The maximum of a byte.
        : (song[column] ?? UNKNOWN_SONG[column]),
    )
  }

  #indexNames(
    num: number,
    { titleKey, artistName }: IndexedSong,
    texts: Map<number, PlacedWord[] | undefined>,
  ): WordCounts {
    const artistKey = nameKey(artistName ?? '')
    const [title, artist] = [wordsOfKey(titleKey), wordsOfKey(artistKey)]
    this.insertWords(num, title.join(' '), artist.join(' '))
    texts.set(num, [
      ...placedTitle(titleKey, textWords(titleKey, title)),
      ...placedWords(textWords(artistKey, artist), TEXT_FIELDS.artist),
    ])
    return { words: Math.max(title.length, 1), artistWords: artist.length }
  }

  /** A space may hold all songs. */
  inSpace(catalog: string): readonly number[] {
    const { revision } = this.columns
    if (this.#space?.catalog !== catalog || this.#space.revision !== revision) {
      this.#space = { catalog, revision, songs: this.ids.songsInSpace({ catalog }) }
    }
    return this.#space.songs
  }

  /** Only if it came with a track and has no track left; also returns its artist. */
  removeUnused(id: string): { removed: boolean; artist: number | null } {
    const row = this.deleteUnused(id)
    if (row) this.updateIndex([row.num])
    return { removed: row !== undefined, artist: row?.artist ?? null }
  }
}
