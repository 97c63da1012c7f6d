import { type Base, FORMATS, type Format, makeBases } from './bases.ts'
import { bombs } from './bombs.ts'
import { DAMAGE } from './damage.ts'
import { Dice } from './dice.ts'
import { FIELDS } from './fields.ts'
import { type Mutant, mutant } from './mutant.ts'
import { TAGS } from './tags.ts'

/** How many of each kind. */
export interface Amounts {
  /** Of those that chance makes. */
  chance: number
  /** Of those with giant tags, for each format. */
  tags: number
  bombs: boolean
}

/**
 * Hostile files, one after the other, the same for one seed: each format in turn, of each kind of
 * damage before one comes again.
 */
export async function* hostileFiles(seed: number, amounts: Amounts): AsyncGenerator<Mutant> {
  const dice = new Dice(seed)
  const bases = await makeBases(1 + (seed % 1000))
  for (const base of bases.values()) {
    yield mutant(base, 'none', base.bytes, { demand: 'whole' })
  }
  const makers = FORMATS.map((format) => shuffled([...DAMAGE, ...FIELDS[format]], dice))
  for (let i = 0; i < amounts.chance; i++) {
    const base = baseOf(bases, i % FORMATS.length)
    const kinds = makers[i % FORMATS.length] ?? []
    const make = kinds[Math.floor(i / FORMATS.length) % kinds.length]
    if (make) yield make(base, dice)
  }
  for (const [i, format] of FORMATS.entries()) {
    for (const make of TAGS[format].slice(0, amounts.tags)) yield make(baseOf(bases, i), dice)
  }
  if (amounts.bombs) yield* await bombs(bases)
}

function baseOf(bases: ReadonlyMap<Format, Base>, index: number): Base {
  const base = bases.get(FORMATS[index] ?? 'wav')
  if (!base) throw new Error(`there is no file of format ${FORMATS[index]}`)
  return base
}

function shuffled<T>(list: readonly T[], dice: Dice): T[] {
  const rest = [...list]
  return list.map(() => rest.splice(dice.between(0, rest.length), 1)[0] as T)
}
