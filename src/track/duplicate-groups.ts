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

const COMPARABLE_PER_PAGE = 500
/** About 1 MB each. */
const MAX_KEPT_ANALYSES = 16
/** Echoprint has many more codes; they are read only where needed. */
const SPARSE_SYSTEMS: readonly FileSystem[] = ['triplets', 'chroma']

/** Tracks of one recognised song, or with the same samples, in upload order. */
export function* findSuspects(store: AnalysisStore): Generator<void, ComparableRow[][]> {
  const groups = new Map<string, ComparableRow[]>()
  for (let after = 0; ; ) {
    const rows = store.comparable(after, COMPARABLE_PER_PAGE)
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
    if (!last || rows.length < COMPARABLE_PER_PAGE) break
    after = last.number
    yield
  }
  return [...new Set(groups.values())]
    .filter((group) => group.length > 1)
    .map((group) => group.sort((a, b) => a.number - b.number))
    .sort((a, b) => a[0]!.number - b[0]!.number)
}

/** The evidence that a track is a copy of the first of its group. */
export interface DuplicateEvidence extends FileEvidence {
  /** The first of the group, or one that is nearer to this track. */
  of: string
}

interface Member {
  trackId: string
  /** Why it belongs to the group; absent for the first. */
  evidence?: DuplicateEvidence
}

export class DuplicateSearch {
  readonly #room: Pick<TrackRoom, 'analyses' | 'song'>
  readonly #signal: AbortSignal
  readonly #sounds = new Map<string, Promise<Segments | undefined>>()
  #files = new Map<ComparableRow, WholeFile>()

  constructor(room: Pick<TrackRoom, 'analyses' | 'song'>, signal: AbortSignal) {
    this.#room = room
    this.#signal = signal
  }

  async readCodesOf(groups: readonly ComparableRow[][]): Promise<void> {
    this.#files = new Map()
    await this.#readCodes(groups.flat(), SPARSE_SYSTEMS)
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
    const knownNumbers = [...numbers.values()].filter((number) => number !== undefined)
    if (knownNumbers.length === 0) return
    const ascending = [...new Set(knownNumbers)].sort((a, b) => a - b)
    const codesByNumber = await collectCodes(
      recordings,
      ascending,
      () => pause(this.#signal),
      systems,
    )
    for (const [row, number] of numbers) {
      const families = number === undefined ? undefined : codesByNumber.get(number)
      if (!families) continue
      const { duration, trackId } = row
      const codes = { ...this.#files.get(row)?.codes }
      for (const system of systems) {
        const systemCodes = families.get(system)
        if (systemCodes)
          codes[system] = sortFileCodes(systemCodes, {
            perSecond: UNITS_PER_SECOND[system],
            duration,
          })
      }
      this.#files.set(row, { codes, duration, segments: () => this.#segmentsOf(trackId) })
    }
  }

  async groupsAmong(rows: readonly ComparableRow[]): Promise<Member[][]> {
    /** By index in `rows`. */
    const groups = rows.map((_, place) => [place])
    const links = rows.map(() => new Map<number, FileEvidence>())
    for (const [place, row] of rows.entries()) {
      for (const [earlier, earlierRow] of rows.slice(0, place).entries()) {
        const group = groups[place]!
        if (group.includes(earlier)) continue
        const evidence = await this.#compareTracks(row, earlierRow)
        if (!evidence) continue
        links[place]!.set(earlier, evidence)
        links[earlier]!.set(place, reverseEvidence(evidence))
        const joined = [...groups[earlier]!, ...group]
        for (const member of joined) groups[member] = joined
      }
    }
    return [...new Set(groups)]
      .filter((group) => group.length > 1)
      .map((group) => linkMembers(rows, links, Math.min(...group)))
  }

  async #compareTracks(
    row: ComparableRow,
    otherRow: ComparableRow,
  ): Promise<FileEvidence | undefined> {
    if (row.audioMd5 !== null && row.audioMd5 === otherRow.audioMd5) {
      return identicalEvidence({ file: row.duration, other: otherRow.duration })
    }
    const file = this.#files.get(row)
    const otherFile = this.#files.get(otherRow)
    if (!file || !otherFile) return undefined
    return compareFiles(file, otherFile, (steps) => inTurns(steps, this.#signal))
  }

  #segmentsOf(trackId: string): Promise<Segments | undefined> {
    const keptSegments = this.#sounds.get(trackId)
    if (keptSegments) return keptSegments
    for (const oldest of this.#sounds.keys()) {
      if (this.#sounds.size < MAX_KEPT_ANALYSES) break
      this.#sounds.delete(oldest)
    }
    const segments = this.#readSegments(trackId)
    this.#sounds.set(trackId, segments)
    return segments
  }

  async #readSegments(trackId: string): Promise<Segments | undefined> {
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

/** Each has the evidence that links it to a member found before it. */
function linkMembers(
  rows: readonly ComparableRow[],
  links: readonly ReadonlyMap<number, FileEvidence>[],
  first: number,
): Member[] {
  const membersByPlace = new Map<number, Member>([[first, { trackId: rows[first]!.trackId }]])
  // The map grows during the loop: a breadth-first search.
  for (const [place, { trackId: of }] of membersByPlace) {
    for (const next of links[place]!.keys()) {
      const evidence = links[next]!.get(place)
      if (membersByPlace.has(next) || !evidence) continue
      membersByPlace.set(next, { trackId: rows[next]!.trackId, evidence: { of, ...evidence } })
    }
  }
  return [...membersByPlace].sort(([a], [b]) => a - b).map(([, member]) => member)
}
