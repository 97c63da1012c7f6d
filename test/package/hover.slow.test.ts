import { expect, it } from 'vitest'
import { CALLS, HOVERS, hoversOf, undocumentedParameters } from '../support/hover.ts'

it.each(['dist/index.d.ts', 'dist/index.d.cts'])(
  '%s shows on parameters what the schema of their method says',
  (entry) => {
    const shown = hoversOf(entry, CALLS)
    for (const [name, text] of Object.entries(HOVERS)) expect(shown[name], name).toMatch(text)
  },
)

it.each(['dist/index.d.ts', 'dist/index.d.cts'])(
  '%s shows something on every field of every public parameter',
  (entry) => expect(undocumentedParameters(entry).bare).toEqual([]),
)
