import { dirname } from 'node:path'
import { soundVector } from '../analysis/sound-vector.ts'
import { Columns } from '../kernel/database/columns.ts'
import {
  all,
  count,
  exists,
  one,
  run,
  storeOf,
  value,
  values,
} from '../kernel/database/statements.ts'
import { type PlacedWord, TextBlocks } from '../kernel/database/texts.ts'
import { creditOf, isNobody, primaryName } from '../naming/credit.ts'
import { artistKey, nameKey } from '../naming/names.ts'
import { SearchBox } from '../naming/search-box.ts'
import { placedTitle, placedWords, TEXT_FIELDS } from '../naming/text-fields.ts'
import { textWords } from '../naming/typed-text.ts'
import { TRACK_FACTS } from '../song/fact-columns.ts'
import { eachFact, type FactName, type FactValues, SEARCHED } from '../song/facts.ts'
import type { StoredStatus } from '../song/track-status.ts'
import { type AlbumRow, albumGroups, UNKNOWN_ALBUM } from './album-groups.ts'
import {
  analyzerNumber,
  columnOfFact,
  LIBRARY_COLUMNS,
  type LibraryColumn,
  STATUS_NUMBERS,
} from './library-columns.ts'
import { MissingStore } from './missing-store.ts'
import { isNoise } from './music.ts'
import { tagsOf } from './store.ts'
import { TrackVectors } from './vectors.ts'
import { type WrittenTrack, writtenNames } from './written-names.ts'

const CHANGES_PER_STEP = 500
const COLUMN_LIMITS = { i16: 32_767, u8: 255 } as const

/** Its song provides what its tags lack. */
interface IndexedRow extends FactValues<FactName> {
  id: string
  status: StoredStatus
  tags: string
  createdAt: number
  title: string | null
  artist: string | null
  release: string | null
  song: number | null
  path: string | null
  analyzerVersion: string | null
  importedAnalysis: 0 | 1 | null
}

export interface LibraryArtistRow {
  num: number
  nameKey: string
  name: string
}

