import { codeOfKey, keyBitsOf } from '../../../src/recognition/systems/code-keys.ts'
import type { Codes } from '../../../src/recognition/systems/codes.ts'
import {
  type RecordingPrints,
  sortCodesByKey,
} from '../../../src/recognition/systems/recording-prints.ts'
import { CHROMA_SYSTEM, UNITS_PER_SECOND } from '../../../src/recognition/systems/version.ts'
import { byFrequency, type Random, seeded } from '../../support/chance.ts'

/** What the codes of music are like. */
interface Statistics {
  perSecond: number
  /** The share of a song's codes that the song has had before. */
  repeated: number
  /** Codes that occur at all: 2 to the power of this. */
  bits: number
  /** How unequal their frequencies are: log-normal. */
  spread: number
}

/**
 * Of 31 produced recordings of a minute: codes a second, the share of repetitions in a song, and by the
 * bits and the spread the codes that two songs have in common: 0.031 %, 1.4 % and 0.033 %.
 */
const MUSIC: Readonly<Record<'triplets' | 'echoprint' | 'chroma', Statistics>> = {
  triplets: { perSecond: 11.2, repeated: 0.03, bits: 26, spread: 1.88 },
  echoprint: { perSecond: 27.3, repeated: 0.15, bits: 20, spread: 1.58 },
  chroma: { perSecond: 5.7, repeated: 0.04, bits: 26, spread: 2.1 },
}

/** The prints of a recording that does not exist, like those of another one as real ones are. */
export function madePrints(seconds: number, seed: number): RecordingPrints {
  const random = seeded(Math.imul(seed + 1, 0x85ebca6b))
  return {
    triplets: madeCodes('triplets', seconds, random),
    echoprint: madeCodes('echoprint', seconds, random),
    chroma: madeCodes('chroma', seconds, random),
  }
}

function madeCodes(family: keyof typeof MUSIC, seconds: number, random: Random): Codes {
  const { perSecond, repeated, bits, spread } = MUSIC[family]
  const count = Math.round(seconds * perSecond)
  const codes = new Uint32Array(count)
  const most = keyBitsOf(family) ?? bits
  for (let i = 0; i < count; i++) {
    const place = Math.floor(byFrequency(random, spread) * 2 ** bits)
    // Which codes are frequent is as good as random.
    const code = codeOfKey(codeOfKey(place, bits) * 2 ** (most - bits), most)
    codes[i] = random() < repeated ? codes[Math.floor(i * random())]! : code
    if (family === 'chroma') codes[i] = (codes[i]! | CHROMA_SYSTEM.mark) >>> 0
  }
  const units = seconds * UNITS_PER_SECOND[family]
  const times = Uint32Array.from(codes, () => Math.floor(units * random()))
  return sortCodesByKey(family, { codes, times })
}
