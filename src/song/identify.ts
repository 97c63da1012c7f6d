import { z } from 'zod'
import { inputsOf, withAudio } from '../input/receive-audio.ts'
import { method } from '../kernel/method.ts'
import { callTurn } from '../kernel/scheduler.ts'
import { exactlyOne, numeric } from '../options/parameter-types.ts'
import type { Recognized } from '../recognition/recognize.ts'
import { formatAnswer } from '../recognition/search/identifying.ts'
import { LONGEST_NAME } from '../values/text.ts'
import { type Asked, askedOf, bucket } from './buckets.ts'
import { type CodeQuery, songsOfCode } from './by-code.ts'
import { placeOf } from './find-song.ts'
import { audio, takeFingerprints } from './fingerprint.ts'
import { type NotAsked, withoutFailing } from './partial-answer.ts'
import type { SongRoom } from './room.ts'
import { servedSongs } from './served-songs.ts'
import { describe, type SongAnswer } from './song-answer.ts'

const version = z.union([z.number(), z.string().trim().min(1)])

/** The fields beside a code are optional: values of other types are ignored. */
const text = z.string().max(LONGEST_NAME).nullish().catch(undefined)
const seconds = numeric.nullish().catch(undefined)

/** The fields beside a code. Other fields are ignored. */
const beside = {
  /** The artist in the file's tags. */
  artist: text,
  /** The title in the file's tags. */
  title: text,
  /** The release in the file's tags. */
  release: text,
  /** The genre in the file's tags. */
  genre: text,
  /** The length of the recording, seconds. */
  duration: seconds,
  /** The version of the code: 3.13, 3.15, 4.0, 4.11 or 4.12. */
  version: version.nullish().catch(undefined),
}

const query = z.object({
  /** The code string of a fingerprint, as `songs.fingerprint` and Echoprint's generators write it. */
  code: z.string(),
  /** Returned with the songs of this query. */
  tag: z.unknown().optional(),
  ...beside,
  /** The same facts, as Echoprint's generators write them; used if absent above. */
  metadata: z
    .object({
      ...beside,
      /** The length of the recording, seconds. */
      seconds,
      /** The name of the file. */
      filename: text,
    })
    .nullish()
    .catch(undefined),
})
/** A query in a list. A failed generator writes an error instead of the code: no songs. */
const entry = query.extend({
  /** The code string of a fingerprint; without one there are no songs. */
  code: z.string().nullish().catch(undefined),
})
type Query = z.output<typeof entry>

const MOST_QUERIES = 1_000

/** One query, or a list; each has its own schema, so that errors name the field. */
const queries = z
  .custom<z.input<typeof query> | readonly z.input<typeof entry>[]>()
  .transform((given: unknown, context): Query[] => {
    const list = Array.isArray(given)
    if (list && given.length > MOST_QUERIES) {
      const count = given.length.toLocaleString('en')
      const most = MOST_QUERIES.toLocaleString('en')
      const message = `has ${count} queries; ask ${most} at most in one call`
      context.addIssue({ code: 'custom', message, input: given })
      return z.NEVER
    }
    const { data, error } = (list ? z.array(entry) : query).safeParse(given)
    if (data !== undefined) return [data].flat()
    for (const issue of error.issues) context.issues.push(issue as z.core.$ZodRawIssue)
    return z.NEVER
  })

const parameters = z
  .strictObject({
    /** A fingerprint with other facts about the recording, or a list of them. */
    query: queries.optional(),
    /** A fingerprint. The fields beside it are evidence that ranks songs. */
    code: z.string().optional(),
    /** The artist's name. */
    artist: z.string().max(LONGEST_NAME).optional(),
    /** The song's title. */
    title: z.string().max(LONGEST_NAME).optional(),
    /** The album's title. */
    release: z.string().max(LONGEST_NAME).optional(),
    /** The genre. */
    genre: z.string().max(LONGEST_NAME).optional(),
    /** Length of the whole recording, seconds. */
    duration: numeric.optional(),
    /** The version of the code: 4.11 and 4.12 are system B, 3.15 is system A. */
    version: version.optional(),
    ...audio,
    /** The parts of the answer besides names: `audio_summary`, `tracks`, `id:<id space>` … */
    bucket,
    /** Whether each song comes with the evidence for it. Default false. */
    evidence: z.boolean().optional(),
  })
  .superRefine(
    exactlyOne(['query', 'code', 'file', 'url', 'source'], 'code', 'give code, query, or audio'),
  )

/**
 * `song/identify`: finds the songs of recordings by their fingerprints or their sound. There are
 * no songs for an unknown recording or for a code that cannot be decoded.
 */
export const identify = method({
  name: 'song/identify',
  verbs: ['GET', 'POST'],
  local: ['file', 'url', 'source', 'start', 'length', 'evidence'],
  parameters,
  run(room: SongRoom, given, { signal }): Promise<SongAnswer[]> {
    return identified(room, given, signal, (work) => work(room))
  },
})

