/** Writers of uncompressed sound files, and what the tests read back. */

/** Numbers as bytes: `int(2, 'be')(258)` is [1, 2]. */
export function int(bytes: number, order: 'le' | 'be' = 'le'): (value: number) => number[] {
  return (value) => {
    const little = Array.from({ length: bytes }, (_, i) => Math.floor(value / 256 ** i) & 255)
    return order === 'le' ? little : little.reverse()
  }
}

/** A floating-point number of 4 or 8 bytes. */
export function float(bytes: 4 | 8, order: 'le' | 'be' = 'le'): (value: number) => number[] {
  return (value) => {
    const view = new DataView(new ArrayBuffer(bytes))
    if (bytes === 4) view.setFloat32(0, value, order === 'le')
    else view.setFloat64(0, value, order === 'le')
    return Array.from(new Uint8Array(view.buffer))
  }
}

/** Interleaved samples as bytes. */
export function encode(samples: readonly number[], write: (value: number) => number[]): Uint8Array {
  return Uint8Array.from(samples.flatMap(write))
}

const text = (string: string) => Array.from(Buffer.from(string, 'latin1'))
const u16 = int(2)
const u32 = int(4)

/** A RIFF chunk, padded to an even length. */
export function chunk(id: string, body: readonly number[] | Uint8Array, size = body.length) {
  return [...text(id), ...u32(size), ...body, ...(body.length % 2 ? [0] : [])]
}

export interface WavOptions {
  tag?: number
  channels?: number
  sampleRate?: number
  bits: number
  blockAlign?: number
  /** As WAVE_FORMAT_EXTENSIBLE. */
  extensible?: boolean
  /** What the data chunk claims as its size. */
  dataSize?: number
  /** Chunks before the data. */
  before?: number[]
  /** Chunks behind the data. */
  after?: number[]
}

export function wav(data: Uint8Array, options: WavOptions): Uint8Array {
  const { tag = 1, channels = 1, sampleRate = 44_100, bits, extensible = false } = options
  const blockAlign = options.blockAlign ?? channels * Math.ceil(bits / 8)
  const format = [
    ...u16(extensible ? 0xfffe : tag),
    ...u16(channels),
    ...u32(sampleRate),
    ...u32(sampleRate * blockAlign),
    ...u16(blockAlign),
    ...u16(extensible ? blockAlign * (8 / channels) : bits),
  ]
  if (extensible) {
    format.push(...u16(22), ...u16(bits), ...u32(0), ...u16(tag))
    format.push(...[0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71])
  }
  const body = [
    ...text('WAVE'),
    ...chunk('fmt ', format),
    ...(options.before ?? []),
    ...chunk('data', data, options.dataSize),
    ...(options.after ?? []),
  ]
  return Uint8Array.from([...text('RIFF'), ...u32(body.length), ...body])
}

/** A 64-bit WAV (EBU Tech 3306): sizes in a ds64 chunk, 0xffffffff where they would stand. */
export function rf64(data: Uint8Array, bits: number, sampleRate = 44_100): Uint8Array {
  const format = [1, 1].flatMap(u16).concat(u32(sampleRate), u32((sampleRate * bits) / 8))
  const body = [
    ...text('WAVE'),
    ...chunk('ds64', [...int(8)(0), ...int(8)(data.length), ...int(8)(0), ...u32(0)]),
    ...chunk('fmt ', [...format, ...u16(bits / 8), ...u16(bits)]),
    ...chunk('data', data, 0xffffffff),
    // Behind the data, to be found only by who believes ds64.
    ...chunk('LIST', text('INFOnoise')),
  ]
  return Uint8Array.from([...text('RF64'), ...u32(0xffffffff), ...body])
}

export interface AuOptions {
  encoding: number
  channels?: number
  sampleRate?: number
  size?: number
  note?: string
}

export function au(data: Uint8Array, options: AuOptions): Uint8Array {
  const { encoding, channels = 1, sampleRate = 8000, size = data.length, note = '' } = options
  const fields = [24 + note.length, size, encoding, sampleRate, channels].flatMap(int(4, 'be'))
  return Uint8Array.from([...text('.snd'), ...fields, ...text(note), ...data])
}

export interface AiffOptions {
  bits: number
  channels?: number
  /** Makes it an AIFF-C. */
  compression?: string
  frames?: number
  /** The sample rate as the 80-bit float it is in the file; default 44,100 Hz. */
  rate?: readonly number[]
  soundSize?: number
}

/** 44,100 as an 80-bit extended float: exponent 16383 + 15, mantissa 44100 · 2^48. */
const RATE_44100 = [0x40, 0x0e, 0xac, 0x44, 0, 0, 0, 0, 0, 0]

export function aiff(data: Uint8Array, options: AiffOptions): Uint8Array {
  const { bits, channels = 1, compression, rate = RATE_44100 } = options
  const big = int(4, 'be')
  const frames = options.frames ?? data.length / (channels * Math.ceil(bits / 8))
  const part = (id: string, body: number[], size = body.length) => [
    ...text(id),
    ...big(size),
    ...body,
    ...(body.length % 2 ? [0] : []),
  ]
  const common = [...int(2, 'be')(channels), ...big(frames), ...int(2, 'be')(bits), ...rate]
  if (compression) common.push(...text(compression), 0, 0)
  const body = [
    ...text(compression ? 'AIFC' : 'AIFF'),
    ...part('COMM', common),
    ...part('SSND', [...big(0), ...big(0), ...data], options.soundSize),
  ]
  return Uint8Array.from([...text('FORM'), ...big(body.length), ...body])
}

/** An ID3v2.4 tag of `body` bytes without frames. */
export function id3(body: number): Uint8Array {
  const size = [21, 14, 7, 0].map((shift) => (body >> shift) & 127)
  return Uint8Array.from([...text('ID3'), 4, 0, 0, ...size, ...new Array<number>(body).fill(0)])
}
