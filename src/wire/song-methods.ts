import type { MethodName, Params, Result } from '../door.ts'
import type { WireCall, WireMethod } from './method.ts'
import type { Kinds } from './parameters.ts'
import { codesIn, eachCode, queryOf } from './query.ts'

const song = { formats: ['json', 'xml'], style: 'song' } as const

const search: Kinds = {
  title: 'text',
  artist: 'text',
  combined: 'text',
  description: 'texts',
  style: 'texts',
  mood: 'texts',
  rank_type: 'text',
  artist_id: 'text',
  results: 'integer',
  start: 'integer',
  max_tempo: 'text',
  min_tempo: 'text',
  max_duration: 'text',
  min_duration: 'text',
  max_loudness: 'text',
  min_loudness: 'text',
  artist_max_familiarity: 'text',
  artist_min_familiarity: 'text',
  artist_start_year_before: 'text',
  artist_start_year_after: 'text',
  artist_end_year_before: 'text',
  artist_end_year_after: 'text',
  song_max_hotttnesss: 'text',
  song_min_hotttnesss: 'text',
  artist_max_hotttnesss: 'text',
  artist_min_hotttnesss: 'text',
  min_longitude: 'text',
  max_longitude: 'text',
  min_latitude: 'text',
  max_latitude: 'text',
  max_danceability: 'text',
  min_danceability: 'text',
  max_energy: 'text',
  min_energy: 'text',
  mode: 'text',
  key: 'text',
  bucket: 'texts',
  sort: 'text',
  limit: 'flag',
}

/** The song methods. Numbers are the engine's to read: it takes text as well. */
export const SONG_METHODS: Readonly<Record<string, WireMethod>> = {
  'song/search': {
    ...song,
    verbs: ['GET'],
    kinds: search,
    run: (call) => songs('song/search', call, call.params),
  },

  'song/profile': {
    ...song,
    verbs: ['GET'],
    kinds: { id: 'texts', track_id: 'texts', bucket: 'texts', limit: 'flag' },
    run: (call) => songs('song/profile', call, call.params),
  },

  'song/identify': {
    ...song,
    // Its table of parameters has no format; clients that send format=xml parse JSON.
    formats: ['json'],
    verbs: ['GET', 'POST'],
    kinds: {
      code: 'texts',
      artist: 'text',
      title: 'text',
      release: 'text',
      genre: 'text',
      duration: 'text',
      version: 'text',
      bucket: 'texts',
    },
    fileParameter: { name: 'query', limit: 'queryBytes', text: true },
    async run(call) {
      const { params, file, config } = call
      if (file === undefined) return songs('song/identify', call, spoken(params))
      const query = eachCode(await queryOf(file, config.limits))
      return songs('song/identify', call, { ...params, query })
    },
  },
}

/** A query in the URL; one that has several codes, as the queries that it stands for. */
function spoken({ code, bucket, version, ...evidence }: Record<string, unknown>) {
  const asked = { bucket, version }
  const codes = [code ?? []].flat().flatMap((one) => codesIn(one))
  const [first, ...more] = new Set(codes)
  if (more.length === 0) return { ...asked, ...evidence, code: first }
  return { ...asked, query: [first, ...more].map((one) => ({ ...evidence, code: one })) }
}

async function songs<M extends MethodName & `song/${string}`>(
  method: M,
  { music, signal }: WireCall,
  params: Record<string, unknown>,
): Promise<{ songs: Result<M> }> {
  return { songs: await music.call(method, params as Params<M>, { signal }) }
}
