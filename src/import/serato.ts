import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, parse, resolve } from 'node:path'
import { viewOf } from '../audio/bytes.ts'
import { CollectedPlaylists } from './collected-playlists.ts'
import {
  type CollectionEntry,
  type CollectionImportOptions,
  CollectionReader,
} from './collected-track.ts'
import { type Imported, ImportRun, withReport } from './import-run.ts'
import { filesBelow, invalidInput, isFolderPath } from './input.ts'
import { readSeratoFile } from './serato-file.ts'

/**
 * Reads what Serato writes into the tags of files. Beat grids become corrections, hot cues and
 * loops own cues. A catalog gets names, plays, colours and comments. In a folder that has
 * `_Serato_`, its crates are playlists; files that neither Serato nor a crate has are left out.
 *
 * @param input - the path of a sound file, or of a folder, which is read with the folders below it
 * @throws {ParameterError} when it does not exist, or nothing in it is Serato's
 * @example
 * ```ts
 * import { fromSerato } from 'audile/import'
 *
 * await music.tracks.import(fromSerato('/Users/me/Music')) // grids and cues of tracks that were scanned
 * const catalog = await music.catalogs.create({ name: 'Serato', type: 'song' })
 * await catalog.update(fromSerato('/Users/me/Music'))
 * ```
 */
export function fromSerato(
  input: string,
  options: CollectionImportOptions = {},
): Imported<CollectionEntry> {
  const run = new ImportRun(SERATO_TRAITS, options)
  return withReport(run, input, () => entriesOfSerato(input, options, run))
}

const SERATO_TRAITS = {
  name: 'fromSerato',
  reads: 'sound files with tags of Serato',
  forms: ['binary'],
} as const

const SOUND_FILES = /\.(?:mp3|aac|aiff?|wav|flac|m4a|mp4|ogg|oga|opus)$/i

async function* entriesOfSerato(
  input: string,
  options: CollectionImportOptions,
  run: ImportRun,
): AsyncGenerator<CollectionEntry, void> {
  if (typeof input !== 'string') throw invalidInput(input, 'is no path of a file or a folder')
  const playlists = new CollectedPlaylists(input, options.playlist)
  const path = resolve(input)
  const isFolder = await isFolderPath(path)
  if (isFolder) await readCrates(path, playlists, run)
  const reader = new CollectionReader(input, run, options)
  async function* keyedTracks() {
    for await (const file of isFolder ? filesBelow(path, SOUND_FILES) : [path]) {
      const tags = await readSeratoFile(file)
      if (typeof tags === 'string') {
        run.skip(file, tags)
        continue
      }
      const { names, grid, cues, colour, faults, isMarked } = tags
      if (!isMarked && playlists.playlistsOf(file).length === 0) {
        reader.leaveOut('a file has no tags of Serato')
        continue
      }
      for (const fault of faults) run.leaveOut(file, fault)
      const notes = { ...names.notes, colour }
      const track = { ...names, notes, grid, cues, path: file }
      yield { key: file, make: (lists: string[]) => reader.collectionEntryOf(track, lists) }
    }
  }
  yield* playlists.entriesInOrder(keyedTracks(), reader)
}

/** A million tracks have less. */
const MAX_CRATE_BYTES = 1 << 28

/** `A%%B.crate` is B in A. */
async function readCrates(
  folder: string,
  playlists: CollectedPlaylists,
  run: ImportRun,
): Promise<void> {
  const library = basename(folder) === '_Serato_' ? folder : join(folder, '_Serato_')
  const crates = join(library, 'Subcrates')
  if (!existsSync(crates)) return
  const volume = dirname(library)
  for await (const file of filesBelow(crates, /\.crate$/i)) {
    const { size } = await stat(file)
    const tracks = size > MAX_CRATE_BYTES ? undefined : tracksOfCrate(await readFile(file))
    if (!tracks) {
      run.leaveOut(file, 'a crate is damaged')
      continue
    }
    const folders = basename(file).slice(0, -'.crate'.length).split('%%')
    playlists.beginPlaylist(folders.slice(0, -1), folders.at(-1) ?? '')
    for (const track of tracks) {
      // On the disk of the system, paths begin at its root; on another one, beside the library.
      const besideLibrary = join(volume, track)
      playlists.addTrack(
        existsSync(besideLibrary) ? besideLibrary : join(parse(volume).root, track),
      )
    }
  }
}

/** `undefined` where the chunks do not fill it. */
function tracksOfCrate(bytes: Uint8Array): string[] | undefined {
  const tracks: string[] = []
  const readChunks = (start: number, end: number, isTrack = false): boolean => {
    const view = viewOf(bytes)
    let position = start
    while (position + 8 <= end) {
      const tag = Buffer.from(bytes.subarray(position, position + 4)).toString('latin1')
      const chunkEnd = position + 8 + view.getUint32(position + 4)
      if (chunkEnd > end) return false
      if (tag === 'otrk' && (isTrack || !readChunks(position + 8, chunkEnd, true))) return false
      if (tag === 'ptrk')
        tracks.push(new TextDecoder('utf-16be').decode(bytes.subarray(position + 8, chunkEnd)))
      position = chunkEnd
    }
    return position === end
  }
  const isCrate = Buffer.from(bytes.subarray(0, 4)).toString('latin1') === 'vrsn'
  return isCrate && readChunks(0, bytes.length) ? tracks : undefined
}
