import { type LibraryValues, UNKNOWN_ALBUM } from '../track/album-groups.ts'
import type { TrackRow } from '../track/store.ts'
import type { MixRoom } from './room.ts'
import { songNames } from './song-names.ts'
import type { MixState } from './wish.ts'

/**
 * Why a track may not be next: `artist` and `album` are too near to one of the same; `song` is
 * another recording of a song of the mix; `missing` has no audio any more.
 */
export type Rule = 'artist' | 'album' | 'song' | 'missing'

/** Other tracks between two of one artist where that is possible. */
const DEFAULT_SPACING = { artist: 3, album: 0 }

export class MixRules {
  readonly #room: MixRoom
  readonly #columns: LibraryValues['columns']
  readonly #spacing: { artist: number; album: number }
  readonly #away: ReadonlySet<number>
  /** They are not played at all. */
  readonly #origins = new Set<number>()
  /** In seconds of the mix's own time. */
  readonly #playedAt = new Map<number, number>()
  readonly #songsPlayedAt = new Map<string, number>()
  /** The seconds after which what was played may come again. */
  readonly #repeatAfter: number
  #mixSeconds = 0
  /** The same tracks are candidates again and again. */
  readonly #namesByTrack = new Map<number, readonly string[] | undefined>()
  readonly #titlesByAlbum = new Map<number, string>()
  readonly #order: number[] = []
  /** Whether the rules of spacing are left out, tried in this order. */
  readonly strictness: readonly boolean[]
  /** The last track that was not skipped, nor is to be kept away from. */
  last: number | undefined
  lastVector: Int8Array | undefined
  lastDescriptor: Float32Array | undefined

  /** @param origins - tracks that count as played, as the mix starts from them */
  constructor(
    room: MixRoom,
    { wish, played, skipped }: MixState,
    { away, origins }: { away: ReadonlySet<number>; origins: readonly number[] },
  ) {
    this.#room = room
    this.#columns = room.track.library.read().columns
    this.#away = away
    const { spacing } = wish
    this.#spacing = spacing
      ? { artist: spacing.artist ?? 0, album: spacing.album ?? 0 }
      : DEFAULT_SPACING
    this.strictness = spacing ? [false] : [false, true]
    // Rounded to milliseconds: hours such as 1/24 are no exact numbers.
    this.#repeatAfter =
      Math.round(3_600_000 * (wish.repeatAfter ?? Number.POSITIVE_INFINITY)) / 1_000
    const isSkipped = new Set(skipped)
    for (const id of played) {
      const num = room.track.library.numOf(id)
      if (num !== undefined) this.countPlayed(num, isSkipped.has(id))
    }
    for (const num of origins) {
      this.#origins.add(num)
      for (const name of this.#namesOf(num) ?? [])
        this.#songsPlayedAt.set(name, Number.POSITIVE_INFINITY)
    }
  }

  countPlayed(num: number, isSkipped = false): void {
    const seconds = this.#columns.duration[num]!
    if (!isSkipped)
      this.#mixSeconds += Number.isNaN(seconds) ? 0 : Math.round(seconds * 1_000) / 1_000
    this.#playedAt.set(num, this.#mixSeconds)
    for (const name of this.#namesOf(num) ?? []) {
      this.#songsPlayedAt.set(name, Math.max(this.#mixSeconds, this.#songsPlayedAt.get(name) ?? 0))
    }
    this.#order.push(num)
    if (isSkipped || this.#away.has(num)) return
    this.last = num
    this.lastVector = this.#room.track.space.vectors().vectorOf(num)
    this.lastDescriptor = this.#room.track.library.descriptorOf(num)
  }

  /** `undefined` where the audio is gone. */
  #namesOf(num: number): readonly string[] | undefined {
    if (!this.#namesByTrack.has(num)) {
      const { library, store } = this.#room.track
      const row = store.byId(library.idOf(num) ?? '')
      this.#namesByTrack.set(num, row && !this.#isMissing(row) ? songNames(row) : undefined)
    }
    return this.#namesByTrack.get(num)
  }

  isPlayed(num: number): boolean {
    return this.#origins.has(num) || this.#isRecent(this.#playedAt.get(num))
  }

  #isRecent(time: number | undefined): boolean {
    return time !== undefined && this.#mixSeconds - time < this.#repeatAfter - 0.0005
  }

  /** @param isSoft - leaves out the rules of spacing */
  brokenRule(num: number, isSoft: boolean): Rule | undefined {
    if (!isSoft) {
      const { artist, album } = this.#columns
      const lastTracks = (spacing: number) => (spacing === 0 ? [] : this.#order.slice(-spacing))
      const isBySameArtist = (otherNum: number) => artist[otherNum] === artist[num]
      if (artist[num] !== 0 && lastTracks(this.#spacing.artist).some(isBySameArtist))
        return 'artist'
      const title = this.#spacing.album > 0 ? this.#titleOf(album[num]!) : ''
      // The parts of a compilation, one for each artist, share its title.
      const isOnSameAlbum = (otherNum: number) => this.#titleOf(album[otherNum]!) === title
      if (
        !title.startsWith(`${UNKNOWN_ALBUM}:`) &&
        lastTracks(this.#spacing.album).some(isOnSameAlbum)
      )
        return 'album'
    }
    const names = this.#namesOf(num)
    if (!names) return 'missing'
    return names.some((name) => this.#isRecent(this.#songsPlayedAt.get(name))) ? 'song' : undefined
  }

  #titleOf(album: number): string {
    const title = this.#titlesByAlbum.get(album) ?? this.#room.track.library.albumTitle(album) ?? ''
    this.#titlesByAlbum.set(album, title)
    return title
  }

  /** A track that was imported without a file has none to miss. */
  #isMissing({ id, cached }: TrackRow): boolean {
    const files = this.#room.track.store.files.ofTrack(id)
    return !cached && files.length > 0 && files.every(({ present }) => !present)
  }
}
