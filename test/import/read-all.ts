import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { artistRecordSchema } from '../../src/artist/record.ts'
import type { ArtistRecord, CatalogEntry, SongRecord } from '../../src/import-entry.ts'
import { songRecordSchema } from '../../src/song/record.ts'

/** All that comes. */
export async function readAll<T>(records: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const record of records) found.push(record)
  return found
}

/** All songs, each as `songs.import` takes it. */
export async function readSongs(records: AsyncIterable<SongRecord>): Promise<SongRecord[]> {
  const songs = await readAll(records)
  for (const song of songs) expect(songRecordSchema.safeParse(song).error).toBeUndefined()
  return songs
}

/** All artists, each as `artists.import` takes it. */
export async function readArtists(records: AsyncIterable<ArtistRecord>): Promise<ArtistRecord[]> {
  const artists = await readAll(records)
  for (const artist of artists) expect(artistRecordSchema.safeParse(artist).error).toBeUndefined()
  return artists
}

/** The items of all entries, each with an id that a catalog takes. */
export async function readItems(
  entries: AsyncIterable<CatalogEntry>,
): Promise<CatalogEntry['item'][]> {
  const items = (await readAll(entries)).map(({ item }) => item)
  for (const { itemId, rating = 0 } of items) {
    expect(itemId).toMatch(/^[A-Za-z0-9._-]+$/)
    expect(Number.isInteger(rating) && rating >= 0 && rating <= 10).toBe(true)
  }
  return items
}

/** A text as bytes that come in pieces of this size. */
export async function* pieces(
  text: string | Uint8Array,
  size: number,
): AsyncGenerator<Uint8Array, void> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

/** A text as bytes. */
export function bytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text))
}

/** A text as a gzip file. */
export function gzipped(text: string): Uint8Array {
  return new Uint8Array(gzipSync(text))
}
