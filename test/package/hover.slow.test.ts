import { expect, it } from 'vitest'
import { CALLS, HOVERS, hoversOf } from '../support/hover.ts'

it.each(['dist/index.d.ts', 'dist/index.d.cts'])(
  '%s shows on parameters what the schema of their method says',
  (entry) => {
    const shown = hoversOf(entry, CALLS)
    for (const [name, text] of Object.entries(HOVERS)) expect(shown[name], name).toMatch(text)
  },
)
