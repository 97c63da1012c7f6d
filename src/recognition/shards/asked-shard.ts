import { inTurns } from '../../kernel/scheduler.ts'
import { limitExceeded } from '../../values/errors.ts'
import type { CodeIndex } from '../index/code-index.ts'
import { joinIndexes } from '../index/joined-index.ts'
import type { RecordingStore } from '../recording-store.ts'
import { readFrequencies } from '../search/query.ts'
import { Shortlisting } from '../search/shortlist.ts'
import type { Lookup } from '../systems/codes.ts'
import type { Family } from '../systems/version.ts'
import type { ShardQuery, ShardSong } from './shards-view.ts'

const MAX_POSTINGS_READ = 10_000_000

export class AskedShard {
  constructor(
    private readonly recordings: RecordingStore,
    private readonly index: CodeIndex,
  ) {}

  sizeOfIndex(): { songs: number; importedKeys: boolean } {
    const { songs } = this.index.openLookups()('triplets')
    return { songs, importedKeys: this.recordings.hasImportedKeys() }
  }

  readFrequencies(family: Family, codes: Uint32Array, signal: AbortSignal): Promise<Uint32Array> {
    const view = this.#openView()
    return inTurns(view.readInSteps(readFrequencies(view.lookup(family), codes)), signal)
  }

  /**
   * Recordings from `end` on do not count. @throws {ParameterError} `limit_exceeded` on codes that
   * are too frequent together
   */
  async shortlistSongs(
    { family, query, codes, rules }: Omit<ShardQuery, 'songs'>,
    end: number,
    signal: AbortSignal,
  ): Promise<ShardSong[]> {
    const view = this.#openView()
    const lookup = { ...limitPostings(view.lookup(family)), songs: end }
    const shortlisting = new Shortlisting(lookup, query, rules)
    const shortlisted = await inTurns(view.readInSteps(shortlisting.shortlistBy(codes)), signal)
    return this.recordings.atomically.reading(() =>
      shortlisted.map((song) => {
        const { songId = null, duration = null } = view.byId(song.aligned.song) ?? {}
        return { ...song, songId, duration }
      }),
    )
  }

  #openView() {
    return joinIndexes([{ recordings: this.recordings, index: this.index }])
  }
}

function limitPostings(lookup: Lookup): Lookup {
  let postingsRead = 0
  return {
    ...lookup,
    postings: (code) => {
      const postings = lookup.postings(code)
      postingsRead += postings.length
      if (postingsRead <= MAX_POSTINGS_READ) return postings
      const maxPostings = MAX_POSTINGS_READ.toLocaleString('en')
      throw limitExceeded(
        'query',
        `its codes occur more than ${maxPostings} times; ask for rarer ones`,
      )
    },
  }
}
