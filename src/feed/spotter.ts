import { artistKey, nameKey } from '../artist/names.ts'
import type { ArtistStore } from '../artist/store.ts'
import { jobTurn } from '../kernel/scheduler.ts'
import { KnownNames } from './known-names.ts'
import type { Named, Names } from './mentions.ts'
import { type Reference, referencesOf, type Spoken } from './relevance.ts'
import type { FeedStore } from './store.ts'

/** Names that are read together. */
const PAGE = 2_000

/** Finds the artists that texts name, among all that are known. */
export class Spotter {
  readonly #store: FeedStore
  readonly #artists: ArtistStore
  #known = new KnownNames()
  #seen = 0

  constructor(store: FeedStore, artists: ArtistStore) {
    this.#store = store
    this.#artists = artists
  }

  /** How many names are known. */
  get size(): number {
    return this.#known.size
  }

  /** Whether no artist has changed since the names were read. */
  get isCurrent(): boolean {
    return this.#store.artistRevision() === this.#seen
  }

  /** Brings the names up to date with the artists; to be done before {@link references}. */
  async refresh(signal: AbortSignal): Promise<void> {
    const revision = this.#store.artistRevision()
    if (revision === this.#seen) return
    // Names that are added meanwhile may be read twice, which does no harm.
    const steps = this.#seen === 0 || revision < this.#seen ? this.#all() : this.#changed()
    for (const keys of steps) {
      for (const key of keys) this.#known.add(key)
      await jobTurn(signal)
    }
    this.#seen = revision
  }

  /** The artists that a text is about; `own` are those it is given as being about. */
  references(spoken: Spoken, own: readonly Named[]): Reference[] {
    const names: Names = { known: this.#known, find: (name) => this.#find(name, own) }
    return referencesOf(spoken, names, own)
  }

  *#all(): Generator<string[]> {
    for (let after = ''; ; ) {
      const keys = this.#store.nameKeys(after, PAGE)
      yield keys
      const last = keys.at(-1)
      if (last === undefined) return
      after = last
    }
  }

  *#changed(): Generator<string[]> {
    for (const block of this.#store.blocksSince(this.#seen))
      yield this.#store.nameKeysOfBlock(block)
  }

  /** Of several who are called so one that the text is given as being about, else the best known. */
  #find(name: string, own: readonly Named[]): Named | undefined {
    const all = this.#artists.named(name)
    const meant = own.find(({ num }) => all.some((artist) => artist.num === num))
    if (meant) return meant
    const best = all.reduce<(typeof all)[number] | undefined>(
      (a, b) => (a && (a.familiarity ?? -1) >= (b.familiarity ?? -1) ? a : b),
      undefined,
    )
    if (!best) return undefined
    // By another name: how that one is written is not known.
    const isOwnName = artistKey(best.name) === artistKey(name)
    return { num: best.num, name: isOwnName || nameKey(name) === '' ? best.name : name }
  }
}
