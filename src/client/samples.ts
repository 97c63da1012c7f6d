import { invalidParameter } from '../errors.ts'

/** Decoded audio: one array of −1…1 per channel, all equally long. */
export interface Samples {
  /** Channels by samples, full scale ±1. */
  samples: Float32Array[]
  /** Hz, a whole number. */
  sampleRate: number
}

/** Frames in one piece of the file. */
const BLOCK = 65_536
const FLOAT_BYTES = 4

/**
 * Samples as a WAV file of 32-bit floats. They are kept in this form and can be analysed again.
 *
 * @throws {ParameterError} on no channel, channels of unequal length, or a rate that is none
 */
export function waveOf({ samples, sampleRate }: Samples): AsyncGenerator<Uint8Array> {
  const frames = samples[0]?.length ?? 0
  if (!samples.every((channel) => channel instanceof Float32Array && channel.length === frames)) {
    throw invalidParameter('samples', 'must be Float32Arrays of equal length, one for each channel')
  }
  if (frames === 0) throw invalidParameter('samples', 'must hold at least one sample')
  if (!Number.isInteger(sampleRate) || sampleRate <= 0) {
    throw invalidParameter('sampleRate', `${sampleRate} must be a whole number of Hz`)
  }
  const bytes = frames * samples.length * FLOAT_BYTES
  if (bytes > 0xffff_ff00) {
    throw invalidParameter(
      'samples',
      `has ${bytes} bytes; write more than 4 GB to a file and upload that`,
    )
  }
  return write(samples, sampleRate, frames, bytes)
}

async function* write(samples: Float32Array[], sampleRate: number, frames: number, bytes: number) {
  yield header(samples.length, sampleRate, bytes)
  const channels = samples.length
  for (let start = 0; start < frames; start += BLOCK) {
    const length = Math.min(BLOCK, frames - start)
    const view = new DataView(new ArrayBuffer(length * channels * FLOAT_BYTES))
    for (let c = 0; c < channels; c++) {
      const channel = samples[c] as Float32Array
      for (let i = 0; i < length; i++) {
        view.setFloat32((i * channels + c) * FLOAT_BYTES, channel[start + i] as number, true)
      }
    }
    yield new Uint8Array(view.buffer)
  }
}

function header(channels: number, sampleRate: number, bytes: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(44))
  const text = (at: number, word: string) => {
    for (let i = 0; i < word.length; i++) view.setUint8(at + i, word.charCodeAt(i))
  }
  text(0, 'RIFF')
  view.setUint32(4, 36 + bytes, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 3, true) // WAVE_FORMAT_IEEE_FLOAT
  view.setUint16(22, channels, true)
  view.setUint32(24, sampleRate, true)
  view.setUint32(28, sampleRate * channels * FLOAT_BYTES, true)
  view.setUint16(32, channels * FLOAT_BYTES, true)
  view.setUint16(34, 8 * FLOAT_BYTES, true)
  text(36, 'data')
  view.setUint32(40, bytes, true)
  return new Uint8Array(view.buffer)
}
