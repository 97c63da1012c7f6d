import { z } from 'zod'
import { inputsOf, withAudio } from '../input/receive-audio.ts'
import { method } from '../kernel/method.ts'
import { callTurn } from '../kernel/scheduler.ts'
import { exactlyOne, numeric } from '../options/parameter-types.ts'
import type { Recognized } from '../recognition/recognize.ts'
import { formatAnswer } from '../recognition/search/identifying.ts'
import { LONGEST_NAME } from '../values/text.ts'
import { type AskedBuckets, parseBuckets, songBucketParameter } from './buckets.ts'
import { type CodeQuery, songsOfCode } from './by-code.ts'
import { storesOf } from './find-song.ts'
import { audioParameters, takeFingerprints } from './fingerprint.ts'
import { type NotAsked, withoutFailing } from './partial-answer.ts'
import type { SongRoom } from './room.ts'
import { servedSongs } from './served-songs.ts'
import { describeSong, type SongAnswer } from './song-answer.ts'

const versionSchema = z.union([z.number(), z.string().trim().min(1)])

/** Optional fields beside a code: values of other types are ignored. */
const optionalText = z.string().max(LONGEST_NAME).nullish().catch(undefined)
const optionalSeconds = numeric.nullish().catch(undefined)

const evidenceFields = {
  /** The artist in the file's tags. */
  artist: optionalText,
  /** The title in the file's tags. */
  title: optionalText,
  /** The release in the file's tags. */
  release: optionalText,
  /** The genre in the file's tags. */
  genre: optionalText,
  /** The length of the recording, seconds. */
  duration: optionalSeconds,
  /** The version of the code: 3.13, 3.15, 4.0, 4.11 or 4.12. */
  version: versionSchema.nullish().catch(undefined),
}

const querySchema = z.object({
  /** The code string of a fingerprint, as `songs.fingerprint` and Echoprint's generators write it. */
  code: z.string(),
  /** Returned with the songs of this query. */
  tag: z.unknown().optional(),
  ...evidenceFields,
  /** The same facts, as Echoprint's generators write them; used if absent above. */
  metadata: z
    .object({
      ...evidenceFields,
      /** The length of the recording, seconds. */
      seconds: optionalSeconds,
      /** The name of the file. */
      filename: optionalText,
    })
    .nullish()
    .catch(undefined),
})
/** A failed generator writes an error instead of the code: no songs. */
const listedQuerySchema = querySchema.extend({
  /** The code string of a fingerprint; without one there are no songs. */
  code: z.string().nullish().catch(undefined),
})
type ListedQuery = z.output<typeof listedQuerySchema>

const MAX_QUERIES = 1_000

/** Each has its own schema, so that errors name the field. */
const queriesSchema = z
  .custom<z.input<typeof querySchema> | readonly z.input<typeof listedQuerySchema>[]>()
  .transform((input: unknown, context): ListedQuery[] => {
    const isList = Array.isArray(input)
    if (isList && input.length > MAX_QUERIES) {
      const count = input.length.toLocaleString('en')
      const maximum = MAX_QUERIES.toLocaleString('en')
      const message = `has ${count} queries; ask ${maximum} at most in one call`
      context.addIssue({ code: 'custom', message, input: input })
      return z.NEVER
    }
    const { data, error } = (isList ? z.array(listedQuerySchema) : querySchema).safeParse(input)
    if (data !== undefined) return [data].flat()
    for (const issue of error.issues) context.issues.push(issue as z.core.$ZodRawIssue)
    return z.NEVER
  })

const identifyParameters = z
  .strictObject({
    /** A fingerprint with other facts about the recording, or a list of them. */
    query: queriesSchema.optional(),
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
    version: versionSchema.optional(),
    ...audioParameters,
    /** The parts of the answer besides names: `audio_summary`, `tracks`, `id:<id space>` … */
    bucket: songBucketParameter,
    /** Whether each song comes with the evidence for it. Default false. */
    evidence: z.boolean().optional(),
  })
  .superRefine(
    exactlyOne(['query', 'code', 'file', 'url', 'source'], 'code', 'give code, query, or audio'),
  )

