import type { CatalogIds } from '../catalog/lookup-store.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { ArtistStore } from './store.ts'

interface ArtistNeeds {
  catalogs: CatalogIds
  /** How much a document is about the artist of that name, 0…1. */
  relevanceOf(document: { headline: string; text: string }, name: string): number
}

export interface ArtistRoom extends Kernel, ArtistNeeds {
  readonly name: 'artist'
  store: ArtistStore
}

export function openArtists(kernel: Kernel, needs: ArtistNeeds): ArtistRoom {
  return { ...kernel, ...needs, name: 'artist', store: new ArtistStore(kernel.db) }
}
