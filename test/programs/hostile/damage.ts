import { type Base, FORMATS, framesOf, framesWithin } from './bases.ts'
import type { Dice } from './dice.ts'
import { type Mutant, mutant } from './mutant.ts'

/** Damage that needs no knowledge of the format. */
export const DAMAGE: readonly ((base: Base, dice: Dice) => Mutant)[] = [
  (base, dice) => flipped(base, dice, 'one bit', 1, base.soundAt),
  (base, dice) => flipped(base, dice, '64 bits', 64, base.soundAt),
  (base, dice) =>
    flipped(base, dice, 'bits of the header', dice.pick([1, 1, 2, 8]), 0, base.soundAt),
  (base, dice) => {
    const bytes = Buffer.from(base.bytes)
    const at = dice.between(base.soundAt, bytes.length - 512)
    return damaged(base, 'noise in the midst', bytes.fill(dice.bytes(512), at, at + 512))
  },
  (base, dice) => {
    const bytes = Buffer.from(base.bytes)
    const at = dice.between(base.soundAt, bytes.length - 2048)
    return damaged(base, 'zeros in the midst', bytes.fill(0, at, at + 2048))
  },
  (base, dice) => cut(base, 'cut in the sound', dice.between(base.soundAt, base.bytes.length)),
  (base, dice) => cut(base, 'cut in the sound', dice.between(base.soundAt, base.bytes.length)),
  (base, dice) => cut(base, 'cut at a border', dice.pick(base.units).end),
  (base) => cut(base, 'last byte gone', base.bytes.length - 1),
  (base, dice) => cut(base, 'cut in the header', dice.between(0, base.soundAt)),
  (base, dice) => {
    const from = dice.between(base.soundAt, base.bytes.length)
    const to = dice.between(from, base.bytes.length)
    const bytes = Buffer.concat([base.bytes.subarray(0, from), base.bytes.subarray(to)])
    const lost = framesWithin(base, to) - framesWithin(base, from)
    const demand = lost > base.sampleRate ? 'told' : 'any'
    // A piece at either end of the hole may be there in part.
    return mutant(base, 'a hole', bytes, {
      frames: framesOf(base) - lost + base.sampleRate / 10,
      demand,
    })
  },
  (base) => {
    const bytes = Buffer.concat([base.bytes, base.bytes])
    return mutant(base, 'twice', bytes, { frames: 2 * framesOf(base) })
  },
  (base, dice) => {
    const bytes = Buffer.concat([base.bytes, dice.bytes(dice.between(1, 40_000))])
    return mutant(base, 'noise behind', bytes)
  },
  (base, dice) => {
    const bytes = Buffer.concat([base.bytes, Buffer.alloc(dice.between(1, 100_000))])
    return mutant(base, 'zeros behind', bytes)
  },
  (base, dice) =>
    mutant(base, 'noise before', Buffer.concat([dice.bytes(dice.between(1, 5000)), base.bytes])),
  (base, dice) => {
    const extension = dice.pick([...FORMATS, 'txt', 'm4a'].filter((one) => one !== base.extension))
    // Another file each time, for the same bytes would be the same track.
    const bytes = Buffer.concat([base.bytes, Buffer.alloc(dice.between(1, 100))])
    return mutant(base, 'wrong extension', bytes, { extension, demand: 'whole' })
  },
]

function flipped(
  base: Base,
  dice: Dice,
  mutation: string,
  count: number,
  from: number,
  to = base.bytes.length,
): Mutant {
  const bytes = Buffer.from(base.bytes)
  for (let i = 0; i < count; i++) {
    const at = dice.between(from, to)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << dice.between(0, 8))
  }
  if (from > 0) return damaged(base, mutation, bytes)
  return mutant(base, mutation, bytes, { frames: base.most?.(bytes) ?? framesOf(base) })
}

/** Damage to the sound: what is lost by it must be told. */
function damaged(base: Base, mutation: string, bytes: Buffer): Mutant {
  return mutant(base, mutation, bytes, { demand: 'told' })
}

function cut(base: Base, mutation: string, length: number): Mutant {
  const frames = framesWithin(base, length)
  return mutant(base, mutation, base.bytes.subarray(0, length), { frames, demand: 'told' })
}
