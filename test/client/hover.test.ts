import { expect, it } from 'vitest'
import { CALLS, HOVERS, hoversOf, undocumentedParameters } from '../support/hover.ts'

it('shows on parameters what the schema of their method says', () => {
  const shown = hoversOf('src/index.ts', CALLS)
  // TypeScript drops the documentation of renamed keys; the build puts it back (hover.slow.test.ts).
  const { minTempo: _, ...others } = HOVERS
  for (const [name, text] of Object.entries(others)) expect(shown[name], name).toMatch(text)
})

it('shows something on every field of every public parameter', () => {
  const { fields, bare } = undocumentedParameters('src/index.ts')
  expect(bare).toEqual([])
  expect(fields).toBeGreaterThan(200)
})
