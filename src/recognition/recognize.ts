import { atOnce, inTurns } from '../kernel/scheduler.ts'
import { type Evidence, type Lengths, lengthsOf } from './evidence.ts'
import type { CodeIndex } from './index/code-index.ts'
import {
  type FoundRecording,
  type JoinedView,
  joinIndexes,
  type SearchedDatabase,
} from './index/joined-index.ts'
import type { RecordingStore } from './recording-store.ts'
import {
  type IdentifiedSong,
  identifyByCodes,
  identifySound,
  type SoundPrints,
} from './search/identifying.ts'
import { matchCodes } from './search/match.ts'
import { countSongs } from './search/query.ts'
import { type MatchRules, rulesOfWhole, SAMPLE_RULES } from './search/rules.ts'
import type { ServedReference } from './shards/served-reference.ts'
import type { Shard } from './shards/shards-view.ts'
import { sampleCodes } from './systems/code-keys.ts'
import type { Codes } from './systems/codes.ts'
import type { RecordingPrints } from './systems/recording-prints.ts'
import { type Family, UNITS_PER_SECOND } from './systems/version.ts'
import { fillsWholeFile, isNamedMatch } from './verdict.ts'
import { findRepeated } from './whole-files/loops.ts'

export interface Recognized {
  songId: string
  /** The name of the reference that knows the song; `undefined` for this database. */
  reference?: string | undefined
  evidence: Evidence
}

const SAMPLE_LIMITS = Object.freeze({
  /** Smaller samples decide nothing. */
  least: 100,
  /** If the best song scores less, no song is known. */
  trace: 1.5,
})

export class Recognizer {
  readonly #places: readonly (SearchedDatabase | ServedReference)[]

  constructor(
    private readonly store: RecordingStore,
    private readonly index: CodeIndex,
    references: readonly (SearchedDatabase | ServedReference)[] = [],
  ) {
    this.#places = [{ recordings: store, index }, ...references]
  }

  withReferences(references: readonly (SearchedDatabase | ServedReference)[]): Recognizer {
    return new Recognizer(this.store, this.index, references)
  }

  /** The songs that codes of one family identify. If names agree, a lower score is enough. */
  async byCodes(
    family: Family,
    codes: Codes,
    signal: AbortSignal,
    withNames: (recognized: Recognized) => Recognized | Promise<Recognized> = (recognized) =>
      recognized,
  ): Promise<Recognized[]> {
    const view = await this.#openView(signal)
    const songs = new SongsOfRecordings(view)
    const lookup = view.lookup(family)
    const steps = identifyByCodes(family, codes, lookup, songs.numberOf)
    const { accepted, refused } = await inTurns(view.readInSteps(steps), signal)
    if (accepted.length > 0) return Promise.all(songs.listSongs(accepted).map(withNames))
    const refusedSongs = await Promise.all(songs.listSongs(refused).map(withNames))
    return refusedSongs.filter(({ evidence }) => isNamedMatch(evidence, countSongs(lookup)))
  }

  async byPrints(prints: SoundPrints, length: number, signal: AbortSignal): Promise<Recognized[]> {
    const view = await this.#openView(signal)
    const songs = new SongsOfRecordings(view)
    const steps = identifySound(prints, view.lookup, songs.numberOf)
    return songs.listSongs(await inTurns(view.readInSteps(steps), signal), length)
  }

