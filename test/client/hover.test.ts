import { expect, it } from 'vitest'
import { CALLS, HOVERS, hoversOf } from '../support/hover.ts'

it('shows on parameters what the schema of their method says', () => {
  const shown = hoversOf('src/index.ts', CALLS)
  for (const [name, text] of Object.entries(HOVERS)) expect(shown[name], name).toMatch(text)
})
