import { fileURLToPath } from 'node:url'
import type ts from 'typescript'
import { describe, expect, it } from 'vitest'
import {
  CALLS_FILE,
  editorOfCalls,
  HOVERS,
  hoversIn,
  undocumentedParameters,
} from '../support/hover.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

describe.each(['dist/index.d.ts', 'dist/index.d.cts'])('%s', (entry) => {
  const editor = editorOfCalls(entry)

  it('shows on parameters what the schema of their method says', () => {
    const shown = hoversIn(editor, CALLS_FILE)
    for (const [name, text] of Object.entries(HOVERS)) expect(shown[name], name).toMatch(text)
  })

  it('shows something on every field of every public parameter', () => {
    const program = editor.getProgram() as ts.Program
    expect(undocumentedParameters(program, `${ROOT}${entry}`).bare).toEqual([])
  })
})
