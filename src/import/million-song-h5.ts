import { isUtf8 } from 'node:buffer'
import type { SongRecord } from '../client/songs.ts'
import { loadPackage } from '../kernel/load-package.ts'
import { messageOf } from '../values/errors.ts'
import { cleanTextValue } from './cleaning.ts'
import { invalidInput } from './input.ts'
import { type MillionSongRow, songOfMillionSong } from './million-song-record.ts'
import type { RawSong } from './song-record.ts'

interface H5 {
  readonly ready: Promise<H5Module>
  readonly File: new (path: string, mode: 'r') => H5File
}
interface H5Module {
  /** HDF5 then throws its errors instead of printing them, for all files. */
  activate_throwing_error_handler(): unknown
  deactivate_throwing_error_handler(): unknown
}
interface H5File {
  get(path: string): H5Dataset | null
  close(): unknown
}
interface H5Member {
  name: string
  /** Of a text: 0 is ASCII, 1 UTF-8. */
  cset?: number
}
interface H5Dataset {
  readonly shape: number[] | null
  readonly metadata: { cset?: number; compound_type?: { members: H5Member[] } }
  slice(ranges: [number, number][]): unknown
}

// TypeScript and bundlers must not resolve the import.
const H5_PACKAGE = 'h5wasm/node'

async function loadH5(): Promise<H5> {
  try {
    return await loadPackage<H5>(H5_PACKAGE, () => import(/* webpackIgnore: true */ H5_PACKAGE))
  } catch (error) {
    // In CommonJS `import()` becomes `require()`, which cannot load a package that is ESM only.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') throw error
    const load = new Function('name', 'return import(name)') as (name: string) => Promise<H5>
    return load(H5_PACKAGE)
  }
}

/** A file can contain a million songs. */
const SONGS_PER_READ = 1000

const SONG_TABLES = ['metadata/songs', 'analysis/songs', 'musicbrainz/songs']

/** The import of a folder continues. */
export class H5Fault extends Error {}

/** A file holds one song or many (an aggregate or the summary file). */
export class H5Reader {
  readonly #h5: H5
  readonly #module: H5Module

  private constructor(h5: H5, module: H5Module) {
    this.#h5 = h5
    this.#module = module
  }

  /**
   * @param path - the file to read, for the error
   * @throws {ParameterError} when h5wasm is not installed
   */
  static async open(path: string): Promise<H5Reader> {
    try {
      const h5 = await loadH5()
      return new H5Reader(h5, await h5.ready)
    } catch (error) {
      throw invalidInput(
        path,
        `is HDF5, which needs the optional package h5wasm (npm install h5wasm): ${messageOf(error)}`,
        error,
      )
    }
  }

  /** @throws {H5Fault} when it cannot be read */
  *songs(path: string): Generator<SongRecord, void> {
    const file = this.#readH5(() => new this.#h5.File(path, 'r'))
    try {
      const tables = this.#readH5(() => h5TablesOf(file))
      const count = tables[0]?.shape?.[0] ?? 0
      for (let start = 0; start < count; start += SONGS_PER_READ) {
        const end = Math.min(start + SONGS_PER_READ, count)
        yield* this.#readH5(() => songsOfRows(file, tables, start, end, count))
      }
    } finally {
      file.close()
    }
  }

  /** HDF5's errors become {@link H5Fault}. */
  #readH5<T>(read: () => T): T {
    this.#module.activate_throwing_error_handler()
    try {
      return read()
    } catch (error) {
      // The message is a stack of calls; the last reason is the cause.
      const reason = [...messageOf(error).matchAll(/^ {2}#\d.*\(\): (.+)$/gm)].at(-1)?.[1]
      throw new H5Fault(`cannot be read as HDF5: ${reason ?? messageOf(error)}`, { cause: error })
    } finally {
      this.#module.deactivate_throwing_error_handler()
    }
  }
}

function h5TablesOf(file: H5File): H5Dataset[] {
  const [metadata, ...others] = SONG_TABLES.map((name) => file.get(name))
  if (!metadata) {
    throw new Error('it has no table metadata/songs, so it is not from the Million Song Dataset')
  }
  return [metadata, ...others.filter((table) => table !== null && table !== undefined)]
}

function songsOfRows(
  file: H5File,
  tables: readonly H5Dataset[],
  start: number,
  end: number,
  count: number,
): SongRecord[] {
  // The terms of all songs are one list; a song's end where those of the next begin.
  const rows = h5RowsOf(tables, start, Math.min(end + 1, count))
  return rows
    .slice(0, end - start)
    .map((row, i) => songOfMillionSong(row, h5TermsOf(file, row, rows[i + 1])))
}

/** Several tables, joined by position. */
function h5RowsOf(tables: readonly H5Dataset[], start: number, end: number): MillionSongRow[] {
  const rows = Array.from({ length: end - start }, (): Record<string, unknown> => ({}))
  for (const table of tables) {
    const members = table.metadata.compound_type?.members ?? []
    const values = table.slice([[start, end]]) as unknown[][]
    for (const [i, row] of rows.entries()) {
      for (const [column, { name, cset }] of members.entries()) {
        row[name] = repairUtf8(values[i]?.[column], cset)
      }
    }
  }
  return rows
}

function h5TermsOf(
  file: H5File,
  row: MillionSongRow,
  following: MillionSongRow | undefined,
): NonNullable<RawSong['terms']> {
  const names = file.get('metadata/artist_terms')
  const start = Number(row.idx_artist_terms ?? 0)
  const end = following ? Number(following.idx_artist_terms) : (names?.shape?.[0] ?? 0)
  if (names === null || !(end > start)) return []
  const columnOf = (path: string) =>
    (file.get(path)?.slice([[start, end]]) ?? []) as ArrayLike<unknown>
  const weights = columnOf('metadata/artist_terms_weight')
  const frequencies = columnOf('metadata/artist_terms_freq')
  return Array.from(names.slice([[start, end]]) as ArrayLike<unknown>).flatMap((writtenName, i) => {
    const name = cleanTextValue(repairUtf8(writtenName, names.metadata.cset))
    return name === undefined ? [] : [{ name, weight: weights[i], frequency: frequencies[i] }]
  })
}

const BYTES_BY_CHARACTER = new Map(
  [...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, i) => i))].map(
    (character, byte) => [character, byte],
  ),
)

/** The dataset declares UTF-8 as ASCII, and h5wasm decodes it as Windows-1252 (`BeyoncÃ©`). */
function repairUtf8(value: unknown, cset: number | undefined): unknown {
  if (typeof value !== 'string' || cset !== 0 || /^[\0-\x7f]*$/.test(value)) return value
  const bytes = Array.from(value, (character) => BYTES_BY_CHARACTER.get(character))
  if (bytes.includes(undefined)) return value
  const writtenBytes = Buffer.from(bytes as number[])
  return isUtf8(writtenBytes) ? writtenBytes.toString() : value
}
