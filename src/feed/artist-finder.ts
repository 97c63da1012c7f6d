import type { ArtistStore } from '../artist/store.ts'
import { isBudgetSpent, jobTurn } from '../kernel/scheduler.ts'
import { artistKey, nameKey } from '../naming/names.ts'
import { KnownNames } from './known-names.ts'
import type { ArtistName, NameLookup } from './mentions.ts'
import { type Article, type ArtistReference, referencesOf } from './relevance.ts'

export class ArtistFinder {
  readonly #artists: ArtistStore
  readonly #known = new KnownNames()
  #revision = 0

  constructor(artists: ArtistStore) {
    this.#artists = artists
  }

  get size(): number {
    return this.#known.size
  }

  get isCurrent(): boolean {
    return this.#artists.columns.revision === this.#revision
  }

  /** Called before {@link findReferences}. */
  async refreshNames(signal: AbortSignal): Promise<void> {
    const { revision } = this.#artists.columns
    // Names that are added meanwhile may be read twice, which does no harm.
    for (const block of this.#artists.blocksSince(this.#revision)) {
      for (const key of this.#artists.namesOfBlock({ block })) this.#known.addName(key)
      if (isBudgetSpent()) await jobTurn(signal)
    }
    this.#revision = revision
  }

  /** `own` are the artists of the feeds that the text is in. */
  findReferences(article: Article, feedArtists: readonly ArtistName[]): ArtistReference[] {
    const names: NameLookup = {
      known: this.#known,
      find: (name) => this.#findArtist(name, feedArtists),
    }
    return referencesOf(article, names, feedArtists)
  }

  /** Of several artists with a name, one of `feedArtists`, else the best known one. */
  #findArtist(name: string, feedArtists: readonly ArtistName[]): ArtistName | undefined {
    const sameName = this.#artists.findByName(name)
    const feedArtist = feedArtists.find(({ num }) => sameName.some((artist) => artist.num === num))
    if (feedArtist) return feedArtist
    const best = sameName.reduce<(typeof sameName)[number] | undefined>(
      (a, b) => (a && (a.familiarity ?? -1) >= (b.familiarity ?? -1) ? a : b),
      undefined,
    )
    if (!best) return undefined
    // Only an artist's own name is stored as it is written.
    const isOwnName = artistKey(best.name) === artistKey(name)
    return { num: best.num, name: isOwnName || nameKey(name) === '' ? best.name : name }
  }
}
