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

/** Other tracks between two of one artist where that is possible, unless the wish says otherwise. */
const USUAL_SPACING = { artist: 3, album: 0 }

/** What a mix has played, and what may therefore not be next. */
export class Rules {
  readonly #room: MixRoom
  readonly #columns: LibraryValues['columns']
  readonly #spacing: { artist: number; album: number }
  readonly #away: ReadonlySet<number>
  /** Tracks from which the mix starts: they are not played at all. */
  readonly #origins = new Set<number>()
  /** Where in the mix's time each track and song was played last, in seconds. */
  readonly #played = new Map<number, number>()
  readonly #songs = new Map<string, number>()
  /** The seconds after which what was played may come again. */
  readonly #repeatAfter: number
  #time = 0
  /** What was read of tracks and albums, as the same ones are candidates again and again. */
  readonly #names = new Map<number, readonly string[] | undefined>()
  readonly #titles = new Map<number, string>()
  /** The numbers of the last tracks, in order. */
  readonly #order: number[] = []
  /** Whether each rule of spacing must hold, tried in this order. */
  readonly strictness: readonly boolean[]
  /** The last track that was not skipped, nor is to be kept away from. */
  last: number | undefined
  lastVector: Int8Array | undefined
  lastDescriptor: Float32Array | undefined

  /**
   * @param away  tracks to keep away from
   * @param origins  tracks that count as played, as the mix starts from them
   */
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
      : USUAL_SPACING
    this.strictness = spacing ? [false] : [false, true]
    // Rounded to milliseconds: hours such as 1/24 are no exact numbers.
    this.#repeatAfter =
      Math.round(3_600_000 * (wish.repeatAfter ?? Number.POSITIVE_INFINITY)) / 1_000
    const isSkipped = new Set(skipped)
    for (const id of played) {
      const num = room.track.library.numOf(id)
      if (num !== undefined) this.play(num, isSkipped.has(id))
    }
    for (const num of origins) {
      this.#origins.add(num)
      for (const name of this.#namesOf(num) ?? []) this.#songs.set(name, Number.POSITIVE_INFINITY)
    }
  }

  /** Counts a track as played. */
  play(num: number, isSkipped = false): void {
    const seconds = this.#columns.duration[num]!
    if (!isSkipped) this.#time += Number.isNaN(seconds) ? 0 : Math.round(seconds * 1_000) / 1_000
    this.#played.set(num, this.#time)
    for (const name of this.#namesOf(num) ?? []) {
      this.#songs.set(name, Math.max(this.#time, this.#songs.get(name) ?? 0))
    }
    this.#order.push(num)
    if (isSkipped || this.#away.has(num)) return
    this.last = num
    this.lastVector = this.#room.track.space.vectors().of(num)
    this.lastDescriptor = this.#room.track.library.descriptorOf(num)
  }

  /** What names the song of a track; `undefined` where its audio is gone. */
  #namesOf(num: number): readonly string[] | undefined {
    if (!this.#names.has(num)) {
      const { library, store } = this.#room.track
      const row = store.byId(library.idOf(num) ?? '')
      this.#names.set(num, row && !this.#isMissing(row) ? songNames(row) : undefined)
    }
    return this.#names.get(num)
  }

  isPlayed(num: number): boolean {
    return this.#origins.has(num) || this.#isRecent(this.#played.get(num))
  }

  /** Whether something was played too short a time ago to come again. */
  #isRecent(time: number | undefined): boolean {
    return time !== undefined && this.#time - time < this.#repeatAfter - 0.0005
  }

  /** The rule that forbids a track as the next one. @param isSoft  leaves out the rules of spacing */
  brokenBy(num: number, isSoft: boolean): Rule | undefined {
    if (!isSoft) {
      const { artist, album } = this.#columns
      const near = (spacing: number) => (spacing === 0 ? [] : this.#order.slice(-spacing))
      const isBy = (other: number) => artist[other] === artist[num]
      if (artist[num] !== 0 && near(this.#spacing.artist).some(isBy)) return 'artist'
      const title = this.#spacing.album > 0 ? this.#titleOf(album[num]!) : ''
      // The parts of a compilation, one for each artist, share its title.
      const isOn = (other: number) => this.#titleOf(album[other]!) === title
      if (!title.startsWith(`${UNKNOWN_ALBUM}:`) && near(this.#spacing.album).some(isOn))
        return 'album'
    }
    const names = this.#namesOf(num)
    if (!names) return 'missing'
    return names.some((name) => this.#isRecent(this.#songs.get(name))) ? 'song' : undefined
  }

  #titleOf(album: number): string {
    const title = this.#titles.get(album) ?? this.#room.track.library.albumTitle(album) ?? ''
    this.#titles.set(album, title)
    return title
  }

  /** Whether the files of a track are gone. One that was imported without a file has none to miss. */
  #isMissing({ id, cached }: TrackRow): boolean {
    const files = this.#room.track.store.files.ofTrack(id)
    return !cached && files.length > 0 && files.every(({ present }) => !present)
  }
}
