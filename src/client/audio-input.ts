import type { ByteSource } from '../byte-stream.ts'
import type { Door, Params } from '../door.ts'
import { ParameterError } from '../errors.ts'
import { type Samples, waveOf } from './samples.ts'

/** Audio: a file, an address, bytes or samples. The format is found by the content. */
export type AudioInput =
  | Only<'file', Given<Params<'track/upload'>, 'file'>>
  | Only<'url', Given<Params<'track/upload'>, 'url'>>
  | Only<
      'bytes',
      Pick<Params<'track/upload'>, 'filetype'> & {
        /** A whole file, in memory or as a stream. */
        bytes: ByteSource
      }
    >
  | Only<'samples', Samples>

/** `T` is a parameter, as TypeScript keeps the comments on its fields only then. */
type Given<T, K extends keyof T> = { [P in K]-?: NonNullable<T[P]> }
/** One kind of input without the others. @internal */
type Only<K extends string, T> = T & { [P in Exclude<Kinds, K>]?: never }
type Kinds = 'file' | 'url' | 'bytes' | 'samples'

/** Audio as parameters. Bytes and samples are streams, by number. */
export interface Offered {
  file?: string
  url?: string
  source?: number
}

/** The parameters of an input. Bytes and samples become streams that the engine reads. */
export function sourceOf(door: Door, input: object): Offered {
  if ('samples' in input) {
    const { samples, sampleRate, ...rest } = input as Samples
    return { ...rest, source: door.offer(waveOf({ samples, sampleRate })) }
  }
  if ('bytes' in input) {
    const { bytes, ...rest } = input as { bytes: ByteSource }
    if ('source' in rest)
      throw new ParameterError('invalid_parameter', 'source - Invalid parameter')
    return { ...rest, source: door.offer(bytes) }
  }
  return input as Offered
}

/** Releases a stream that a failed call left unread. */
export function releaseOf(door: Door, { source }: { source?: number | undefined }): void {
  if (source !== undefined) door.release(source)
}
