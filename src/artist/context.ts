import type { ArtistStore } from './store.ts'

/** What the methods of the room stand on; handed in by the engine. */
export interface ArtistContext {
  store: ArtistStore
  now(): number
  /** The item of a catalog, by its id there; `undefined` when there is no such catalog or item. */
  catalogItem(catalogId: string, itemId: string): { artistId?: string } | undefined
  /** The ids that an artist has in a catalog; empty when it is no catalog's id. */
  catalogItems(catalogId: string, artist: number): string[]
  /** The songs of an artist, those that are talked of most first. */
  songsOf(artist: number): { id: string; title: string }[]
  /** Brings what is indexed of songs up to date with the names of their artists. */
  renamed(artists: readonly number[]): void
  /** How much a document is about an artist of that name whom it is filed under, 0..1. */
  relevanceOf(document: { headline: string; text: string }, name: string): number
  /** Told when artists came or changed; inside the transaction that did it. */
  changed(): void
}
