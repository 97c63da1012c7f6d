import type { ByteSource } from '../byte-stream.ts'
import type { Door, Params } from '../door.ts'
import { ParameterError } from '../errors.ts'
import { type Samples, waveOf } from './samples.ts'

/**
 * Audio to be taken in: a file's path, an address, bytes, or samples. Exactly one of them; what the
 * bytes hold is told by their content.
 */
export type AudioInput =
  | Only<
      'file',
      {
        /** Its path. It is read where it is, not copied. */
        file: string
      }
    >
  | Only<
      'url',
      {
        /** An address of http or https; it is downloaded. */
        url: string
      }
    >
  | Only<
      'bytes',
      {
        /** A whole file, in memory or as a stream. */
        bytes: ByteSource
        /** Accepted as the old service wanted it; the content decides. */
        filetype?: Params<'track/upload'>['filetype']
      }
    >
  | Only<'samples', Samples>

/** One kind of input, beside which there is none of the others. @internal */
type Only<K extends string, T> = T & { [P in Exclude<Kinds, K>]?: never }
type Kinds = 'file' | 'url' | 'bytes' | 'samples'

/** Audio as the engine takes it: bytes and samples by the number under which they are offered. */
export interface Offered {
  file?: string
  url?: string
  source?: number
}

/** The input as parameters; what is in memory is offered as a stream. */
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

/** Lets go of a stream that a failed call left unread. */
export function releaseOf(door: Door, { source }: { source?: number | undefined }): void {
  if (source !== undefined) door.release(source)
}
