import type { CollectionEntry, CollectionReader } from './collected-track.ts'
import { type ImportInput, inputBytes, invalidInput } from './input.ts'

/** More than any collection has. */
const MAX_LISTED = 5_000_000
/** Of an input that cannot be read twice. */
const MAX_SPOOLED = 1 << 28

/** The playlists of a collection, by what they call their tracks. */
export class CollectedPlaylists {
  readonly #input: ImportInput
  readonly #names: string[] = []
  readonly #listsByTrack = new Map<string, number[]>()
  readonly #wantedPlaces = new Map<string, number>()
  readonly #wantedPlaylist: string | undefined
  #entryCount = 0

  /** @param wantedPlaylist - the only playlist whose tracks are wanted */
  constructor(input: ImportInput, wantedPlaylist: string | undefined) {
    this.#input = input
    this.#wantedPlaylist = wantedPlaylist
  }

  beginPlaylist(folders: readonly string[], name: string): void {
    this.#names.push([...folders, name].join('/'))
  }

  /** @throws {ParameterError} when there are more than any collection has */
  addTrack(track: string): void {
    const list = this.#names.length - 1
    if (list < 0) return
    if (++this.#entryCount > MAX_LISTED)
      throw invalidInput(this.#input, `has more than ${MAX_LISTED} entries in its playlists`)
    const lists = this.#listsByTrack.get(track)
    if (!lists) this.#listsByTrack.set(track, [list])
    else if (lists.at(-1) !== list) lists.push(list)
    if (this.#names[list] === this.#wantedPlaylist && !this.#wantedPlaces.has(track))
      this.#wantedPlaces.set(track, this.#wantedPlaces.size)
  }

  playlistsOf(track: string): string[] {
    return [...new Set((this.#listsByTrack.get(track) ?? []).map((list) => this.#names[list]!))]
  }

  async *entriesInOrder(
    tracks: AsyncIterable<{
      key: string
      make: (playlists: string[]) => CollectionEntry | undefined
    }>,
    reader: CollectionReader,
  ): AsyncGenerator<CollectionEntry, void> {
    const wantedPlaylist = this.#wantedPlaylist
    if (wantedPlaylist !== undefined && !this.#names.includes(wantedPlaylist)) {
      const names = this.#names.slice(0, 20).map((name) => JSON.stringify(name))
      const existing = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`
      throw invalidInput(
        this.#input,
        `has no playlist ${JSON.stringify(wantedPlaylist)}; ${existing}`,
      )
    }
    const inOrder: CollectionEntry[] = []
    const missingTracks = new Set(this.#listsByTrack.keys())
    for await (const { key, make } of tracks) {
      missingTracks.delete(key)
      const place = this.#wantedPlaces.get(key)
      if (wantedPlaylist !== undefined && place === undefined) continue
      const entry = make(this.playlistsOf(key))
      if (!entry) continue
      if (place === undefined) yield entry
      else inOrder[place] = entry
    }
    for (const entry of inOrder) if (entry) yield entry
    for (const _ of missingTracks)
      reader.leaveOut('a playlist names a track that the collection lacks')
  }
}

/**
 * Playlists follow the tracks that they name.
 *
 * @throws {ParameterError} when the bytes of a stream do not fit into memory
 */
export async function rereadableInput(input: ImportInput): Promise<ImportInput> {
  if (typeof input === 'string') return input
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of inputBytes(input)) {
    pieces.push(piece)
    length += piece.length
    if (length > MAX_SPOOLED)
      throw invalidInput(input, 'is larger than 256 MiB; give the path of the file')
  }
  return Buffer.concat(pieces)
}
