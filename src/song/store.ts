import type { Database } from 'better-sqlite3'
import { nameKey, wordsOf } from '../artist/names.ts'
import { Columns, type Values } from '../kernel/database/columns.ts'
import { type Transaction, transaction } from '../kernel/database/transaction.ts'
import type { SummaryRow } from './audio-summary.ts'
import { SongMatchStore } from './match-store.ts'
import { SONG_COLUMNS, type SongColumn, UNKNOWN } from './song-columns.ts'

/** A song as stored, with what its first analysed track, else an import, says of its sound. */
export interface SongRow extends SummaryRow {
  num: number
  id: string
  title: string
  artistNum: number | null
  artistId: string | null
  /** As the song credits it. */
  artistName: string | null
  release: string | null
  year: number | null
  /** Seconds, as imported or tagged. */
  songDuration: number | null
  /** As imported, else as listening shows it. */
  hotttnesss: number | null
  songType: string | null
  /** Whether the hotttnesss was imported. */
  rated: 0 | 1
  /** The bits of {@link FIELD} that an import has set; 0 of a song made from one's own track. */
  imported: number
  /** The analysed track whose summary it is; `null` when the summary was imported, or none. */
  trackId: string | null
  /** Whether an import says anything of the sound. */
  summarized: 0 | 1
  acousticness: number | null
  instrumentalness: number | null
  liveness: number | null
  valence: number | null
  audioMd5: string | null
}

/** Bits of fields, for where their values came from. */
export const FIELD = Object.freeze({ names: 1, release: 2, duration: 4, year: 8 } as const)

/** What is known of a song besides its id. */
export interface SongFacts {
  title: string
  /** The number of its artist. */
  artist: number | null
  /** The artists as the song credits them, where that is not just the artist's name. */
  credit: string | null
  release: string | null
  /** Seconds. */
  duration: number | null
  year: number | null
  /** How much it is talked of, 0..1. */
  hotttnesss: number | null
  /** `live` and the like, with a space between. */
  songType: string | null
}

/** What an import says of a song's sound. */
export interface ImportedSummary {
  tempo: number | null
  key: number | null
  mode: number | null
  timeSignature: number | null
  loudness: number | null
  energy: number | null
  danceability: number | null
  speechiness: number | null
  acousticness: number | null
  instrumentalness: number | null
  liveness: number | null
  valence: number | null
  audioMd5: string | null
}

/** A track of a song in another id space. */
export interface ForeignTrack {
  catalog: string
  foreignId: string
  trackId: string | null
  foreignReleaseId: string | null
  previewUrl: string | null
  releaseImage: string | null
}

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
  t.id AS trackId, m.song IS NOT NULL AS summarized, coalesce(a.duration, s.duration) AS duration,
  coalesce(a.tempo, m.tempo) AS tempo, coalesce(a."key", m."key") AS "key",
  coalesce(a.mode, m.mode) AS mode,
  coalesce(a.time_signature, m.time_signature) AS timeSignature,
  coalesce(a.loudness, m.loudness) AS loudness, coalesce(a.energy, m.energy) AS energy,
  coalesce(a.danceability, m.danceability) AS danceability,
  coalesce(a.speechiness, m.speechiness) AS speechiness, m.acousticness, m.instrumentalness,
  m.liveness, m.valence, coalesce(t.audio_md5, m.audio_md5) AS audioMd5
