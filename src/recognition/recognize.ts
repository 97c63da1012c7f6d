import { atOnce, inTurns } from '../kernel/scheduler.ts'
import { type Evidence, type Lengths, lengthsOf } from './evidence.ts'
import type { CodeIndex } from './index/code-index.ts'
import { type Found, type JoinedView, joinedView, type Place } from './index/joined-index.ts'
import type { RecordingStore } from './recording-store.ts'
import {
  type Identified,
  identifying,
  identifyingCodes,
  type Prints,
} from './search/identifying.ts'
import { matching } from './search/match.ts'
import { songsOf } from './search/query.ts'
import { type Rules, rulesOfWhole, SAMPLE_RULES } from './search/rules.ts'
import type { ServedReference } from './shards/served-reference.ts'
import type { Shard } from './shards/shards-view.ts'
import { sampleOf } from './systems/code-keys.ts'
import type { Codes } from './systems/codes.ts'
import type { RecordingPrints } from './systems/recording-prints.ts'
import { type Family, PER_SECOND } from './systems/version.ts'
import { named, whole } from './verdict.ts'
import { repeatedIn } from './whole-files/loops.ts'

export interface Recognized {
  songId: string
  /** The name of the reference that knows the song; `undefined` for this database. */
  reference?: string | undefined
  evidence: Evidence
}

/** The sample of a whole file's codes. */
const SAMPLE = Object.freeze({
  /** A sample with fewer codes (90 s of music) is not used: all codes of the file are looked up. */
  least: 100,
  /**
   * If the best song scores less, no song is known. Three codes of three parts of the file score
   * 1.8; none of 1,000,000 generated songs has so many by chance.
   */
  trace: 1.5,
})

/** Finds the songs that recordings belong to, by the index of their codes. */
export class Recognizer {
  readonly #places: readonly (Place | ServedReference)[]

  constructor(
    private readonly store: RecordingStore,
    private readonly index: CodeIndex,
    references: readonly (Place | ServedReference)[] = [],
  ) {
    this.#places = [{ recordings: store, index }, ...references]
  }

  among(references: readonly (Place | ServedReference)[]): Recognizer {
    return new Recognizer(this.store, this.index, references)
  }

  /**
   * The songs that codes of one family identify. If names agree, a lower score is enough.
   *
   * @param withNames - adds the names and the lengths to the evidence of a song
   * @throws the signal's reason when it aborts before the end
   */
  async byCodes(
    family: Family,
    codes: Codes,
    signal: AbortSignal,
    withNames: (found: Recognized) => Recognized | Promise<Recognized> = (found) => found,
  ): Promise<Recognized[]> {
    const view = await this.#view(signal)
    const songs = new SongsOfRecordings(view)
    const lookup = view.lookup(family)
    const steps = identifyingCodes(family, codes, lookup, songs.numberOf)
    const { accepted, refused } = await inTurns(view.reading(steps), signal)
    if (accepted.length > 0) return Promise.all(songs.of(accepted).map(withNames))
    const likely = await Promise.all(songs.of(refused).map(withNames))
    return likely.filter(({ evidence }) => named(evidence, songsOf(lookup)))
  }

  /**
   * The songs that a recording, or a piece of one, belongs to, by all its fingerprints.
   *
   * @param length - seconds
   * @throws the signal's reason when it aborts before the end
   */
  async byPrints(prints: Prints, length: number, signal: AbortSignal): Promise<Recognized[]> {
    const view = await this.#view(signal)
    const songs = new SongsOfRecordings(view)
    const steps = identifying(prints, view.lookup, songs.numberOf)
    return songs.of(await inTurns(view.reading(steps), signal), length)
  }

