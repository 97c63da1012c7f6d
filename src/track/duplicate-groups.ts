import { inTurns, pause } from '../kernel/scheduler.ts'
import type { FileEvidence, FileSystem } from '../recognition/evidence.ts'
import { collectCodes } from '../recognition/index/collect-codes.ts'
import { UNITS_PER_SECOND } from '../recognition/systems/version.ts'
import { sortFileCodes } from '../recognition/whole-files/code-alignment.ts'
import type { Segments } from '../recognition/whole-files/pitch-difference.ts'
import {
  compareFiles,
  identicalEvidence,
  needsEchoprint,
  reverseEvidence,
  type WholeFile,
} from '../recognition/whole-files/same-recording.ts'
import type { AnalysisStore, ComparableRow } from './analysis-store.ts'
import { readDocument } from './read-document.ts'
import type { TrackRoom } from './room.ts'

const PAGE = 500
/** Analyses kept for the next comparisons, about 1 MB each. */
const KEPT = 16
/** Systems with few codes. Echoprint has about 6,000 a song; they are read only where needed. */
const FEW: readonly FileSystem[] = ['triplets', 'chroma']

/**
 * Groups of two or more tracks that may hold the same recording, in upload order: tracks of one
 * song, as recognised from their sound at the upload, and tracks with the same samples.
 */
export function* suspecting(store: AnalysisStore): Generator<void, ComparableRow[][]> {
  const groups = new Map<string, ComparableRow[]>()
  for (let after = 0; ; ) {
    const rows = store.comparable(after, PAGE)
    for (const row of rows) {
      const keys = [row.songId, row.audioMd5].filter((key) => key !== null)
      // A track with the song of one group and the samples of another joins the two.
      const joined = new Set(keys.flatMap((key) => groups.get(key) ?? []).concat(row))
      const group = [...joined]
      for (const { songId, audioMd5 } of group) {
        if (songId !== null) groups.set(songId, group)
        if (audioMd5 !== null) groups.set(audioMd5, group)
      }
    }
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) break
    after = last.number
    yield
  }
  return [...new Set(groups.values())]
    .filter((group) => group.length > 1)
    .map((group) => group.sort((a, b) => a.number - b.number))
    .sort((a, b) => a[0]!.number - b[0]!.number)
}

/** The evidence that a track holds the same recording as another one. */
export interface DuplicateEvidence extends FileEvidence {
  /** The id of the other track: the first of the group, or one that is nearer to this. */
  of: string
}

interface Member {
  trackId: string
  /** Why it belongs to the group; absent for the first. */
  evidence?: DuplicateEvidence
}

/** Finds the groups of tracks with the same recording among tracks that may hold it. */
export class Duplicates {
  readonly #room: Pick<TrackRoom, 'analyses' | 'song'>
  readonly #signal: AbortSignal
  readonly #sounds = new Map<string, Promise<Segments | undefined>>()
  #files = new Map<ComparableRow, WholeFile>()

  constructor(room: Pick<TrackRoom, 'analyses' | 'song'>, signal: AbortSignal) {
    this.#room = room
    this.#signal = signal
  }

  async read(groups: readonly ComparableRow[][]): Promise<void> {
    this.#files = new Map()
    await this.#readCodes(groups.flat(), FEW)
    const sparse = groups.filter((group) =>
      group.some((row) => {
        const file = this.#files.get(row)
        return file !== undefined && needsEchoprint(file)
      }),
    )
    await this.#readCodes(sparse.flat(), ['echoprint'])
  }

  async #readCodes(rows: readonly ComparableRow[], systems: readonly FileSystem[]): Promise<void> {
    const { recordings } = this.#room.song
    const numbers = new Map(rows.map((row) => [row, recordings.ofTrack(row.trackId)]))
    const wanted = [...numbers.values()].filter((number) => number !== undefined)
    if (wanted.length === 0) return
    const ascending = [...new Set(wanted)].sort((a, b) => a - b)
    const found = await collectCodes(recordings, ascending, () => pause(this.#signal), systems)
    for (const [row, number] of numbers) {
      const families = number === undefined ? undefined : found.get(number)
      if (!families) continue
      const { duration, trackId } = row
      const codes = { ...this.#files.get(row)?.codes }
      for (const system of systems) {
        const own = families.get(system)
        if (own)
          codes[system] = sortFileCodes(own, { perSecond: UNITS_PER_SECOND[system], duration })
      }
      this.#files.set(row, { codes, duration, segments: () => this.#soundOf(trackId) })
    }
  }

  /** Finds the groups among tracks whose codes were read. Tracks keep their order. */
  async among(rows: readonly ComparableRow[]): Promise<Member[][]> {
    /** The group of each track by its index in `rows`; `links` has the evidence between tracks. */
    const groups = rows.map((_, place) => [place])
    const links = rows.map(() => new Map<number, FileEvidence>())
    for (const [place, row] of rows.entries()) {
      for (const [earlier, other] of rows.slice(0, place).entries()) {
        const own = groups[place]!
        if (own.includes(earlier)) continue
        const evidence = await this.#compare(row, other)
        if (!evidence) continue
        links[place]!.set(earlier, evidence)
        links[earlier]!.set(place, reverseEvidence(evidence))
        const joined = [...groups[earlier]!, ...own]
        for (const one of joined) groups[one] = joined
      }
    }
    return [...new Set(groups)]
      .filter((group) => group.length > 1)
      .map((group) => members(rows, links, Math.min(...group)))
  }

  async #compare(row: ComparableRow, other: ComparableRow): Promise<FileEvidence | undefined> {
    if (row.audioMd5 !== null && row.audioMd5 === other.audioMd5) {
      return identicalEvidence({ file: row.duration, other: other.duration })
    }
    const file = this.#files.get(row)
    const another = this.#files.get(other)
    if (!file || !another) return undefined
    return compareFiles(file, another, (steps) => inTurns(steps, this.#signal))
  }

  #soundOf(trackId: string): Promise<Segments | undefined> {
    const known = this.#sounds.get(trackId)
    if (known) return known
    for (const oldest of this.#sounds.keys()) {
      if (this.#sounds.size < KEPT) break
      this.#sounds.delete(oldest)
    }
    const sound = this.#read(trackId)
    this.#sounds.set(trackId, sound)
    return sound
  }

  async #read(trackId: string): Promise<Segments | undefined> {
    try {
      const stored = this.#room.analyses.document(trackId)
      return (await readDocument(stored, this.#signal)).segments
    } catch {
      this.#signal.throwIfAborted()
      // A damaged analysis counts as none.
      return undefined
    }
  }
}

/** The members of a group, each with the evidence that links it to a member found before it. */
function members(
  rows: readonly ComparableRow[],
  links: readonly ReadonlyMap<number, FileEvidence>[],
  first: number,
): Member[] {
  const found = new Map<number, Member>([[first, { trackId: rows[first]!.trackId }]])
  // `found` grows during the loop: a breadth-first search.
  for (const [place, { trackId: of }] of found) {
    for (const next of links[place]!.keys()) {
      const evidence = links[next]!.get(place)
      if (found.has(next) || !evidence) continue
      found.set(next, { trackId: rows[next]!.trackId, evidence: { of, ...evidence } })
    }
  }
  return [...found].sort(([a], [b]) => a - b).map(([, member]) => member)
}