/** `song/identify`: none for an unknown recording or a code that cannot be decoded. */
export const identifySongs = method({
  name: 'song/identify',
  verbs: ['GET', 'POST'],
  local: ['file', 'url', 'source', 'start', 'length', 'evidence'],
  parameters: identifyParameters,
  run(room: SongRoom, params, { signal }): Promise<SongAnswer[]> {
    return identifyWith(room, params, signal, (work) => work(room))
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
  parameters: identifyParameters,
  async run(room: SongRoom, params, { signal }): Promise<PartlyIdentified> {
    const { answer: songs, notAsked } = await identifyWith(room, params, signal, (work) =>
      withoutFailing(room, work),
    )
    return { songs, notAsked }
  },
})

type IdentifyParams = z.output<typeof identifyParameters>

/** @param askReferences - runs the work with the references that are asked */
function identifyWith<T>(
  room: SongRoom,
  params: IdentifyParams,
  signal: AbortSignal,
  askReferences: (work: (room: SongRoom) => Promise<SongAnswer[]>) => Promise<T>,
): Promise<T> {
  const askedBuckets = { ...parseBuckets(params.bucket), evidence: params.evidence === true }
  if (inputsOf(params).length === 0) {
    return askReferences((songRoom) => identifyCodes(songRoom, params, askedBuckets, signal))
  }
  return withAudio(room.input, params, signal, (path) =>
    askReferences((songRoom) => identifyAudio(songRoom, path, params, askedBuckets, signal)),
  )
}

async function identifyCodes(
  context: SongRoom,
  params: IdentifyParams,
  askedBuckets: BucketsWithEvidence,
  signal: AbortSignal,
): Promise<SongAnswer[]> {
  const songs: SongAnswer[] = []
  for (const [i, query] of (params.query ?? [params as ListedQuery]).entries()) {
    // Other calls, close() and an abort can come between two queries.
    if (i > 0) await callTurn(signal)
    const recognized = await songsOfCode(context, codeQueryOf(query, params.version), signal)
    const tagField = query.tag === undefined ? {} : { tag: query.tag }
    for (const song of await answersOf(context, recognized, askedBuckets, signal)) {
      songs.push({ ...song, ...tagField })
    }
  }
  return songs
}

/** The specification's; a code of the other system identifies itself. */
const DEFAULT_QUERY_VERSION = 3.15
function codeQueryOf(
  { metadata, ...query }: ListedQuery,
  version: ListedQuery['version'],
): CodeQuery {
  return {
    code: query.code ?? '',
    version: version ?? query.version ?? metadata?.version ?? DEFAULT_QUERY_VERSION,
    title: query.title ?? metadata?.title,
    artist: query.artist ?? metadata?.artist,
    length: query.duration ?? metadata?.duration ?? metadata?.seconds,
  }
}

async function identifyAudio(
  context: SongRoom,
  path: string,
  { start, length }: IdentifyParams,
  askedBuckets: BucketsWithEvidence,
  signal: AbortSignal,
): Promise<SongAnswer[]> {
  // Only songs that were imported as system A codes need its slow search.
  const chroma = (await haveImportedKeys(context, signal)) ? ('probes' as const) : undefined
  const fingerprints = await takeFingerprints(context, { path, start, length, chroma }, signal)
  const prints = { ...fingerprints.traces, chroma: fingerprints.chroma }
  const recognized = await context.recognizer.byPrints(prints, fingerprints.duration, signal)
  return answersOf(context, recognized, askedBuckets, signal)
}

async function haveImportedKeys(
  { recordings, references, served }: SongRoom,
  signal: AbortSignal,
): Promise<boolean> {
  const localRecordings = [recordings, ...references.map((reference) => reference.recordings)]
  if (localRecordings.some((local) => local.hasImportedKeys())) return true
  const sizes = await Promise.all(
    [...served.values()].map((reference) => reference.askSize(signal)),
  )
  return sizes.some(({ importedKeys }) => importedKeys)
}

type BucketsWithEvidence = AskedBuckets & { evidence: boolean }

async function answersOf(
  context: SongRoom,
  recognized: Recognized[],
  askedBuckets: BucketsWithEvidence,
  signal: AbortSignal,
): Promise<SongAnswer[]> {
  const songs = await Promise.all(
    recognized.map((match) => describeRecognized(context, match, askedBuckets, signal)),
  )
  return songs.flatMap((song, i) => {
    if (!song) return []
    const { reference, evidence } = recognized[i]!
    const answer = { ...song, ...formatAnswer(evidence) }
    if (reference !== undefined) answer.reference = reference
    return [askedBuckets.evidence ? { ...answer, evidence } : answer]
  })
}

async function describeRecognized(
  context: SongRoom,
  { songId, reference }: Recognized,
  askedBuckets: AskedBuckets,
  signal: AbortSignal,
): Promise<SongAnswer | undefined> {
  const served = reference === undefined ? undefined : context.served.get(reference)
  if (served) {
    const [servedSong] = await servedSongs(context, served, { ids: [songId] }, askedBuckets, signal)
    return servedSong?.song
  }
  const stores = { ...context, ...storesOf(context, reference) }
  const row = stores.store.byId(songId)
  return row && describeSong(stores, row, askedBuckets)
}
