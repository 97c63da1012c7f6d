import type { CollectionEntry, CollectionReader } from './collected-track.ts'
import { bytesOf, type ImportInput, invalidInput } from './input.ts'

/** More than any collection has: all tracks of a large one in fifty lists. */
const MAX_LISTED = 5_000_000
/** Most bytes of an input that cannot be read twice. */
const MAX_SPOOLED = 1 << 28

/** The playlists of a collection, by what they call their tracks. */
export class CollectedPlaylists {
  readonly #input: ImportInput
  readonly #names: string[] = []
  /** The playlists of a track, by their places in the list of names. */
  readonly #byTrack = new Map<string, number[]>()
  /** The places of the tracks of the one that is wanted. */
  readonly #places = new Map<string, number>()
  readonly #wanted: string | undefined
  #listed = 0

  /** @param wanted - the only playlist whose tracks are wanted */
  constructor(input: ImportInput, wanted: string | undefined) {
    this.#input = input
    this.#wanted = wanted
  }

  /** Begins a playlist; its tracks follow. */
  begin(folders: readonly string[], name: string): void {
    this.#names.push([...folders, name].join('/'))
  }

  /** @throws {ParameterError} when there are more than any collection has */
  add(track: string): void {
    const list = this.#names.length - 1
    if (list < 0) return
    if (++this.#listed > MAX_LISTED)
      throw invalidInput(this.#input, `has more than ${MAX_LISTED} entries in its playlists`)
    const lists = this.#byTrack.get(track)
    if (!lists) this.#byTrack.set(track, [list])
    else if (lists.at(-1) !== list) lists.push(list)
    if (this.#names[list] === this.#wanted && !this.#places.has(track))
      this.#places.set(track, this.#places.size)
  }

  namesOf(track: string): string[] {
    return [...new Set((this.#byTrack.get(track) ?? []).map((list) => this.#names[list]!))]
  }

  /** The entries of the tracks that are wanted, of a playlist in its order. */
  async *entriesOf(
    tracks: AsyncIterable<{
      key: string
      make: (playlists: string[]) => CollectionEntry | undefined
    }>,
    reader: CollectionReader,
  ): AsyncGenerator<CollectionEntry, void> {
    const wanted = this.#wanted
    if (wanted !== undefined && !this.#names.includes(wanted)) {
      const names = this.#names.slice(0, 20).map((name) => JSON.stringify(name))
      const has = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`
      throw invalidInput(this.#input, `has no playlist ${JSON.stringify(wanted)}; ${has}`)
    }
    const inOrder: CollectionEntry[] = []
    const missing = new Set(this.#byTrack.keys())
    for await (const { key, make } of tracks) {
      missing.delete(key)
      const place = this.#places.get(key)
      if (wanted !== undefined && place === undefined) continue
      const entry = make(this.namesOf(key))
      if (!entry) continue
      if (place === undefined) yield entry
      else inOrder[place] = entry
    }
    for (const entry of inOrder) if (entry) yield entry
    for (const _ of missing) reader.leaveOut('a playlist names a track that the collection lacks')
  }
}

/**
 * An input that can be read twice: playlists follow the tracks that they name.
 *
 * @throws {ParameterError} when the bytes of a stream do not fit into memory
 */
export async function rereadable(input: ImportInput): Promise<ImportInput> {
  if (typeof input === 'string') return input
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of bytesOf(input)) {
    pieces.push(piece)
    length += piece.length
    if (length > MAX_SPOOLED)
      throw invalidInput(input, 'is larger than 256 MiB; give the path of the file')
  }
  return Buffer.concat(pieces)
}
