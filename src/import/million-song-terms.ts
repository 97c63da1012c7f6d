import { some } from './cleaning.ts'
import { invalid } from './input.ts'
import type { Term } from './million-song-record.ts'
import { MillionSongStore, type SqliteOptions } from './million-song-store.ts'

/** How terms are added. */
export interface ArtistTermsOptions extends SqliteOptions {
  /** Path of `artist_term.db`: adds the artists' terms. They come without weights. */
  terms?: string | undefined
  /** Whether the tags of MusicBrainz in `artist_term.db` are terms too. Default: true. */
  mbtags?: boolean | undefined
}

/** The terms of artists, in a file of their own. */
export class ArtistTerms {
  readonly #store: MillionSongStore
  readonly #mbtags: boolean

  private constructor(store: MillionSongStore, mbtags: boolean) {
    this.#store = store
    this.#mbtags = mbtags
  }

  static async open(options: ArtistTermsOptions): Promise<ArtistTerms | undefined> {
    const { terms, mbtags = true } = options
    if (terms === undefined) return undefined
    const store = await MillionSongStore.open(terms, options)
    if (store.hasTerms) return new ArtistTerms(store, mbtags)
    store.close()
    throw invalid(terms, 'has no table "artist_term": it is not artist_term.db')
  }

  of(artistId: string | undefined): Term[] | undefined {
    if (artistId === undefined) return undefined
    const tags = this.#mbtags ? this.#store.mbtagsOf(artistId) : []
    const names = new Set([...this.#store.termsOf(artistId), ...tags].map((name) => name.trim()))
    return some([...names].filter((name) => name !== '').map((name) => ({ name })))
  }

  close(): void {
    this.#store.close()
  }
}
