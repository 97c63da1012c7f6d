import { createHash } from 'node:crypto'
import { createMp3Encoder, createOggEncoder } from 'wasm-media-encoders'
import type { Samples } from '../../src/client/audio-input.ts'
import { bytesOf } from './bytes-of.ts'
import { remembered } from './once-a-run.ts'

interface Encoder {
  encode(samples: Float32Array[]): Uint8Array
  finalize(): Uint8Array
}

/** Samples of one or two channels as mp3 of a constant bit rate, in kbit/s. */
export async function mp3Bytes(
  { samples, sampleRate }: Samples,
  bitrate: 32 | 64 | 128 | 192 | 320,
) {
  return encodedOnce({ mp3: bitrate, sampleRate }, samples, async () => {
    const encoder = await createMp3Encoder()
    encoder.configure({ sampleRate: sampleRate as 44_100, channels: channelsOf(samples), bitrate })
    return encoder
  })
}

/** Samples of one or two channels as ogg vorbis of a quality −1…10. */
export async function oggBytes({ samples, sampleRate }: Samples, vbrQuality: number) {
  return encodedOnce({ ogg: vbrQuality, sampleRate }, samples, async () => {
    const encoder = await createOggEncoder()
    encoder.configure({ sampleRate, channels: channelsOf(samples), vbrQuality })
    return encoder
  })
}

/** What an encoder makes of samples, made once in a run of the tests. */
async function encodedOnce(
  how: object,
  samples: Float32Array[],
  open: () => Promise<Encoder>,
): Promise<Uint8Array> {
  const sums = samples.map((s) => createHash('md5').update(bytesOf(s)).digest('hex'))
  const { value, keep } = remembered<Uint8Array>({ how, sums })
  if (value !== undefined) return Buffer.from(value)
  const bytes = drain(await open(), samples)
  keep(bytes)
  return bytes
}

function channelsOf(samples: Float32Array[]): 1 | 2 {
  return samples.length === 1 ? 1 : 2
}

function drain(encoder: Encoder, samples: Float32Array[]): Uint8Array {
  const parts: Uint8Array[] = []
  const block = 44_100
  for (let from = 0; from < (samples[0]?.length ?? 0); from += block) {
    // What the encoder returns is its own memory, written over by the next call.
    parts.push(encoder.encode(samples.map((s) => s.subarray(from, from + block))).slice())
  }
  parts.push(encoder.finalize().slice())
  return Buffer.concat(parts)
}
