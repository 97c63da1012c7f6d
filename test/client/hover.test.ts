import { expect, it } from 'vitest'
import { CALLS, HOVERS, hoversOf } from '../support/hover.ts'

it('shows on parameters what the schema of their method says', () => {
  const shown = hoversOf('src/index.ts', CALLS)
  // TypeScript drops the documentation of renamed keys; the build puts it back (hover.slow.test.ts).
  const { minTempo: _, ...others } = HOVERS
  for (const [name, text] of Object.entries(others)) expect(shown[name], name).toMatch(text)
})
