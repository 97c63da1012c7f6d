import type { ArtistStore } from '../artist/store.ts'
import { isBudgetSpent, jobTurn } from '../kernel/scheduler.ts'
import { artistKey, nameKey } from '../naming/names.ts'
import type { ArtistNameStore } from './artist-name-store.ts'
import { KnownNames } from './known-names.ts'
import type { Named, Names } from './mentions.ts'
import { type Article, type Reference, referencesOf } from './relevance.ts'

/** Finds the artists that texts name, among all that are known. */
export class ArtistFinder {
  readonly #names: ArtistNameStore
  readonly #artists: ArtistStore
  readonly #known = new KnownNames()
  /** The revision of artists when the names were read. */
  #revision = 0

  constructor(names: ArtistNameStore, artists: ArtistStore) {
    this.#names = names
    this.#artists = artists
  }

  /** How many names are known. */
  get size(): number {
    return this.#known.size
  }

  /** Whether no artist has changed since the names were read. */
  get isCurrent(): boolean {
    return (this.#names.revision() ?? 0) === this.#revision
  }

  /** Reads the names of artists that changed; to be called before {@link references}. */
  async refresh(signal: AbortSignal): Promise<void> {
    const revision = this.#names.revision() ?? 0
    if (revision === this.#revision) return
    // Names that are added meanwhile may be read twice, which does no harm.
    for (const block of this.#names.blocksSince(revision < this.#revision ? 0 : this.#revision)) {
      for (const key of this.#names.keysOfBlock({ block })) this.#known.add(key)
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