/** The songs of a call that skips references that cannot be asked. */
export interface PartlyIdentified {
  songs: SongAnswer[]
  /** The skipped references, which may know other songs. */
  notAsked: NotAsked[]
}

/** `song/identify-partly` (ours): as `song/identify`, among the references that can be asked. */
export const identifyPartly = method({
  name: 'song/identify-partly',
  parameters,
  async run(room: SongRoom, given, { signal }): Promise<PartlyIdentified> {
    const { answer: songs, notAsked } = await identified(room, given, signal, (work) =>
      withoutFailing(room, work),
    )
    return { songs, notAsked }
  },
})

type Given = z.output<typeof parameters>

/** @param asking - asks the references */
function identified<T>(
  room: SongRoom,
  given: Given,
  signal: AbortSignal,
  asking: (work: (room: SongRoom) => Promise<SongAnswer[]>) => Promise<T>,
): Promise<T> {
  const asked = { ...askedOf(given.bucket), evidence: given.evidence === true }
  if (inputsOf(given).length === 0) {
    return asking((among) => identifyCodes(among, given, asked, signal))
  }
  return withAudio(room.input, given, signal, (path) =>
    asking((among) => identifyAudio(among, path, given, asked, signal)),
  )
}

async function identifyCodes(
  context: SongRoom,
  given: Given,
  asked: AskedWithEvidence,
  signal: AbortSignal,
): Promise<SongAnswer[]> {
  const songs: SongAnswer[] = []
  for (const [i, query] of (given.query ?? [given as Query]).entries()) {
    // Other calls, close() and an abort can come between two queries.
    if (i > 0) await callTurn(signal)
    const found = await songsOfCode(context, codeQueryOf(query, given.version), signal)
    const tagged = query.tag === undefined ? {} : { tag: query.tag }
    for (const song of await answersOf(context, found, asked, signal)) {
      songs.push({ ...song, ...tagged })
    }
  }
  return songs
}

/** The specification's default. A code of the other system identifies itself. */
const DEFAULT_VERSION = 3.15
function codeQueryOf({ metadata, ...query }: Query, version: Query['version']): CodeQuery {
  return {
    code: query.code ?? '',
    version: version ?? query.version ?? metadata?.version ?? DEFAULT_VERSION,
    title: query.title ?? metadata?.title,
    artist: query.artist ?? metadata?.artist,
    length: query.duration ?? metadata?.duration ?? metadata?.seconds,
  }
}

async function identifyAudio(
  context: SongRoom,
  path: string,
  { start, length }: Given,
  asked: AskedWithEvidence,
  signal: AbortSignal,
): Promise<SongAnswer[]> {
  // Landmarks find all songs with tracks. System A takes several times as long, and is only needed
  // for songs that were imported as system A codes.
  const chroma = (await haveImportedKeys(context, signal)) ? ('probes' as const) : undefined
  const taken = await takeFingerprints(context, { path, start, length, chroma }, signal)
  const prints = { ...taken.traces, chroma: taken.chroma }
  const found = await context.recognizer.byPrints(prints, taken.duration, signal)
  return answersOf(context, found, asked, signal)
}

async function haveImportedKeys(
  { recordings, references, served }: SongRoom,
  signal: AbortSignal,
): Promise<boolean> {
  const here = [recordings, ...references.map((one) => one.recordings)]
  if (here.some((one) => one.hasImportedKeys())) return true
  const sizes = await Promise.all([...served.values()].map((one) => one.askSize(signal)))
  return sizes.some(({ importedKeys }) => importedKeys)
}

type AskedWithEvidence = Asked & { evidence: boolean }

async function answersOf(
  context: SongRoom,
  found: Recognized[],
  asked: AskedWithEvidence,
  signal: AbortSignal,
): Promise<SongAnswer[]> {
  const songs = await Promise.all(found.map((one) => songOf(context, one, asked, signal)))
  return songs.flatMap((song, i) => {
    if (!song) return []
    const { reference, evidence } = found[i]!
    const answer = { ...song, ...formatAnswer(evidence) }
    if (reference !== undefined) answer.reference = reference
    return [asked.evidence ? { ...answer, evidence } : answer]
  })
}

async function songOf(
  context: SongRoom,
  { songId, reference }: Recognized,
  asked: Asked,
  signal: AbortSignal,
): Promise<SongAnswer | undefined> {
  const served = reference === undefined ? undefined : context.served.get(reference)
  if (served) {
    const [known] = await servedSongs(context, served, { ids: [songId] }, asked, signal)
    return known?.song
  }
  const place = { ...context, ...placeOf(context, reference) }
  const row = place.store.byId(songId)
  return row && describe(place, row, asked)
}
