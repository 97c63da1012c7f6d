import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { PACKAGE } from '../support/built.ts'

const EXAMPLES = join(PACKAGE, 'examples')

async function example(name: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(EXAMPLES, name)])
  return stdout
}

// The others analyse audio in processes of their own: single-files.slow.test.ts.
describe('the examples', () => {
  it.each(readdirSync(EXAMPLES).filter((name) => name.endsWith('.mjs')))(
    '%s begins with a sentence that says what it does',
    (name) => {
      const [first] = readFileSync(join(EXAMPLES, name), 'utf8').split('\n')
      expect(first).toMatch(/^\/\/ [A-Z].{30,}/)
    },
  )

  it('first-catalog resolves items and tells what was wrong with one', async () => {
    expect(await example('first-catalog.mjs')).toBe(`4 entries, 2 remarks
  c: rating - Invalid parameter: 77 must be <= 10; it was left out
  c: couldn't resolve item
a: The Example Trio – Evening Rain, 9 of 10, 1 plays, 84 BPM
b: Anna Beispiel – Sunday Market, 0 of 10, 0 plays, 122 BPM
c: not known, 0 of 10, 0 plays, ? BPM
`)
  })
})
