import { Dice } from '../hostile/dice.ts'

/** A sound to be made. */
export interface Sound {
  /** Samples per channel. Default 1.2 s. */
  frames?: number
  /** Hz. Default 44,100. */
  rate?: number
  /** Default 2. */
  channels?: number
  /** Significant bits of a sample, 4…32. Default 16. */
  bits?: number
  /** Default 'music'. 'extremes' jumps between the least and the greatest value. */
  kind?: 'music' | 'noise' | 'extremes' | 'constant' | 'silence'
  /** Samples of digital silence in front and behind, within `frames`. */
  head?: number
  tail?: number
  seed: number
}

/** What a sound is made of. */
export interface Samples {
  rate: number
  bits: number
  /** Whole numbers of `bits` bits, with sign. */
  channels: Int32Array[]
}

/** Samples per channel of a sound. */
export function samplesIn({ frames, rate = 44_100 }: Omit<Sound, 'seed'>): number {
  return frames ?? Math.round(1.2 * rate)
}

/** Makes a sound; the same one whenever it is asked for. */
export function samplesOf(sound: Sound): Samples {
  const { rate = 44_100, channels = 2, bits = 16, kind = 'music', head = 0, tail = 0 } = sound
  const frames = samplesIn(sound)
  const dice = new Dice(sound.seed)
  const full = 2 ** (bits - 1)
  return {
    rate,
    bits,
    channels: Array.from({ length: channels }, (_, c) => {
      // Each channel has a level and a pitch of its own, so that none is taken for another.
      const level = 0.6 / (1 + c / 2)
      const step = (2 * Math.PI * 220 * (c + 1)) / rate
      return Int32Array.from({ length: frames }, (_, i) => {
        if (kind === 'silence' || i < head || i >= frames - tail) return 0
        const chance = 2 * dice.unit() - 1
        if (kind === 'constant') return Math.round((full - 1) / (c + 2))
        if (kind === 'extremes') return chance < 0 ? -full : full - 1
        if (kind === 'noise') return Math.floor(full * chance)
        const tone = Math.sin(step * i) + 0.4 * Math.sin(2.5 * step * i)
        return Math.round((full - 1) * level * (0.65 * tone + 0.05 * chance))
      })
    }),
  }
}

/** Speakers by number of channels, as FLAC orders them; bits of a WAVE channel mask. */
const MASKS = [0, 0x4, 0x3, 0x7, 0x33, 0x607, 0x60f, 0x70f, 0x63f]

/** Samples as WAV, left-justified in whole bytes; the extensible form where the plain one is too poor. */
export function wavOf({ rate, bits, channels }: Samples): Buffer {
  const count = channels.length
  const width = Math.ceil(bits / 8)
  const frames = channels[0]?.length ?? 0
  const extensible = count > 2 || bits % 8 !== 0
  const format = Buffer.alloc(extensible ? 40 : 16)
  format.writeUInt16LE(extensible ? 0xfffe : 1, 0)
  format.writeUInt16LE(count, 2)
  format.writeUInt32LE(rate, 4)
  format.writeUInt32LE(rate * count * width, 8)
  format.writeUInt16LE(count * width, 12)
  format.writeUInt16LE(8 * width, 14)
  if (extensible) {
    format.writeUInt16LE(22, 16)
    format.writeUInt16LE(bits, 18)
    format.writeUInt32LE(MASKS[count] ?? 0, 20)
    Buffer.from('0100000000001000800000aa00389b71', 'hex').copy(format, 24)
  }
  const data = Buffer.alloc(frames * count * width)
  const shift = 2 ** (8 * width - bits)
  for (const [c, samples] of channels.entries()) {
    for (const [i, sample] of samples.entries()) {
      const at = (i * count + c) * width
      if (width === 1) data[at] = sample * shift + 128
      else data.writeIntLE(sample * shift, at, width)
    }
  }
  return riff([
    ['fmt ', format],
    ['data', data],
  ])
}

/** A RIFF WAVE file of such chunks. */
export function riff(chunks: readonly (readonly [id: string, body: Buffer])[]): Buffer {
  const parts = chunks.flatMap(([id, body]) => {
    const head = Buffer.from(`${id}\0\0\0\0`, 'latin1')
    head.writeUInt32LE(body.length, 4)
    return [head, body, Buffer.alloc(body.length % 2)]
  })
  const head = Buffer.from('RIFF\0\0\0\0WAVE', 'latin1')
  head.writeUInt32LE(4 + parts.reduce((sum, { length }) => sum + length, 0), 4)
  return Buffer.concat([head, ...parts])
}
