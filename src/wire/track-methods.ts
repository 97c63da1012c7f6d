import type { Params, Result } from '../host/door.ts'
import { withDeadline } from '../kernel/abort.ts'
import { TAG_FIELDS, TAGGED_GAINS } from '../track/tag-fields.ts'
import type { ByteSource } from '../values/byte-stream.ts'
import { DecodeError, invalidParameter, missingParameter } from '../values/errors.ts'
import { quoted } from '../values/text.ts'
import { tooLarge } from './buffered-bytes.ts'
import { toWireReason } from './errors.ts'
import { addressOf, guardedDownload } from './guarded-download.ts'
import { callEngine, type WireCall, type WireMethods } from './method.ts'
import { limitBytes } from './request-body.ts'

type ProfileAnswer = Result<'track/profile'>

export const TRACK_METHODS: WireMethods = {
  'track/upload': {
    fileParameter: { name: 'track', limit: 'uploadBytes', text: false },
    call: async (call) => awaitAnalysis(call, await uploadTrack(call)),
  },
  'track/analyze': {
    async call(call) {
      const { wait: _wait, bucket: _bucket, ...params } = withMd5OfId(call.params)
      return awaitAnalysis(call, await callEngine('track/analyze', call, params))
    },
  },
  'track/profile': { call: (call) => callEngine('track/profile', call, withMd5OfId(call.params)) },
}

/** Left out: paths are private, and old clients do not expect the others. */
const PRIVATE_FIELDS = [
  'files',
  'duration',
  'corrections',
  'heard',
] as const satisfies (keyof ProfileAnswer)[]
const HIDDEN_FIELDS = new Set<string>([...PRIVATE_FIELDS, ...TAG_FIELDS, ...TAGGED_GAINS])

export function trackData({ error, ...answer }: ProfileAnswer): { track: object } {
  const visibleFields = Object.fromEntries(
    Object.entries(answer).filter(([name]) => !HIDDEN_FIELDS.has(name)),
  )
  return {
    track: error === undefined ? visibleFields : { ...visibleFields, error: toWireReason(error) },
  }
}

/** Some clients give an md5 as the id. */
function withMd5OfId<P extends Pick<Params<'track/profile'>, 'id' | 'md5'>>(params: P): P {
  const { id, md5 } = params
  if (md5 !== undefined || id === undefined || !/^[0-9a-f]{32}$/i.test(id)) return params
  return { ...params, id: undefined, md5: id }
}

/** @throws {ParameterError} if it is not audio: clients try another format after an error 5 */
async function uploadTrack(call: WireCall<'track/upload'>): Promise<ProfileAnswer> {
  try {
    return (await call.music.tracks.upload(inputOf(call))).answer
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    throw invalidParameter(call.file === undefined ? 'url' : 'track', toWireReason(error.message))
  }
}

function inputOf({
  params: { url, filetype },
  file,
  emptyFile,
  config,
  guard,
  signal,
}: WireCall<'track/upload'>) {
  if (file !== undefined) {
    if (url !== undefined) {
      throw invalidParameter('url', `${quoted(url)} beside a file; give one of them`)
    }
    if (filetype === undefined) throw missingParameter('filetype', 'say what the file is')
    const limit = { name: 'uploadBytes', bytes: config.limits.uploadBytes }
    const bytes: ByteSource = limitBytes(file, limit.bytes, () => tooLarge('track', limit))
    return { bytes, filetype, signal }
  }
  if (url === undefined && emptyFile) {
    throw invalidParameter('track', 'the file that was sent is empty (0 bytes)')
  }
  if (url === undefined) throw missingParameter('url', 'give an address, or send a file')
  addressOf(url)
  return { bytes: guardedDownload(url, guard, config.limits, signal), filetype, signal }
}

/** Waits at most `limits.waitSeconds`, if asked; buckets are filled if the track is analysed. */
async function awaitAnalysis(
  { music, params, config, signal }: WireCall<'track/upload' | 'track/analyze'>,
  answer: ProfileAnswer,
): Promise<ProfileAnswer> {
  const { id } = answer
  if (params.wait !== true && (params.bucket === undefined || answer.status !== 'complete')) {
    return answer
  }
  if (answer.status === 'pending') {
    // A track that somebody waits for is analysed before others.
    await withDeadline(
      signal,
      config.limits.waitSeconds * 1000,
      () => TIME_IS_UP,
      (signal) => music.call('track/analyze', { id, wait: true }, { signal: signal }),
    ).catch((error: unknown) => {
      if (error !== TIME_IS_UP) throw error
    })
  }
  return music.call('track/profile', { id, bucket: params.bucket }, { signal })
}

const TIME_IS_UP = new Error('time is up')
