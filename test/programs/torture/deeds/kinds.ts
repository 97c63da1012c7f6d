import type { Random } from '../../../support/chance.ts'
import type { Kind } from './deed.ts'
import { feed } from './feed.ts'
import { importSongs } from './import.ts'
import { reading } from './reading.ts'
import { deletion, shelf } from './shelf.ts'
import { update } from './update.ts'
import { removal, upload } from './upload.ts'

/** All kinds of work. What each one's deeds and answers are, only it knows. */
export const KINDS: readonly Kind<unknown, unknown>[] = [
  update,
  importSongs,
  upload,
  removal,
  feed,
  shelf,
  deletion,
  reading,
]

const BY_NAME = new Map(KINDS.map((kind) => [kind.name, kind]))
const TOTAL = KINDS.reduce((sum, { weight }) => sum + weight, 0)

/** The kind of a name. */
export function kindOf(name: string): Kind<unknown, unknown> {
  const kind = BY_NAME.get(name)
  if (kind) return kind
  throw new Error(`There is no kind of work called ${name}.`)
}

/** A kind by chance, each as often as its weight says. */
export function someKind(random: Random): Kind<unknown, unknown> {
  let at = random() * TOTAL
  for (const kind of KINDS) {
    at -= kind.weight
    if (at < 0) return kind
  }
  return reading as Kind<unknown, unknown>
}
