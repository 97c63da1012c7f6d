import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE } from './built.ts'
import { fencesOf } from './snippets.ts'

/** The documents that users read: the README and the guides, by their paths in the repository. */
export const DOCUMENTS: ReadonlyMap<string, string> = new Map(
  [
    'README.md',
    ...readdirSync(join(PACKAGE, 'examples'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `examples/${name.replaceAll('\\', '/')}`)
      .sort(),
  ].map((name) => [name, readFileSync(join(PACKAGE, name), 'utf8')]),
)

/** A code block of a document. */
export interface Block {
  document: string
  /** Where it stands: `README.md:20`. */
  place: string
  code: string
  /** What stands behind the language: `typed`, `before`. */
  remark: string
}

/**
 * The code blocks of all documents in a language. `js` is a whole program, which is run; `js before` is
 * code of another package, run with `mono`, `frame` and `essentia` given. `ts` is a piece, which is
 * type-checked and run with `music`, `track`, `catalog` and the like given; `ts typed` needs what is
 * not there in a test, and is type-checked only.
 */
export function blocksOf(language: string): Block[] {
  return [...DOCUMENTS].flatMap(([document, text]) =>
    fencesOf(text, language).map(({ line, ...block }) => ({
      document,
      place: `${document}:${line}`,
      ...block,
    })),
  )
}
