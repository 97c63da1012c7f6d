import { inTurns } from '../../kernel/scheduler.ts'
import { limitExceeded } from '../../values/errors.ts'
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

/** Answers engines that search the index of this database as a reference. */
export class AskedShard {
  constructor(
    private readonly recordings: RecordingStore,
    private readonly index: CodeIndex,
  ) {}

  /** All numbers of recordings are below `songs`. */
  size(): { songs: number; importedKeys: boolean } {
    const { songs } = this.index.lookups()('triplets')
    return { songs, importedKeys: this.recordings.hasImportedKeys() }
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
    // Newer recordings are past its end, and do not count.
    const lookup = { ...limited(view.lookup(family)), songs: end }
    const shortlisting = new Shortlisting(lookup, query, rules)
    const found = await inTurns(view.reading(shortlisting.by(codes)), signal)
    return this.recordings.atomically.reading(() =>
      found.map((one) => {
        const { songId = null, duration = null } = view.byId(one.aligned.song) ?? {}
        return { ...one, songId, duration }
      }),
    )
  }

  #view() {
    return joinedView([{ recordings: this.recordings, index: this.index }])
  }
}

function limited(lookup: Lookup): Lookup {
  let read = 0
  return {
    ...lookup,
    postings: (code) => {
      const found = lookup.postings(code)
      read += found.length
      if (read <= MOST_POSTINGS) return found
      const most = MOST_POSTINGS.toLocaleString('en')
      throw limitExceeded('query', `its codes occur more than ${most} times; ask for rarer ones`)
    },
  }
}
