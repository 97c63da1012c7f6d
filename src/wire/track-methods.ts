import type { Params, Result } from '../host/door.ts'
import { withDeadline } from '../kernel/abort.ts'
import { TAG_FIELDS, TAGGED_GAINS } from '../track/tag-fields.ts'
import type { ByteSource } from '../values/byte-stream.ts'
import { DecodeError, invalidParameter, missingParameter } from '../values/errors.ts'
import { quoted } from '../values/text.ts'
import { tooLarge } from './buffered-bytes.ts'
import { toWireReason } from './errors.ts'
import { addressOf, guardedDownload } from './guarded-download.ts'
import { ask, type WireCall, type WireMethods } from './method.ts'
import { capped } from './request-body.ts'

type Answer = Result<'track/profile'>

export const TRACK_METHODS: WireMethods = {
  'track/upload': {
    fileParameter: { name: 'track', limit: 'uploadBytes', text: false },
    ask: async (call) => settled(call, await uploaded(call)),
  },
  'track/analyze': {
    async ask(call) {
      const { wait: _wait, bucket: _bucket, ...params } = named(call.params)
      return settled(call, await ask('track/analyze', call, params))
    },
  },
  'track/profile': { ask: (call) => ask('track/profile', call, named(call.params)) },
}

/** Fields that are left out: paths are private, and old clients do not expect the others. */
const OURS = ['files', 'duration', 'corrections', 'heard'] as const satisfies (keyof Answer)[]
const UNTOLD = new Set<string>([...OURS, ...TAG_FIELDS, ...TAGGED_GAINS])

/** An answer without paths and fields that are unknown to old clients. */
export function trackData({ error, ...answer }: Answer): { track: object } {
  const told = Object.fromEntries(Object.entries(answer).filter(([name]) => !UNTOLD.has(name)))
  return { track: error === undefined ? told : { ...told, error: toWireReason(error) } }
}

/** Some clients give an md5 as the id. */
function named<P extends Pick<Params<'track/profile'>, 'id' | 'md5'>>(params: P): P {
  const { id, md5 } = params
  if (md5 !== undefined || id === undefined || !/^[0-9a-f]{32}$/i.test(id)) return params
  return { ...params, id: undefined, md5: id }
}

/** @throws {ParameterError} if it is not audio: clients try another format after an error 5 */
async function uploaded(call: WireCall<'track/upload'>): Promise<Answer> {
  try {
    return (await call.music.tracks.upload(inputOf(call))).answer
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    throw invalidParameter(call.file === undefined ? 'url' : 'track', toWireReason(error.message))
  }
}

/** The audio of an upload: bytes of the request, or those at an address. */
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
    const bytes: ByteSource = capped(file, limit.bytes, () => tooLarge('track', limit))
    return { bytes, filetype, signal }
  }
  if (url === undefined && emptyFile) {
    throw invalidParameter('track', 'the file that was sent is empty (0 bytes)')
  }
  if (url === undefined) throw missingParameter('url', 'give an address, or send a file')
  addressOf(url)
  return { bytes: guardedDownload(url, guard, config.limits, signal), filetype, signal }
}

/**
 * The track. With `wait`, it waits for the end of the analysis, at most `limits.waitSeconds`. Old
 * clients request buckets with or without `wait`: they are filled if the track is analysed.
 */
async function settled(
  { music, params, config, signal }: WireCall<'track/upload' | 'track/analyze'>,
  answer: Answer,
): Promise<Answer> {
  const { id } = answer
  if (params.wait !== true && (params.bucket === undefined || answer.status !== 'complete')) {
    return answer
  }
  if (answer.status === 'pending') {
    // A waiting caller's track is analysed before others.
    await withDeadline(
      signal,
      config.limits.waitSeconds * 1000,
      () => TIME_IS_UP,
      (until) => music.call('track/analyze', { id, wait: true }, { signal: until }),
    ).catch((error: unknown) => {
      if (error !== TIME_IS_UP) throw error
    })
  }
  return music.call('track/profile', { id, bucket: params.bucket }, { signal })
}

const TIME_IS_UP = new Error('time is up')
