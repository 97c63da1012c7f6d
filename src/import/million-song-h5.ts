import { isUtf8 } from 'node:buffer'
import type { SongRecord } from '../client/songs.ts'
import { loadPackage } from '../kernel/load-package.ts'
import { messageOf } from '../values/errors.ts'
import { text } from './cleaning.ts'
import { invalidInput } from './input.ts'
import { type MillionSongRow, songOfMillionSong } from './million-song-record.ts'
import type { RawSong } from './song-record.ts'

/** The part of the optional package h5wasm that is used here. */
interface H5 {
  readonly ready: Promise<H5Module>
  readonly File: new (path: string, mode: 'r') => H5File
}
interface H5Module {
  /** Makes HDF5 throw its errors instead of printing them, for all files. */
  activate_throwing_error_handler(): unknown
  deactivate_throwing_error_handler(): unknown
}
interface H5File {
  get(path: string): H5Dataset | null
  close(): unknown
}
interface H5Member {
  name: string
  /** The declared character set of a text: 0 is ASCII, 1 UTF-8. */
  cset?: number
}
interface H5Dataset {
  readonly shape: number[] | null
  readonly metadata: { cset?: number; compound_type?: { members: H5Member[] } }
  slice(ranges: [number, number][]): unknown
}

// A variable, so that TypeScript and bundlers do not resolve the import. Webpack also needs the
// magic comment below.
const PACKAGE = 'h5wasm/node'

async function loadH5(): Promise<H5> {
  try {
    return await loadPackage<H5>(PACKAGE, () => import(/* webpackIgnore: true */ PACKAGE))
  } catch (error) {
    // In the CommonJS build `import()` is `require()`, which cannot load a package that is ESM only.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') throw error
    const load = new Function('name', 'return import(name)') as (name: string) => Promise<H5>
    return load(PACKAGE)
  }
}

/** Songs per read; a file can contain a million. */
const BLOCK = 1000

const TABLES = ['metadata/songs', 'analysis/songs', 'musicbrainz/songs']

/** One file cannot be read; the import of a folder continues. */
export class H5Fault extends Error {}

/** Reads the dataset's HDF5 files, which hold one song or many (an aggregate or the summary file). */
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

  /**
   * The songs of one file.
   *
   * @throws {H5Fault} when it cannot be read
   */
  *songs(path: string): Generator<SongRecord, void> {
    const file = this.#reading(() => new this.#h5.File(path, 'r'))
    try {
      const tables = this.#reading(() => tablesOf(file))
      const count = tables[0]?.shape?.[0] ?? 0
      for (let from = 0; from < count; from += BLOCK) {
        const to = Math.min(from + BLOCK, count)
        yield* this.#reading(() => songsOf(file, tables, from, to, count))
      }
    } finally {
      file.close()
    }
  }

  /** Runs HDF5 code and converts its errors to {@link H5Fault}. */
  #reading<T>(work: () => T): T {
    this.#module.activate_throwing_error_handler()
    try {
      return work()
    } catch (error) {
      // The message is a stack of calls, each with a reason; the last reason is the cause.
      const reason = [...messageOf(error).matchAll(/^ {2}#\d.*\(\): (.+)$/gm)].at(-1)?.[1]
      throw new H5Fault(`cannot be read as HDF5: ${reason ?? messageOf(error)}`, { cause: error })
    } finally {
      this.#module.deactivate_throwing_error_handler()
    }
  }
}

function tablesOf(file: H5File): H5Dataset[] {
  const [metadata, ...others] = TABLES.map((name) => file.get(name))
  if (!metadata) {
    throw new Error('it has no table metadata/songs, so it is not from the Million Song Dataset')
  }
  return [metadata, ...others.filter((table) => table !== null && table !== undefined)]
}

/** The songs in the rows from `from` (included) to `to` (excluded), of `count` rows. */
function songsOf(
  file: H5File,
  tables: readonly H5Dataset[],
  from: number,
  to: number,
  count: number,
): SongRecord[] {
  // The terms of all songs are one list. A song's terms end where those of the next begin.
  const rows = rowsOf(tables, from, Math.min(to + 1, count))
  return rows
    .slice(0, to - from)
    .map((row, i) => songOfMillionSong(row, termsOf(file, row, rows[i + 1])))
}

/** The rows of several tables, joined by position; columns by name. */
function rowsOf(tables: readonly H5Dataset[], from: number, to: number): MillionSongRow[] {
  const rows = Array.from({ length: to - from }, (): Record<string, unknown> => ({}))
  for (const table of tables) {
    const members = table.metadata.compound_type?.members ?? []
    const values = table.slice([[from, to]]) as unknown[][]
    for (const [i, row] of rows.entries()) {
      for (const [column, { name, cset }] of members.entries()) {
        row[name] = asUtf8(values[i]?.[column], cset)
      }
    }
  }
  return rows
}

function termsOf(
  file: H5File,
  row: MillionSongRow,
  following: MillionSongRow | undefined,
): NonNullable<RawSong['terms']> {
  const names = file.get('metadata/artist_terms')
  const from = Number(row.idx_artist_terms ?? 0)
  const to = following ? Number(following.idx_artist_terms) : (names?.shape?.[0] ?? 0)
  if (names === null || !(to > from)) return []
  const column = (path: string) => (file.get(path)?.slice([[from, to]]) ?? []) as ArrayLike<unknown>
  const weights = column('metadata/artist_terms_weight')
  const frequencies = column('metadata/artist_terms_freq')
  return Array.from(names.slice([[from, to]]) as ArrayLike<unknown>).flatMap((given, i) => {
    const name = text(asUtf8(given, names.metadata.cset))
    return name === undefined ? [] : [{ name, weight: weights[i], frequency: frequencies[i] }]
  })
}

const BYTE_OF = new Map(
  [...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, i) => i))].map(
    (character, byte) => [character, byte],
  ),
)

/** Repairs UTF-8 that the dataset declares as ASCII, and h5wasm decodes as Windows-1252 (`BeyoncÃ©`). */
function asUtf8(value: unknown, cset: number | undefined): unknown {
  if (typeof value !== 'string' || cset !== 0 || /^[\0-\x7f]*$/.test(value)) return value
  const bytes = Array.from(value, (character) => BYTE_OF.get(character))
  if (bytes.includes(undefined)) return value
  const written = Buffer.from(bytes as number[])
  return isUtf8(written) ? written.toString() : value
}
