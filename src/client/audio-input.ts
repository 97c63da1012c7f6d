import { atCaller } from '../host/caller.ts'
import type { Door, Params } from '../host/door.ts'
import type { ByteSource } from '../values/byte-stream.ts'
import { invalidParameter, ParameterError } from '../values/errors.ts'
import { type FilePath, plainPath } from '../values/file-path.ts'

/** A file, an address, bytes or samples. The format is detected from the content. */
export type AudioInput =
  | OnlyInput<
      'file',
      FileTypeField & {
        /** Path of a file, or its `file:` URL. The file is read in place, not copied. */
        file: FilePath
      }
    >
  | OnlyInput<'url', FileTypeField & GivenField<Params<'track/upload'>, 'url'>>
  | OnlyInput<
      'bytes',
      FileTypeField & {
        /** A whole file, in memory or as a stream. */
        bytes: ByteSource
      }
    >
  | OnlyInput<'samples', Samples>

type FileTypeField = Pick<Params<'track/upload'>, 'filetype'>
/** A type parameter `T`, because TypeScript then keeps the comments on its fields. */
type GivenField<T, K extends keyof T> = { [P in K]-?: NonNullable<T[P]> }
/** One kind of input without the others. @internal */
type OnlyInput<K extends string, T> = T & { [P in Exclude<AudioInputKind, K>]?: never }
type AudioInputKind = 'file' | 'url' | 'bytes' | 'samples'

/** Audio as parameters of a method. `source` is the number of a stream of bytes or samples. */
export interface OfferedAudio {
  file?: string
  url?: string
  source?: number
}

/** The ways to give audio. An input uses exactly one. */
const INPUT_KINDS = ['file', 'url', 'bytes', 'samples'] as const satisfies readonly AudioInputKind[]

/**
 * The parameters of an input. Bytes and samples become streams that the engine reads.
 *
 * @throws {ParameterError} when audio is given in two ways, or together with a code
 */
export function offerInput(door: Door, input: object): OfferedAudio {
  const { bytes, samples, ...otherFields } = input as Record<string, unknown>
  const [first, second] = ['code', ...INPUT_KINDS].filter(
    (name) => (input as Record<string, unknown>)[name] !== undefined,
  )
  if (second) throw atCaller(invalidParameter(second, `beside ${first}; give one of them`))
  if (otherFields.source !== undefined && first !== 'code') {
    const message = `source - Unknown parameter; give ${INPUT_KINDS.join(', ')}`
    throw atCaller(new ParameterError('invalid_parameter', message))
  }
  if (samples !== undefined) {
    const { sampleRate, ...others } = otherFields
    const samplesInput = { samples, sampleRate } as Samples
    return { ...others, source: door.offer(() => encodeWave(samplesInput)) }
  }
  if (bytes !== undefined) return { ...otherFields, source: door.offer(bytes as ByteSource) }
  return otherFields.file === undefined
    ? otherFields
    : { ...otherFields, file: plainPath(otherFields.file) }
}

/** @throws {ParameterError} unless the input of a method is an object */
export function requireObject(method: string, input: unknown): asserts input is object {
  if (typeof input === 'object' && input !== null) return
  const message = `${method} takes an object, e.g. { file: ${JSON.stringify(input)} }`
  throw atCaller(new ParameterError('invalid_parameter', message))
}

/** Releases a stream that a failed call left unread. */
export function releaseInput(door: Door, { source }: { source?: number | undefined }): void {
  if (source !== undefined) door.release(source)
}

/** Decoded audio: one array of −1…1 per channel, all equally long. */
export interface Samples {
  /** Channels by samples, full scale ±1. */
  samples: Float32Array[]
  /** Hz, a whole number. */
  sampleRate: number
}

/** Frames in one piece of the file. */
const FRAMES_PER_BLOCK = 65_536
const FLOAT_BYTES = 4

/**
 * Samples as a WAV file of 32-bit floats. They are kept in this form and can be analysed again.
 *
 * @throws {ParameterError} without channels, with channels of unequal length, or with an invalid sample rate
 */
export function encodeWave({ samples, sampleRate }: Samples): AsyncGenerator<Uint8Array> {
  const frames = samples[0]?.length ?? 0
  if (!samples.every((channel) => channel instanceof Float32Array && channel.length === frames)) {
    throw atCaller(
      invalidParameter('samples', 'must be Float32Arrays of equal length, one for each channel'),
    )
  }
  if (frames === 0) throw atCaller(invalidParameter('samples', 'must hold at least one sample'))
  if (!Number.isInteger(sampleRate) || sampleRate <= 0) {
    throw atCaller(invalidParameter('sampleRate', `${sampleRate} must be a whole number of Hz`))
  }
  const bytes = frames * samples.length * FLOAT_BYTES
  if (bytes > 0xffff_ff00) {
    throw atCaller(
      invalidParameter(
        'samples',
        `has ${bytes} bytes; write more than 4 GB to a file and upload that`,
      ),
    )
  }
  return writeWave(samples, sampleRate, frames, bytes)
}

async function* writeWave(
  samples: Float32Array[],
  sampleRate: number,
  frames: number,
  bytes: number,
) {
  yield waveHeader(samples.length, sampleRate, bytes)
  const channels = samples.length
  for (let start = 0; start < frames; start += FRAMES_PER_BLOCK) {
    const length = Math.min(FRAMES_PER_BLOCK, frames - start)
    const view = new DataView(new ArrayBuffer(length * channels * FLOAT_BYTES))
    for (const [c, channel] of samples.entries()) {
      for (let i = 0; i < length; i++) {
        view.setFloat32((i * channels + c) * FLOAT_BYTES, channel[start + i] as number, true)
      }
    }
    yield new Uint8Array(view.buffer)
  }
}

function waveHeader(channels: number, sampleRate: number, bytes: number): Uint8Array {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + bytes, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(3, 20) // WAVE_FORMAT_IEEE_FLOAT
  head.writeUInt16LE(channels, 22)
  head.writeUInt32LE(sampleRate, 24)
  head.writeUInt32LE(sampleRate * channels * FLOAT_BYTES, 28)
  head.writeUInt16LE(channels * FLOAT_BYTES, 32)
  head.writeUInt16LE(8 * FLOAT_BYTES, 34)
  head.write('data', 36)
  head.writeUInt32LE(bytes, 40)
  return head
}