/** The index of tracks: their numbers, words, columns, albums and artists. */
export class Library extends storeOf({
  isChanged: exists<[]>('SELECT 1 FROM track_changes'),
  // The assigned numbers order tracks that were added in the same millisecond.
  changed: values<[most: number], string>(
    `SELECT c.track_id FROM (SELECT track_id FROM track_changes LIMIT ?) c
     LEFT JOIN tracks t ON t.id = c.track_id ORDER BY t.rowid`,
  ),
  unchange: run<[id: string]>('DELETE FROM track_changes WHERE track_id = ?'),
  track: one<[id: string], IndexedRow>(
    `SELECT t.id, t.status, t.tags, t.created_at AS createdAt, coalesce(t.title, s.title) AS title,
       coalesce(t.artist, s.credit, r.name) AS artist, coalesce(t.release, s.release) AS release,
       s.num AS song, a.analyzer_version AS analyzerVersion,
       (SELECT min(path) FROM track_files WHERE track_id = t.id) AS path,
       a.imported AS importedAnalysis, ${TRACK_FACTS}
     FROM tracks t LEFT JOIN analyses a ON a.track_id = t.id
     LEFT JOIN songs s ON s.id = t.song_id LEFT JOIN artists r ON r.num = s.artist
     WHERE t.id = ?`,
  ),
  /** @param nums  a list as JSON */
  written: all<
    [nums: string],
    { num: number } & Pick<IndexedRow, 'id' | 'tags' | 'artist' | 'release'>
  >(
    `SELECT n.num, t.id, t.tags, coalesce(t.artist, s.credit, r.name) AS artist,
       coalesce(t.release, s.release) AS release
     FROM json_each(?) AS given JOIN track_nums n ON n.num = given.value
     JOIN tracks t ON t.id = n.track_id
     LEFT JOIN songs s ON s.id = t.song_id LEFT JOIN artists r ON r.num = s.artist`,
  ),
  /** @param nums  a list as JSON */
  descriptors: all<[nums: string], { num: number; descriptor: Buffer }>(
    `SELECT n.num, s.descriptor FROM json_each(?) AS given
     JOIN track_nums n ON n.num = given.value JOIN track_sounds s ON s.track_id = n.track_id`,
  ),
  count: count<[]>('SELECT count(*) FROM track_nums'),
  numOf: value<[id: string], number>('SELECT num FROM track_nums WHERE track_id = ?'),
  addNum: value<[id: string], number>('INSERT INTO track_nums (track_id) VALUES (?) RETURNING num'),
  idOf: value<[num: number], string>('SELECT track_id FROM track_nums WHERE num = ?'),
  // A CROSS JOIN keeps the order of the list.
  idsIn: values<[nums: string], string>(
    `SELECT n.track_id FROM json_each(?) AS given CROSS JOIN track_nums n ON n.num = given.value`,
  ),
  removeNum: run<[num: number]>('DELETE FROM track_nums WHERE num = ?'),
  // Answers take names from tracks; an update is needed only for the number.
  albumNum: value<Omit<AlbumRow, 'num'>, number>(
    `INSERT INTO track_albums (artist_key, title_key, artist, title)
     VALUES (@artistKey, @titleKey, @artist, @title)
     ON CONFLICT DO UPDATE SET title = title RETURNING num`,
  ),
  artistNum: value<Omit<LibraryArtistRow, 'num'>, number>(
    `INSERT INTO track_artists (name_key, name) VALUES (@nameKey, @name)
     ON CONFLICT DO UPDATE SET name = name RETURNING num`,
  ),
  /** Changed rows. */
  ownChanges: count<[]>('SELECT total_changes()'),
  /** Another value after each commit of another connection. */
  dataVersion: count<[]>('PRAGMA data_version'),
  albumTitle: value<[num: number], string>('SELECT title_key FROM track_albums WHERE num = ?'),
  albums: all<[], AlbumRow>(
    `SELECT num, artist_key AS artistKey, title_key AS titleKey, artist, title FROM track_albums`,
  ),
  artists: all<[], LibraryArtistRow>('SELECT num, name_key AS nameKey, name FROM track_artists'),
}) {
  readonly #columns = new Columns<LibraryColumn>(this.db, 'track_columns', LIBRARY_COLUMNS)
  readonly #texts = new TextBlocks(this.db, 'track_texts')
  #albums: { revision: number; grouped: ReturnType<typeof albumGroups> } | undefined
  /** Finds tracks by typed text. Call {@link update} first. */
  readonly box = new SearchBox(this.#texts)
  /** Tracks whose audio is gone. Call {@link update} first. */
  readonly missing = new MissingStore(this.db)
  /** How tracks sound. Call {@link update} first. */
  readonly vectors = new TrackVectors(this.db)

  /** Transactions that change tracks call it, so that little is left for searches. */
  update(): void {
    while (this.isChanged())
      this.atomically.step(() => this.#indexTracks(this.changed(CHANGES_PER_STEP)))
  }

  read() {
    this.update()
    return this.#columns.readColumns()
  }

  version(): string {
    this.update()
    return `${this.ownChanges()} ${this.dataVersion()}`
  }

  albumGroups(): ReturnType<typeof albumGroups> {
    const values = this.read()
    const { revision } = this.#columns
    if (this.#albums?.revision !== revision) {
      this.#albums = { revision, grouped: albumGroups(this.albums(), values) }
    }
    return this.#albums.grouped
  }

  /** Of those that are in use, in the given order. */
  idsOf(nums: Iterable<number>): string[] {
    return this.idsIn(JSON.stringify([...nums]))
  }

  descriptorsOf(nums: readonly number[]): Map<number, Float32Array> {
    return new Map(
      this.descriptors(JSON.stringify(nums)).map(({ num, descriptor }) => {
        // Copied, because a blob may not be aligned.
        return [num, new Float32Array(new Uint8Array(descriptor).buffer)]
      }),
    )
  }

  /** By number; without tracks that are gone. */
  writtenNamesOf(nums: readonly number[]): Map<number, WrittenTrack> {
    const rows = this.written(JSON.stringify(nums))
    return new Map(rows.map(({ num, id, ...track }) => [num, { id, ...writtenNames(track) }]))
  }

  descriptorOf(num: number): Float32Array | undefined {
    return this.descriptorsOf([num]).get(num)
  }

  #indexTracks(ids: readonly string[]): void {
    const rows = new Map<number, Record<LibraryColumn, number> | undefined>()
    const texts = new Map<number, PlacedWord[] | undefined>()
    const vectors = new Map<number, Int8Array | undefined>()
    for (const id of ids) {
      this.unchange(id)
      const track = this.track(id)
      const knownNum = this.numOf(id)
      if (!track) {
        if (knownNum === undefined) continue
        this.removeNum(knownNum)
        rows.set(knownNum, undefined)
        texts.set(knownNum, undefined)
        vectors.set(knownNum, undefined)
        continue
      }
      const num = knownNum ?? (this.addNum(id) as number)
      rows.set(num, this.#columnsOf(track))
      texts.set(num, searchableWords(track))
      const descriptor = this.descriptorOf(num)
      vectors.set(num, descriptor && soundVector(descriptor))
    }
    if (rows.size === 0) return
    this.#columns.writeRows(rows, (row, column) => row[column])
    this.#texts.writeTexts(texts)
    this.vectors.writeVectors(vectors)
  }

  #columnsOf(track: IndexedRow): Record<LibraryColumn, number> {
    const { year, trackNumber, discNumber, albumArtist, compilation, duration } = tagsOf(track)
    // A document has a key number even if no key was heard.
    const { key, mode } = track.keyConfidence === 0 ? { key: null, mode: null } : track
    const facts = { ...track, key, mode }
    return {
      ...eachFact(SEARCHED, (name) => columnOfFact(name, facts[name])),
      duration: columnOfFact('duration', track.duration ?? duration ?? null),
      created: track.createdAt,
      song: track.song ?? 0,
      album: this.#albumOf(track),
      artist: this.#artistOf(track.artist),
      analyzer: analyzerNumber(track.analyzerVersion, track.importedAnalysis),
      year: fittingNumber(year, COLUMN_LIMITS.i16),
      trackNumber: fittingNumber(trackNumber, COLUMN_LIMITS.i16),
      discNumber: fittingNumber(discNumber, COLUMN_LIMITS.u8),
      status: STATUS_NUMBERS.indexOf(track.status),
      stated: albumArtist !== undefined || compilation === true ? 1 : 0,
      noise: isNoise(track) ? 1 : 0,
    }
  }

  #artistOf(name: string | null): number {
    if (name === null || isNobody(name)) return 0
    const main = primaryName(name)
    return this.artistNum({ nameKey: artistKey(main), name: main }) as number
  }

  /**
   * By album artist, or else main artist. Without an album, by artist; without an artist too, by
   * folder.
   */
  #albumOf(track: IndexedRow): number {
    const { release, path } = track
    const { albumArtist: name, album: title } = writtenNames(track)
    const [artistKey = NO_ARTIST_KEY] = name === null ? [] : creditOf(name).parts
    const folder = name === null && path !== null ? dirname(path) : ''
    const titleKey =
      release === null ? `${UNKNOWN_ALBUM}:${artistKey}${folder}` : releaseKey(release)
    return this.albumNum({ artistKey, titleKey, artist: name, title }) as number
  }
}