  async #openView(signal: AbortSignal): Promise<JoinedView> {
    const places: Promise<SearchedDatabase | Shard>[] = this.#places.map(async (reference) =>
      'openShard' in reference ? reference.openShard(signal) : reference,
    )
    return joinIndexes(await Promise.all(places))
  }

  /**
   * The song whose recording is a whole file. A file that only quotes a song is another recording.
   */
  songOfWholeFile(prints: RecordingPrints, length: number): Recognized | undefined {
    const { triplets, echoprint } = prints
    return (
      this.#songByTriplets(triplets, length) ??
      this.#songOfLoop(triplets, length) ??
      // Some recordings have imported code strings and nothing else.
      (this.store.hasImported() ? this.#songByFamily('echoprint', echoprint, length) : undefined)
    )
  }

  #songOfLoop(codes: Codes, duration: number): Recognized | undefined {
    const system = 'triplets'
    const file = { perSecond: UNITS_PER_SECOND[system], duration }
    const durationOf = (recording: number) => this.store.byId(recording)?.duration
    const loop = findRepeated(codes, file, this.index.openLookups()(system), durationOf)
    const recording = loop && this.store.byId(loop.recording)
    if (!recording) return undefined
    const { alignment, held: heldCodes } = loop
    return {
      songId: recording.songId,
      evidence: {
        system,
        score: heldCodes,
        agreeing: alignment.agreeing,
        chance: 0,
        codes: alignment.codes,
        aligned: alignment.overlap,
        offset: alignment.offset,
        speed: alignment.speed,
        pitch: 0,
        lead: 0,
        lengths: lengthsOf(duration, recording.duration),
        names: {},
      },
    }
  }

  /** All codes are looked up when the sample finds several songs, or too little of one. */
  #songByTriplets(codes: Codes, length: number): Recognized | undefined {
    const family = 'triplets'
    const sample = sampleCodes(codes)
    if (sample.codes.length >= SAMPLE_LIMITS.least) {
      const { accepted, refused, heard } = this.#matchWholeFile(
        family,
        sample,
        length,
        SAMPLE_RULES,
      )
      if (accepted.length === 0 && (refused[0]?.score ?? 0) < SAMPLE_LIMITS.trace) return undefined
      if (accepted.length === 1 && heard) return heard
    }
    return this.#songByFamily(family, codes, length)
  }

  #songByFamily(family: Family, codes: Codes, length: number): Recognized | undefined {
    return this.#matchWholeFile(family, codes, length, rulesOfWhole(family)).heard
  }

  #matchWholeFile(family: Family, codes: Codes, length: number, rules: MatchRules) {
    const songs = new SongsOfRecordings(this.store)
    const lookup = this.index.openLookups()(family)
    const finding = atOnce(matchCodes(codes, lookup, rules, songs.numberOf))
    const songOfFile = finding.accepted
      .flatMap((match) => songs.listSongs([{ ...match, family, pitch: 0 }], length))
      .find(({ evidence }) => fillsWholeFile(evidence))
    return { ...finding, heard: songOfFile }
  }
}

function evidenceOfMatch(match: IdentifiedSong, lengths: Lengths): Evidence {
  const { family, score, agreeing, chance, codes, aligned, offset, rate, pitch, lead } = match
  return {
    system: family,
    score,
    agreeing,
    chance,
    codes,
    aligned,
    offset: offset / UNITS_PER_SECOND[family],
    speed: rate,
    pitch,
    lead,
    lengths,
    names: {},
  }
}

class SongsOfRecordings {
  readonly #rows = new Map<number, FoundRecording | undefined>()
  readonly #numbers = new Map<string, number>()

  constructor(private readonly store: Pick<JoinedView, 'byId'>) {}

  /** A number for the song of a recording: the same for all recordings of one song. */
  readonly numberOf = (recording: number): number => {
    const id = this.#byId(recording)?.songId ?? ''
    const knownNumber = this.#numbers.get(id)
    if (knownNumber !== undefined) return knownNumber
    this.#numbers.set(id, this.#numbers.size)
    return this.#numbers.size - 1
  }

  listSongs(matches: readonly IdentifiedSong[], length?: number): Recognized[] {
    const seen = new Set<string>()
    const matchRows = matches.map((match) => ({ match, row: this.#byId(match.song) }))
    const ownSongs = new Set(
      matchRows.flatMap(({ row }) => (row && !row.reference ? [row.songId] : [])),
    )
    return matchRows.flatMap(({ match, row }) => {
      if (row === undefined || seen.has(row.songId)) return []
      const { songId, reference } = row
      // A song that is in the user's database and in a reference counts as the user's.
      if (reference !== undefined && ownSongs.has(songId)) return []
      seen.add(songId)
      const lengths = lengthsOf(length, row.duration)
      return [{ songId, reference, evidence: evidenceOfMatch(match, lengths) }]
    })
  }

  #byId(recording: number): FoundRecording | undefined {
    if (!this.#rows.has(recording)) this.#rows.set(recording, this.store.byId(recording))
    return this.#rows.get(recording)
  }
}
