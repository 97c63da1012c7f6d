import type { ArtistStore } from '../artist/store.ts'
import { isBudgetSpent, jobTurn } from '../kernel/scheduler.ts'
import { artistKey, nameKey } from '../naming/names.ts'
import { KnownNames } from './known-names.ts'
import type { Named, Names } from './mentions.ts'
import { type Article, type Reference, referencesOf } from './relevance.ts'

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

  /** Reads the names of artists that changed; to be called before {@link references}. */
  async refresh(signal: AbortSignal): Promise<void> {
    const { revision } = this.#artists.columns
    // Names that are added meanwhile may be read twice, which does no harm.
    for (const block of this.#artists.blocksSince(this.#revision)) {
      for (const key of this.#artists.namesOfBlock({ block })) this.#known.add(key)
      if (isBudgetSpent()) await jobTurn(signal)
    }
    this.#revision = revision
  }

  /** The artists that a text is about; `own` are those of the feeds that it is in. */
  references(article: Article, own: readonly Named[]): Reference[] {
    const names: Names = { known: this.#known, find: (name) => this.#find(name, own) }
    return referencesOf(article, names, own)
  }

  /** The artist with a name: if there are several, one of `own`, else the best known one. */
  #find(name: string, own: readonly Named[]): Named | undefined {
    const all = this.#artists.named(name)
    const meant = own.find(({ num }) => all.some((artist) => artist.num === num))
    if (meant) return meant
    const best = all.reduce<(typeof all)[number] | undefined>(
      (a, b) => (a && (a.familiarity ?? -1) >= (b.familiarity ?? -1) ? a : b),
      undefined,
    )
    if (!best) return undefined
    // Only an artist's own name is stored as it is written; other names are not.
    const isOwnName = artistKey(best.name) === artistKey(name)
    return { num: best.num, name: isOwnName || nameKey(name) === '' ? best.name : name }
  }
}
