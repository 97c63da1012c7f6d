import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PACKAGE } from '../support/built.ts'
import { faultsOf, fencesOf, programOf } from '../support/snippets.ts'

// In the readme, a block marked `ts` is a piece that is type-checked, with `music`, `catalog`,
// `track` and the like given; one marked `js` is a whole program, which readme.slow.test.ts runs.
const README = readFileSync(join(PACKAGE, 'README.md'), 'utf8')

const PIECES = fencesOf(README, 'ts').map(({ code, line }) => ({
  place: `README.md:${line}`,
  code,
}))

describe('the readme', () => {
  it('has pieces', () => {
    expect(PIECES.length).toBeGreaterThan(0)
  })

  it('has pieces that are correct TypeScript', () => {
    expect(faultsOf(programOf(PIECES), PIECES)).toEqual([])
  })
})
