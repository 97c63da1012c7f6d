import { z } from 'zod'
import { artistKey, nameKey } from '../artist/names.ts'
import type { Call } from '../call.ts'
import { chromaProbes } from '../fingerprint/chroma.ts'
import { decodeCode } from '../fingerprint/codec.ts'
import { answered } from '../fingerprint/evidence.ts'
import type { Recognized } from '../recording/recognize.ts'
import { audio, inputsOf } from './audio-query.ts'
import { type Asked, askedOf, bucket } from './buckets.ts'
import type { SongContext } from './context.ts'
import { describe, type SongAnswer } from './describe.ts'

const text = z.string().nullish()
const number = z.union([z.number(), z.string().trim().min(1).transform(Number)])
const version = z.union([z.number(), z.string().trim().min(1)])

/** What may stand beside a code. Other fields are ignored. */
const evidence = {
  artist: text,
  title: text,
  release: text,
  genre: text,
  duration: number.nullish(),
  version: version.nullish(),
}

const query = z.object({
  code: z.string(),
  /** Comes back with the songs of this query. */
  tag: z.unknown().optional(),
  ...evidence,
  metadata: z.object({ ...evidence, seconds: number.nullish(), filename: text }).nullish(),
})

export const parameters = z
  .strictObject({
    /** A fingerprint with what else is known of the recording, or a list of them. */
    query: z.union([query, z.array(query)]).optional(),
    code: z.string().optional(),
    artist: z.string().optional(),
    title: z.string().optional(),
    release: z.string().optional(),
    genre: z.string().optional(),
    /** Seconds. */
    duration: number.optional(),
    version: version.optional(),
    ...audio,
    bucket,
  })
  .superRefine((given, context) => {
    const inputs = [
      ...(given.query === undefined ? [] : ['query']),
      ...(given.code === undefined ? [] : ['code']),
      ...inputsOf(given),
    ]
    if (inputs.length === 0) {
      const message = 'code - Missing parameter: give code, query, or audio'
      context.addIssue({ code: 'custom', message, params: { missing: true } })
    } else if (inputs.length > 1) {
      const path = [inputs[1] as string]
      context.addIssue({ code: 'custom', message: `beside ${inputs[0]}; give one of them`, path })
    }
  })

/**
 * `song/identify`: the songs that recordings are of, by their fingerprints or their sound. What is
 * unknown has no songs; neither has a code that cannot be decoded.
 */
export async function identify(
  context: SongContext,
  given: z.output<typeof parameters>,
  { signal }: Call,
): Promise<SongAnswer[]> {
  const asked = askedOf(given.bucket)
  if (inputsOf(given).length > 0) return identifyAudio(context, given, asked, signal)
  const queries =
    given.query === undefined ? [{ ...given, code: given.code as string }] : [given.query].flat()
  const songs: SongAnswer[] = []
  for (const query of queries) {
    const found = await byCode(context, query, given.version, signal)
    const tagged = query.tag === undefined ? {} : { tag: query.tag }
    for (const song of answersOf(context, found, asked)) songs.push({ ...song, ...tagged })
  }
  return songs
}

type Query = z.output<typeof query>

/** The default of the specification; a code of the other system is told by itself. */
const DEFAULT_VERSION = 3.15
/** With a title and an artist that agree, so much of the score that is due else is enough. */
const NAMED = 0.5

async function byCode(
  context: SongContext,
  query: Query,
  version: Query['version'],
  signal: AbortSignal,
): Promise<Recognized[]> {
  const decoded = decodeCode(
    query.code,
    version ?? query.version ?? query.metadata?.version ?? DEFAULT_VERSION,
  )
  if (decoded.codes === undefined) return []
  const { family, codes } = decoded
  const found = await context.recognizer.byCodes(family, codes, signal)
  if (found.length > 0) return preferNamed(context, found, query)
  if (!namesOf(query)) return []
  const likely = await context.recognizer.byCodes(family, codes, signal, NAMED)
  return likely.filter(
    ({ songId }) => agreement(context, songId, query) === 2 && !contradicts(context, songId, query),
  )
}

/** Whether a query says both title and artist. */
function namesOf({ title, artist, metadata }: Query): boolean {
  return Boolean(title ?? metadata?.title) && Boolean(artist ?? metadata?.artist)
}

/** Lengths of one recording differ by a second or two of silence, and some taggers round up. */
const SAME_LENGTH = 5

/** Whether the query says a length that the song has not. */
function contradicts({ store }: SongContext, songId: string, query: Query): boolean {
  const said = query.duration ?? query.metadata?.duration ?? query.metadata?.seconds
  const known = store.byId(songId)?.songDuration
  return said != null && known != null && Math.abs(said - known) > SAME_LENGTH
}

/** Of entries that sound the same, those first whose names agree with the query's. */
function preferNamed(context: SongContext, found: Recognized[], query: Query): Recognized[] {
  const ranked = found.map((one) => ({ one, names: agreement(context, one.songId, query) }))
  return ranked.sort((a, b) => b.names - a.names).map(({ one }) => one)
}

/** How many of title and artist are given and agree with the song's. */
function agreement({ store }: SongContext, songId: string, query: Query): number {
  const row = store.byId(songId)
  const title = query.title ?? query.metadata?.title
  const artist = query.artist ?? query.metadata?.artist
  const titles = title && row ? nameKey(title) === nameKey(row.title) : false
  const artists =
    artist && row?.artistName != null ? artistKey(artist) === artistKey(row.artistName) : false
  return Number(titles) + Number(artists)
}

function identifyAudio(
  context: SongContext,
  given: z.output<typeof parameters>,
  asked: Asked,
  signal: AbortSignal,
): Promise<SongAnswer[]> {
  const { recognizer, recordings, takeFingerprints, withAudio } = context
  // Landmarks know whatever was a track. System A is several times the work; only songs that came as
  // its codes alone need it.
  const segments = recordings.hasImported()
  return withAudio(given, signal, async (path) => {
    const { start, length } = given
    const taken = await takeFingerprints({ path, start, length, segments }, signal)
    const prints = { ...taken.traces, chroma: chromaProbes(taken.segments ?? []) }
    return answersOf(context, await recognizer.byPrints(prints, signal), asked)
  })
}

function answersOf(context: SongContext, found: Recognized[], asked: Asked): SongAnswer[] {
  return found.flatMap((one) => {
    const row = context.store.byId(one.songId)
    return row ? [{ ...describe(context, row, asked), ...answered(one) }] : []
  })
}