FROM songs s
LEFT JOIN artists r ON r.num = s.artist${FIRST_TRACK}`

/** The tables of songs: what they are called, where else they are known, what imports say of them. */
export class SongStore {
  readonly atomically: Transaction
  /** The numbers that searches read. */
  readonly columns: Columns<SongColumn>
  /** What names are matched by. */
  readonly names: SongMatchStore
  readonly #db: Database
  readonly #byId
  readonly #byNum
  readonly #numOf
  readonly #idOf
  readonly #songOfTrack
  readonly #byForeignId
  readonly #byForeignTrack
  readonly #insertForeignId
  readonly #insertTrack
  readonly #insert
  readonly #fillIn
  readonly #update
  readonly #summarize
  readonly #indexed
  readonly #deleteWords
  readonly #insertWords
  readonly #namesakes
  readonly #songsInSpace
  readonly #artistOf
  readonly #setHeard
  #space: { catalog: string; revision: number; songs: number[] } | undefined

  constructor(db: Database) {
    this.atomically = transaction(db)
    this.#db = db
    this.columns = new Columns(db, 'song_columns', SONG_COLUMNS)
    this.names = new SongMatchStore(db)
    this.#byId = db.prepare<[string], SongRow>(`${SELECT} WHERE s.id = ?`)
    this.#byNum = db.prepare<[number], SongRow>(`${SELECT} WHERE s.num = ?`)
    this.#numOf = db.prepare<[string], number>('SELECT num FROM songs WHERE id = ?').pluck()
    this.#idOf = db.prepare<[number], string>('SELECT id FROM songs WHERE num = ?').pluck()
    this.#songOfTrack = db
      .prepare<{ id: string }, string | null>(
        `SELECT song_id FROM tracks WHERE id = @id AND song_id IS NOT NULL UNION ALL
         SELECT s.id FROM song_tracks f JOIN songs s ON s.num = f.song WHERE f.track_id = @id LIMIT 1`,
      )
      .pluck()
    this.#byForeignId = db
      .prepare<[string, string], string>(
        `SELECT s.id FROM song_foreign_ids f JOIN songs s ON s.num = f.song
         WHERE f.catalog = ? AND f.foreign_id = ? ORDER BY s.num LIMIT 1`,
      )
      .pluck()
    this.#byForeignTrack = db
      .prepare<{ catalog: string; id: string }, string>(
        `SELECT s.id FROM song_tracks f JOIN songs s ON s.num = f.song
         WHERE f.catalog = @catalog AND f.foreign_id = @id UNION ALL
         SELECT t.song_id FROM track_foreign_ids f JOIN tracks t ON t.id = f.track_id
         WHERE f.catalog = @catalog AND f.type = 'track' AND f.foreign_id = @id
           AND t.song_id IS NOT NULL LIMIT 1`,
      )
      .pluck()
    this.#insertForeignId = db.prepare<[string, string, number]>(
      'INSERT OR IGNORE INTO song_foreign_ids (catalog, foreign_id, song) VALUES (?, ?, ?)',
    )
    this.#insertTrack = db.prepare<ForeignTrack & { song: number }>(
      `INSERT OR REPLACE INTO song_tracks (song, catalog, foreign_id, track_id, foreign_release_id,
         preview_url, release_image)
       VALUES (@song, @catalog, @foreignId, @trackId, @foreignReleaseId, @previewUrl, @releaseImage)`,
    )
    this.#insert = db.prepare(
      `INSERT INTO songs (id, title, title_key, artist, credit, release, duration, year, hotttnesss,
         song_type, imported, created_at)
       VALUES (@id, @title, @titleKey, @artist, @credit, @release, @duration, @year, @hotttnesss,
         @songType, @imported, @now)`,
    )
    this.#update = db.prepare(
      `UPDATE songs SET title = @title, title_key = @titleKey, credit = @credit,
         artist = coalesce(@artist, artist), release = coalesce(@release, release),
         duration = coalesce(@duration, duration), year = coalesce(@year, year),
         hotttnesss = coalesce(@hotttnesss, hotttnesss),
         song_type = coalesce(@songType, song_type), imported = imported | @imported
       WHERE num = @num`,
    )
    this.#fillIn = db.prepare(
      `UPDATE songs SET
         title = iif(title = '', @title, title),
         title_key = iif(title = '', @titleKey, title_key),
         credit = iif(artist IS NULL, @credit, credit),
         artist = coalesce(artist, @artist),
         release = coalesce(release, @release),
         duration = coalesce(duration, @duration),
         year = coalesce(year, @year)
       WHERE num = @num`,
    )
    this.#summarize = db.prepare<ImportedSummary & { song: number }>(
      `INSERT INTO song_summaries (song, tempo, "key", mode, time_signature, loudness, energy,
         danceability, speechiness, acousticness, instrumentalness, liveness, valence, audio_md5)
       VALUES (@song, @tempo, @key, @mode, @timeSignature, @loudness, @energy, @danceability,
         @speechiness, @acousticness, @instrumentalness, @liveness, @valence, @audioMd5)
       ON CONFLICT DO UPDATE SET
         tempo = coalesce(excluded.tempo, tempo), "key" = coalesce(excluded."key", "key"),
         mode = coalesce(excluded.mode, mode),
         time_signature = coalesce(excluded.time_signature, time_signature),
         loudness = coalesce(excluded.loudness, loudness),
         energy = coalesce(excluded.energy, energy),
         danceability = coalesce(excluded.danceability, danceability),
         speechiness = coalesce(excluded.speechiness, speechiness),
         acousticness = coalesce(excluded.acousticness, acousticness),
         instrumentalness = coalesce(excluded.instrumentalness, instrumentalness),
         liveness = coalesce(excluded.liveness, liveness),
         valence = coalesce(excluded.valence, valence),
         audio_md5 = coalesce(excluded.audio_md5, audio_md5)`,
    )
    this.#indexed = db.prepare<[number], IndexedSong>(INDEXED)
    this.#artistOf = db
      .prepare<[number], number | null>('SELECT artist FROM songs WHERE num = ?')
      .pluck()
    this.#setHeard = db.prepare<{ num: number; hotttnesss: number; least: number }>(
      `UPDATE songs SET heard_hotttnesss = @hotttnesss
       WHERE num = @num AND abs(coalesce(heard_hotttnesss, -1) - @hotttnesss) > @least`,
    )
    this.#songsInSpace = db
      .prepare<{ catalog: string }, number>(
        `SELECT song FROM song_foreign_ids WHERE catalog = @catalog
         UNION ALL SELECT song FROM song_tracks INDEXED BY song_tracks_foreign WHERE catalog = @catalog
         UNION ALL SELECT s.num FROM track_foreign_ids f JOIN tracks t ON t.id = f.track_id
           JOIN songs s ON s.id = t.song_id WHERE f.catalog = @catalog AND f.type = 'track'`,
      )
      .pluck()
    this.#namesakes = db.prepare<[number, string], Namesake>(
      'SELECT num, credit, duration FROM songs WHERE artist = ? AND title_key = ? ORDER BY num',
    )
    this.#deleteWords = db.prepare<[number]>('DELETE FROM song_words WHERE rowid = ?')
    this.#insertWords = db.prepare<[number, string, string]>(
      'INSERT INTO song_words (rowid, title, artist) VALUES (?, ?, ?)',
    )
  }

  byId(id: string): SongRow | undefined {
    return this.#byId.get(id)
  }

  byNum(num: number): SongRow | undefined {
    return this.#byNum.get(num)
  }

  /** The number of a song, by which tables name it. */
  numOf(id: string): number | undefined {
    return this.#numOf.get(id)
  }

  idOf(num: number): string | undefined {
    return this.#idOf.get(num)
  }

  /** The number of a song's artist. */
  artistOf(num: number): number | undefined {
    return this.#artistOf.get(num) ?? undefined
  }

  /** Writes how much a song is talked of by what is listened to; false when it changes little. */
  setHeard(num: number, hotttnesss: number, least: number): boolean {
    return this.#setHeard.run({ num, hotttnesss, least }).changes > 0
  }

  /** The song that has an id in another id space. */
  byForeignId(catalog: string, foreignId: string): string | undefined {
    return this.#byForeignId.get(catalog, foreignId)
  }

  /** The song that a track of another id space is of: an imported one, or a tag of one's own. */
  byForeignTrack(catalog: string, id: string): string | undefined {
    return this.#byForeignTrack.get({ catalog, id })
  }

  addForeignId(num: number, catalog: string, foreignId: string): void {
    this.#insertForeignId.run(catalog, foreignId, num)
  }

  addTrack(num: number, track: ForeignTrack): void {
    this.#insertTrack.run({ song: num, ...track })
  }

  /** The ids of a song in an id space. */
  foreignIds(num: number, catalog: string): string[] {
    return this.#db
      .prepare<[number, string], string>(
        'SELECT foreign_id FROM song_foreign_ids WHERE song = ? AND catalog = ? ORDER BY foreign_id',
      )
      .pluck()
      .all(num, catalog)
  }

  /** The tracks of a song in an id space: imported ones, then one's own by the ids in their tags. */
  foreignTracks(num: number, catalog: string): ForeignTrack[] {
    return this.#db
      .prepare<{ num: number; catalog: string }, ForeignTrack>(
        `SELECT catalog, foreign_id AS foreignId, track_id AS trackId,
           foreign_release_id AS foreignReleaseId, preview_url AS previewUrl,
           release_image AS releaseImage
         FROM song_tracks WHERE song = @num AND catalog = @catalog
         UNION ALL
         SELECT f.catalog, f.foreign_id, t.id, (
             SELECT foreign_id FROM track_foreign_ids
             WHERE track_id = t.id AND catalog = @catalog AND type = 'release' LIMIT 1), NULL, NULL
         FROM songs s JOIN tracks t ON t.song_id = s.id
         JOIN track_foreign_ids f ON f.track_id = t.id AND f.type = 'track'
         WHERE s.num = @num AND f.catalog = @catalog`,
      )
      .all({ num, catalog })
  }

  /** The id spaces in which a song has tracks. */
  trackSpaces(num: number): string[] {
    return this.#db
      .prepare<{ num: number }, string>(
        `SELECT catalog FROM song_tracks WHERE song = @num
         UNION
         SELECT f.catalog FROM songs s JOIN tracks t ON t.song_id = s.id
         JOIN track_foreign_ids f ON f.track_id = t.id AND f.type = 'track'
         WHERE s.num = @num ORDER BY 1`,
      )
      .pluck()
      .all({ num })
  }

  /** A track that an import named, by its id or that of another space; with its song. */
  importedTrack(
    id: { trackId: string } | { catalog: string; foreignId: string },
  ): (ForeignTrack & { song: number }) | undefined {
    const by =
      'trackId' in id ? 'track_id = @trackId' : 'catalog = @catalog AND foreign_id = @foreignId'
    return this.#db
      .prepare<[Readonly<Record<string, string>>], ForeignTrack & { song: number }>(
        `SELECT song, catalog, foreign_id AS foreignId, track_id AS trackId,
           foreign_release_id AS foreignReleaseId, preview_url AS previewUrl,
           release_image AS releaseImage
         FROM song_tracks WHERE ${by} ORDER BY song LIMIT 1`,
      )
      .get({ ...id })
  }

  /** The song that a track is a recording of. */
  songOfTrack(trackId: string): string | undefined {
    return this.#songOfTrack.get({ id: trackId }) ?? undefined
  }

  /** Adds a song; its number. It is found by words and numbers after {@link index}. */
  add(id: string, facts: SongFacts, imported: number, now: number): number {
    const titleKey = nameKey(facts.title)
    const { lastInsertRowid } = this.#insert.run({ id, ...facts, titleKey, imported, now })
    return Number(lastInsertRowid)
  }

  /** Adds what was not known of a song; what is known stays. */
  fillIn(num: number, facts: SongFacts): void {
    this.#fillIn.run({ num, ...facts, titleKey: nameKey(facts.title) })
  }

  /** Writes what an import says of a song over what was known. */
  update(num: number, facts: SongFacts, imported: number): void {
    this.#update.run({ num, ...facts, titleKey: nameKey(facts.title), imported })
  }

  /** Writes what an import says of a song's sound; where it says nothing, what was known stays. */
  summarize(num: number, summary: ImportedSummary): void {
    this.#summarize.run({ song: num, ...summary })
  }

  /** Says a term of a song; with another weight, the greater one stays. */
  addTerm(
    num: number,
    { term, kinds, weight }: { term: number; kinds: number; weight: number },
  ): void {
    this.#db
      .prepare(
        `INSERT INTO song_terms (song, term, kinds, weight) VALUES (?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET kinds = kinds | excluded.kinds, weight = max(weight, excluded.weight)`,
      )
      .run(num, term, kinds, weight)
  }

  /** The songs of which a term is said in one of the kinds, with its weight. */
  songsOfTerm(term: number, kinds: number): [song: number, weight: number][] {
    return this.#db
      .prepare<[number, number], [number, number]>(
        'SELECT song, weight FROM song_terms WHERE term = ? AND kinds & ?',
      )
      .raw()
      .all(term, kinds)
  }

  /** The songs of that very title, by its key. */
  withTitle(titleKey: string): number[] {
    return this.#db
      .prepare<[string], number>('SELECT num FROM songs WHERE title_key = ?')
      .pluck()
      .all(titleKey)
  }

  /** The songs of an artist that have one title, by its key. */
  namesakes(artist: number, titleKey: string): Namesake[] {
    return this.#namesakes.all(artist, titleKey)
  }

  /** The songs of an artist. */
  ofArtist(artist: number): number[] {
    return this.#db
      .prepare<[number], number>('SELECT num FROM songs WHERE artist = ? ORDER BY num')
      .pluck()
      .all(artist)
  }

  /**
   * The songs in which all words are: of the title, of the artist as credited, or of both together;
   * at most `most` of them, the first that came.
   */
  withWords(words: readonly string[], where: 'title' | 'artist' | 'both', most: number): number[] {
    if (words.length === 0) return []
    const all = words.map((word) => `"${word}"`).join(' ')
    return this.#db
      .prepare<[string, number], number>(
        'SELECT rowid FROM song_words WHERE song_words MATCH ? LIMIT ?',
      )
      .pluck()
      .all(where === 'both' ? all : `{${where}} : (${all})`, most)
  }

  /** Whether a song is known in an id space, or has a track there. */
  isInSpace(num: number, catalog: string): boolean {
    return this.foreignIds(num, catalog).length > 0 || this.foreignTracks(num, catalog).length > 0
  }

  /**
   * The songs that are known in an id space, or have a track there. Held until songs change: a space
   * may hold them all.
   */
  inSpace(catalog: string): readonly number[] {
    const revision = this.columns.revision
    if (this.#space?.catalog !== catalog || this.#space.revision !== revision) {
      this.#space = { catalog, revision, songs: this.#songsInSpace.all({ catalog }) }
    }
    return this.#space.songs
  }

  /**
   * Brings the words and columns of songs up to date; inside the transaction that changed them.
   *
   * @param added - those that came in this transaction, of which there are no words yet
   */
  index(nums: Iterable<number>, added?: ReadonlyMap<number, IndexedSong>): void {
    const rows = new Map<number, Values<SongColumn> | undefined>()
    for (const num of nums) {
      if (rows.has(num)) continue
      const fresh = added?.get(num)
      const row = fresh ?? this.#indexed.get(num)
      if (!fresh) this.#deleteWords.run(num)
      if (!row) {
        rows.set(num, undefined)
        continue
      }
      const title = wordsOf(row.titleKey)
      const artist = row.artistName === null ? [] : wordsOf(nameKey(row.artistName))
      this.#insertWords.run(num, title.join(' '), artist.join(' '))
      rows.set(num, columnsOf(row, title.length, artist.length))
    }
    if (rows.size > 0) this.columns.write(rows)
  }

  /** All numbers, of a database whose songs were never indexed. */
  unindexed(): number[] {
    if (!this.columns.isEmpty) return []
    return this.#db.prepare<[], number>('SELECT num FROM songs').pluck().all()
  }

  /** Removes a song that came with a track of one's own, if it has none any more; its artist. */
  removeUnused(id: string): { removed: boolean; artist: number | null } {
    const row = this.#db
      .prepare<[string], { num: number; artist: number | null }>(
        `DELETE FROM songs WHERE id = ? AND imported = 0
           AND NOT EXISTS (SELECT 1 FROM tracks WHERE tracks.song_id = songs.id)
         RETURNING num, artist`,
      )
      .get(id)
    if (row) this.index([row.num])
    return { removed: row !== undefined, artist: row?.artist ?? null }
  }

  count(): number {
    return this.#db.prepare<[], number>('SELECT count(*) FROM songs').pluck().get() as number
  }
}

/** A song that is called as another one. */
export interface Namesake {
  num: number
  credit: string | null
  duration: number | null
}

/** What is indexed of a song. */
export interface IndexedSong {
  titleKey: string
  artistName: string | null
  artist: number | null
  tempo: number | null
  duration: number | null
  loudness: number | null
  danceability: number | null
  energy: number | null
  hotttnesss: number | null
  key: number | null
  mode: number | null
}

const INDEXED = `
SELECT s.title_key AS titleKey, coalesce(s.credit, r.name) AS artistName, s.artist,
  coalesce(nullif(a.tempo, 0), m.tempo) AS tempo, coalesce(a.duration, s.duration) AS duration,
  coalesce(a.loudness, m.loudness) AS loudness,
  coalesce(a.danceability, m.danceability) AS danceability, coalesce(a.energy, m.energy) AS energy,
  coalesce(s.hotttnesss, s.heard_hotttnesss) AS hotttnesss, coalesce(a."key", m."key") AS "key",
  coalesce(a.mode, m.mode) AS mode
FROM songs s
LEFT JOIN artists r ON r.num = s.artist${FIRST_TRACK}
WHERE s.num = ?`

function columnsOf(row: IndexedSong, words: number, artistWords: number): Values<SongColumn> {
  return {
    tempo: row.tempo ?? Number.NaN,
    duration: row.duration ?? Number.NaN,
    loudness: row.loudness ?? Number.NaN,
    danceability: row.danceability ?? Number.NaN,
    energy: row.energy ?? Number.NaN,
    hotttnesss: row.hotttnesss ?? Number.NaN,
    artist: row.artist ?? 0,
    key: row.key ?? UNKNOWN,
    mode: row.mode ?? UNKNOWN,
    words: Math.min(Math.max(words, 1), 255),
    artistWords: Math.min(artistWords, 255),
  }
}