/** Of an album that has no artist. */
export const NO_ARTIST_KEY = ''

function fittingNumber(value: number | undefined, limit: number): number {
  return value !== undefined && Number.isInteger(value) && value > 0 && value <= limit ? value : 0
}

// All discs of an album are one album.
const DISC_SUFFIX = / (?:disc|disk|cd) ?\d{1,2}$/

/** Without the number of a disc: `The Wall [Disc 2]` → `the wall`. */
export function releaseKey(title: string): string {
  const key = nameKey(title)
  return key.replace(DISC_SUFFIX, '') || key
}

/** Longer names are not found when their words are typed as one: `pinkfloyd`. */
const LONGEST_JOINED = 20

function searchableWords(track: IndexedRow): PlacedWord[] {
  const { title, artist, release } = track
  const { albumArtist, genres = [] } = tagsOf(track)
  const words: PlacedWord[] = []
  if (title !== null) words.push(...placedTitle(title))
  if (artist !== null) {
    const parts = textWords(nameKey(artist))
    words.push(...placedWords(parts, TEXT_FIELDS.artist))
    const joined = parts.join('')
    if (parts.length > 1 && joined.length <= LONGEST_JOINED) {
      words.push({ word: joined, field: TEXT_FIELDS.albumArtist })
    }
  }
  if (albumArtist !== undefined && albumArtist !== artist) {
    words.push(...placedWords(textWords(nameKey(albumArtist)), TEXT_FIELDS.albumArtist))
  }
  if (release !== null) words.push(...placedWords(textWords(nameKey(release)), TEXT_FIELDS.release))
  for (const genre of genres) words.push({ word: nameKey(genre), field: TEXT_FIELDS.genre })
  return words
}
