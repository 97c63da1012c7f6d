import { readFileSync } from 'node:fs'
import { aiff, au, encode, int, wav } from '../../support/audio-files.ts'
import { clip } from '../../support/clips.ts'
import { mp3Bytes, oggBytes } from '../../support/encode.ts'
import { flacOf } from './flac-writer.ts'
import { type Mp4Sound, mp4Of, soundOf } from './mp4-writer.ts'
import { type OggPacket, oggPages, packetsOf, pageStarts } from './ogg-writer.ts'

/** The formats that hostile files are made of. */
export const FORMATS = ['wav', 'aiff', 'au', 'mp3', 'flac', 'ogg', 'opus', 'aac', 'alac'] as const
export type Format = (typeof FORMATS)[number]

/** A good file, and the truth about what is in it. */
export interface Base {
  format: Format
  extension: string
  bytes: Buffer
  sampleRate: number
  /** Where the sound begins. */
  soundAt: number
  /** Where each piece of sound ends that can be decoded by itself, and the samples until there. */
  units: readonly Unit[]
  /** The most samples per channel that changed bytes can hold, where the header decides on that. */
  most?: (bytes: Buffer) => number
}

interface Unit {
  end: number
  frames: number
}

const SECONDS = 2.5

/** Samples per channel of a good file. */
export function framesOf(base: Base): number {
  return base.units.at(-1)?.frames ?? 0
}

/** Samples per channel in the first `length` bytes. */
export function framesWithin(base: Base, length: number): number {
  return base.units.findLast(({ end }) => end <= length)?.frames ?? 0
}

/** A good file of each format. Another `seed` is another sound, where there is an encoder for it. */
export async function makeBases(seed: number): Promise<Map<Format, Base>> {
  const low = clip({ seconds: SECONDS, seed, bpm: 100 + (seed % 60) })
  const high = clip({ seconds: SECONDS, seed: seed + 1, sampleRate: 44_100 })
  const bases = [
    ...pcmBases(low.samples[0] ?? new Float32Array(0), low.sampleRate),
    mp3Base(Buffer.from(await mp3Bytes(high, 128))),
    flacBase(low.samples[0] ?? new Float32Array(0), low.sampleRate),
    oggBase('ogg', vorbisPackets(await oggBytes(high, 2)), 3, 44_100),
    oggBase('opus', opusPackets(), 2, 48_000),
    mp4Base('aac', AAC),
    mp4Base('alac', ALAC),
  ]
  return new Map(bases.map((base) => [base.format, base]))
}

function pcmBases(samples: Float32Array, sampleRate: number): Base[] {
  const whole = Array.from(samples, (value) => Math.round(value * 32_767) & 0xffff)
  // 22,050 as an 80-bit float: exponent 16383 + 14.
  const rate = [0x40, 0x0d, 0xac, 0x44, 0, 0, 0, 0, 0, 0]
  const big = encode(whole, int(2, 'be'))
  const base = (format: Format, made: Uint8Array, soundAt: number, most: Base['most']): Base => ({
    ...{ format, extension: format, bytes: Buffer.from(made), sampleRate, soundAt },
    units: whole.map((_, i) => ({ end: soundAt + 2 * (i + 1), frames: i + 1 })),
    ...(most && { most }),
  })
  const ratio = (bytes: Buffer, soundAt: number, channels: number, width: number) =>
    (bytes.length - soundAt) / Math.max(1, channels * width)
  return [
    base('wav', wav(encode(whole, int(2)), { bits: 16, sampleRate }), 44, (bytes) => {
      const linear = [1, 3, 0xfffe].includes(bytes.readUInt16LE(20))
      const width = linear ? Math.ceil(bytes.readUInt16LE(34) / 8) : 1
      return ratio(bytes, 44, bytes.readUInt16LE(22), width)
    }),
    base('aiff', aiff(big, { bits: 16, rate }), 54, (bytes) =>
      ratio(bytes, 54, bytes.readUInt16BE(20), Math.ceil(bytes.readUInt16BE(26) / 8)),
    ),
    base('au', au(big, { encoding: 3, sampleRate }), 24, (bytes) =>
      ratio(bytes, 24, bytes.readUInt32BE(20), AU_WIDTHS[bytes.readUInt32BE(12)] ?? 1),
    ),
  ]
}

const AU_WIDTHS: Readonly<Record<number, number>> = { 3: 2, 4: 3, 5: 4, 6: 4, 7: 8 }