  async #view(signal: AbortSignal): Promise<JoinedView> {
    const places: Promise<Place | Shard>[] = this.#places.map(async (one) =>
      'shard' in one ? one.shard(signal) : one,
    )
    return joinedView(await Promise.all(places))
  }

  /**
   * The song whose recording fills a whole file and is about as long as it; `undefined` when there
   * is none. A file that only quotes a song is another recording.
   *
   * @param length - seconds
   */
  whole(prints: RecordingPrints, length: number): Recognized | undefined {
    const { triplets, echoprint } = prints
    return (
      this.#wholeByTriplets(triplets, length) ??
      this.#repeated(triplets, length) ??
      // Some recordings have imported code strings and nothing else.
      (this.store.hasImported() ? this.#wholeBy('echoprint', echoprint, length) : undefined)
    )
  }

  #repeated(codes: Codes, duration: number): Recognized | undefined {
    const system = 'triplets'
    const file = { perSecond: PER_SECOND[system], duration }
    const durationOf = (recording: number) => this.store.byId(recording)?.duration
    const found = repeatedIn(codes, file, this.index.lookups()(system), durationOf)
    const recording = found && this.store.byId(found.recording)
    if (!recording) return undefined
    const { alignment, held } = found
    return {
      songId: recording.songId,
      evidence: {
        system,
        score: held,
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

  /**
   * The sample of the codes decides when no song, or only one, is found. All codes are looked up to
   * choose between several recordings, and when the sample is not enough.
   */
  #wholeByTriplets(codes: Codes, length: number): Recognized | undefined {
    const family = 'triplets'
    const sample = sampleOf(codes)
    if (sample.codes.length >= SAMPLE.least) {
      const { accepted, refused, heard } = this.#wholesOf(family, sample, length, SAMPLE_RULES)
      if (accepted.length === 0 && (refused[0]?.score ?? 0) < SAMPLE.trace) return undefined
      if (accepted.length === 1 && heard) return heard
    }
    return this.#wholeBy(family, codes, length)
  }

  #wholeBy(family: Family, codes: Codes, length: number): Recognized | undefined {
    return this.#wholesOf(family, codes, length, rulesOfWhole(family)).heard
  }

  #wholesOf(family: Family, codes: Codes, length: number, rules: Rules) {
    const songs = new SongsOfRecordings(this.store)
    const lookup = this.index.lookups()(family)
    const found = atOnce(matching(codes, lookup, rules, songs.numberOf))
    const heard = found.accepted
      .flatMap((one) => songs.of([{ ...one, family, pitch: 0 }], length))
      .find(({ evidence }) => whole(evidence))
    return { ...found, heard }
  }
}

function evidenceOf(found: Identified, lengths: Lengths): Evidence {
  const { family, score, agreeing, chance, codes, aligned, offset, rate, pitch, lead } = found
  return {
    system: family,
    score,
    agreeing,
    chance,
    codes,
    aligned,
    offset: offset / PER_SECOND[family],
    speed: rate,
    pitch,
    lead,
    lengths,
    names: {},
  }
}

/** The songs that recordings belong to, each looked up once. */
class SongsOfRecordings {
  readonly #rows = new Map<number, Found | undefined>()
  readonly #numbers = new Map<string, number>()

  constructor(private readonly store: Pick<JoinedView, 'byId'>) {}

  /** A number for the song of a recording: the same for all recordings of one song. */
  readonly numberOf = (recording: number): number => {
    const id = this.#byId(recording)?.songId ?? ''
    const known = this.#numbers.get(id)
    if (known !== undefined) return known
    this.#numbers.set(id, this.#numbers.size)
    return this.#numbers.size - 1
  }

  /**
   * The songs of recordings that were found, each once, in their order.
   *
   * @param length - of the query, seconds
   */
  of(found: readonly Identified[], length?: number): Recognized[] {
    const seen = new Set<string>()
    const known = found.map((one) => ({ one, row: this.#byId(one.song) }))
    const own = new Set(known.flatMap(({ row }) => (row && !row.reference ? [row.songId] : [])))
    return known.flatMap(({ one, row }) => {
      if (row === undefined || seen.has(row.songId)) return []
      const { songId, reference } = row
      // A song that is in the user's database and in a reference counts as the user's.
      if (reference !== undefined && own.has(songId)) return []
      seen.add(songId)
      const lengths = lengthsOf(length, row.duration)
      return [{ songId, reference, evidence: evidenceOf(one, lengths) }]
    })
  }

  #byId(recording: number): Found | undefined {
    if (!this.#rows.has(recording)) this.#rows.set(recording, this.store.byId(recording))
    return this.#rows.get(recording)
  }
}
