import { oggBytes } from '../../support/encode.ts'
import {
  AAC,
  type Base,
  type Format,
  infoFrame,
  oggBase,
  opusPackets,
  vorbisPackets,
} from './bases.ts'
import { silentFlac } from './flac-writer.ts'
import { mp4Of } from './mp4-writer.ts'
import { type Mutant, mutant } from './mutant.ts'

const HOUR = 3600

/** Hours of silence in few bytes: over the limit of decoded seconds, said or not. */
export async function bombs(bases: ReadonlyMap<Format, Base>): Promise<Mutant[]> {
  const made: Mutant[] = []
  const add = (format: Format, mutation: string, bytes: Uint8Array, frames: number) => {
    const base = bases.get(format)
    if (base) made.push(mutant(base, mutation, bytes, { frames, stated: frames, demand: 'error' }))
  }
  for (const claimed of [0, undefined]) {
    const how = claimed === 0 ? 'hours of silence, not said' : 'hours of silence, said'
    const options = claimed === undefined ? {} : { claimed }
    const mono = silentFlac(2000, { sampleRate: 8000, ...options })
    add('flac', how, mono.bytes, 2000 * 65_535)
  }
  // 30 MB of samples of 32 bits for each 40 bytes.
  const wide = silentFlac(60_000, { sampleRate: 192_000, channels: 8, claimed: 0 })
  add('flac', 'hours in 8 channels at 192 kHz', wide.bytes, 60_000 * 65_535)
  add('mp3', 'hours of silence, not said', silentMp3(2 * HOUR), 2 * HOUR * 44_100)
  const head = Buffer.from([0xff, 0xfb, 0x90, 0xc4])
  const frame = Buffer.alloc(417)
  frame.set(head)
  const said = Buffer.concat([infoFrame(head, 2 * HOUR * 40), ...Array<Buffer>(400).fill(frame)])
  const mp3 = bases.get('mp3')
  // What is there counts, not what is said.
  const claim = { frames: 400 * 1152, stated: 400 * 1152, demand: 'told' } as const
  if (mp3) made.push(mutant(mp3, 'ten seconds that say hours', said, claim))
  add('opus', 'hours of silence', silentOpus(2 * HOUR), 2 * HOUR * 48_000)
  const silence = { samples: [new Float32Array(44_100)], sampleRate: 44_100 }
  const vorbis = vorbisPackets(await oggBytes(silence, 0))
  const one = vorbis.at(-2)?.bytes ?? new Uint8Array(1)
  const packets = Array.from({ length: 300_000 }, (_, i) => ({
    bytes: one,
    granule: BigInt(1024 * (i + 1)),
  }))
  const long = oggBase('ogg', [...vorbis.slice(0, 3), ...packets], 3, 44_100)
  add('ogg', 'hours of silence', long.bytes, 300_000 * 1024)
  const quiet = AAC.packets.reduce((a, b) => (b.length < a.length ? b : a))
  for (const told of [1024, 1]) {
    const sound = {
      ...AAC,
      packets: Array(150_000).fill(quiet) as Uint8Array[],
      packetFrames: told,
    }
    const how = told === 1 ? 'hours, not said' : 'hours, said'
    add('aac', how, mp4Of(sound).bytes, 150_000 * 1024)
  }
  return made
}

/** Frames of MPEG-2.5 layer III at 8 kbit/s and 8 kHz: 72 bytes for each 72 ms. */
function silentMp3(seconds: number): Buffer {
  const frame = Buffer.alloc(72)
  frame.set([0xff, 0xe3, 0x18, 0xc4])
  return Buffer.concat(Array(Math.ceil(seconds / 0.072)).fill(frame))
}

/** Packets of one byte, each 60 ms that were not sent. */
function silentOpus(seconds: number): Buffer {
  const count = Math.ceil(seconds / 0.06)
  const heads = opusPackets().slice(0, 2)
  const packets = Array.from({ length: count }, (_, i) => ({
    bytes: Uint8Array.of(0b0001_1000),
    granule: BigInt(2880 * (i + 1)),
  }))
  return oggBase('opus', [...heads, ...packets], 2, 48_000).bytes
}