function mp3Base(encoded: Buffer): Base {
  // Constant bit rate of 128 kbit/s: 417 bytes, one more where the padding bit is set.
  const ends: number[] = []
  for (let at = 0; at + 4 <= encoded.length && encoded[at] === 0xff; ) {
    at += 417 + (((encoded[at + 2] ?? 0) >> 1) & 1)
    ends.push(at)
  }
  // The encoder writes no header that says how many frames there are.
  const info = infoFrame(encoded.subarray(0, 4), ends.length)
  const units = ends.map((end, i) => ({ end: info.length + end, frames: 1152 * (i + 1) }))
  const soundAt = info.length
  const bytes = Buffer.concat([info, encoded])
  return { format: 'mp3', extension: 'mp3', bytes, sampleRate: 44_100, soundAt, units }
}

/** A frame of MPEG-1 layer III at 128 kbit/s, mono, that holds an "Info" header and no sound. */
export function infoFrame(head: Uint8Array, frames: number): Buffer {
  const frame = Buffer.alloc(417)
  frame.set(head)
  frame[2] = (frame[2] ?? 0) & ~2
  frame.write('Info', 21)
  frame.writeUInt32BE(1, 25)
  frame.writeUInt32BE(frames, 29)
  return frame
}

function flacBase(samples: Float32Array, sampleRate: number): Base {
  const { bytes, units } = flacOf(samples, { sampleRate })
  return { format: 'flac', extension: 'flac', bytes, sampleRate, soundAt: 42, units }
}

/** A base of Ogg packets, the first of which are headers. */
export function oggBase(
  format: 'ogg' | 'opus',
  packets: readonly OggPacket[],
  headers: number,
  sampleRate: number,
): Base {
  const bytes = Buffer.concat(oggPages(packets, { headers, perPage: 10 }))
  const starts = [...pageStarts(bytes), bytes.length]
  const units = starts.slice(1).map((end, i) => {
    const granule = Number(bytes.readBigInt64LE((starts[i] ?? 0) + 6))
    return { end, frames: Math.max(0, granule - (format === 'opus' ? PRE_SKIP : 0)) }
  })
  const soundAt = starts[2] ?? 0
  return { format, extension: format, bytes, sampleRate, soundAt, units }
}

const fixture = (name: string) =>
  readFileSync(new URL(`../../audio/fixtures/${name}`, import.meta.url))

const PRE_SKIP = 312

/** Packets of the encoder with their granule positions, which it gives per page only. */
export function vorbisPackets(file: Uint8Array): OggPacket[] {
  const packets = packetsOf(file)
  const sound = packets.slice(3)
  const last = Number(sound.at(-1)?.granule ?? 0n)
  return packets.map((packet, i) => {
    const share = (i - 2) / sound.length
    return { bytes: packet.bytes, granule: i < 3 ? 0n : BigInt(Math.round(last * share)) }
  })
}

/** The packets of a short file, five times one after the other: 20 ms each. */
export function opusPackets(): OggPacket[] {
  const packets = packetsOf(fixture('mono.opus'))
  const heads = packets.slice(0, 2).map(({ bytes }) => ({ bytes, granule: 0n }))
  const sound = Array.from({ length: 5 }, () => packets.slice(2)).flat()
  return [...heads, ...sound.map(({ bytes }, i) => ({ bytes, granule: BigInt(960 * (i + 1)) }))]
}

/** AAC and ALAC of short files, repeated. */
export const AAC: Mp4Sound = repeated(soundOf(fixture('stereo.m4a'), 1024, 44_100), 4)
export const ALAC: Mp4Sound = repeated(wholePackets(soundOf(fixture('alac.m4a'), 4096, 44_100)), 4)

function repeated(sound: Mp4Sound, times: number): Mp4Sound {
  return { ...sound, packets: Array.from({ length: times }, () => sound.packets).flat() }
}

/** Without the last one, which is shorter. */
function wholePackets(sound: Mp4Sound): Mp4Sound {
  return { ...sound, packets: sound.packets.slice(0, -1) }
}

function mp4Base(format: 'aac' | 'alac', sound: Mp4Sound): Base {
  const { bytes, units } = mp4Of(sound)
  const soundAt = (units[0]?.end ?? 0) - (sound.packets[0]?.length ?? 0)
  return { format, extension: 'm4a', bytes, sampleRate: sound.sampleRate, soundAt, units }
}
