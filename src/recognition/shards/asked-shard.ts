import { limitExceeded } from '../../errors.ts'
import { inTurns } from '../../kernel/scheduler.ts'
import type { CodeIndex } from '../index/code-index.ts'
import { joinedView } from '../index/joined-index.ts'
import type { RecordingStore } from '../recording-store.ts'
import { frequenciesIn } from '../search/query.ts'
import { Shortlisting } from '../search/shortlist.ts'
import type { Lookup } from '../systems/codes.ts'
import type { Family } from '../systems/version.ts'
import type { ShardQuery, ShardSong } from './shards-view.ts'

/** Postings that are read for one request; no search of this version needs a quarter of them. */
const MOST_POSTINGS = 10_000_000

/** The index of this database, as engines ask it that have it as a reference. */
export class AskedShard {
  readonly #recordings: RecordingStore
  readonly #index: CodeIndex

  constructor(recordings: RecordingStore, index: CodeIndex) {
    this.#recordings = recordings
    this.#index = index
  }

  /** All numbers of recordings are below `songs`. */
  size(): { songs: number; importedKeys: boolean } {
    const { songs } = this.#index.lookups()('landmarks')
    return { songs, importedKeys: this.#recordings.hasImportedKeys() }
  }

  frequencies(family: Family, codes: Uint32Array, signal: AbortSignal): Promise<Uint32Array> {
    const view = this.#view()
    return inTurns(view.reading(frequenciesIn(view.lookup(family), codes)), signal)
  }

  /**
   * @param end - the numbers of the recordings that count are below it
   * @throws {ParameterError} `limit_exceeded` on codes that are too frequent together
   */
  async shortlist(
    { family, query, codes, rules }: Omit<ShardQuery, 'songs'>,
    end: number,
    signal: AbortSignal,
  ): Promise<ShardSong[]> {
    const view = this.#view()
    const shortlisting = new Shortlisting(bounded(view.lookup(family), end), query, rules)
    const found = await inTurns(view.reading(shortlisting.by(codes)), signal)
    return this.#recordings.atomically.reading(() =>
      found.map((one) => {
        const { songId = null, duration = null } = view.byId(one.aligned.song) ?? {}
        return { ...one, songId, duration }
      }),
    )
  }

  #view() {
    return joinedView([{ recordings: this.#recordings, index: this.#index }])
  }
}

/** An index without the recordings from a number on, of which a limited number of postings is read. */
function bounded(lookup: Lookup, end: number): Lookup {
  let read = 0
  return {
    songs: end,
    frequency: lookup.frequency,
    postings: (code) => {
      const { songs, times, length } = lookup.postings(code)
      read += length
      if (read > MOST_POSTINGS) {
        const most = MOST_POSTINGS.toLocaleString('en')
        throw limitExceeded('query', `its codes occur more than ${most} times; ask for rarer ones`)
      }
      let kept = length
      while (kept > 0 && songs[kept - 1]! >= end) kept--
      return { songs, times, length: kept }
    },
  }
}
