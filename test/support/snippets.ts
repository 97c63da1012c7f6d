import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** The folder of the package. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The four public entries, by the name under which they are imported. */
export const ENTRIES: Readonly<Record<string, string>> = {
  audile: `${ROOT}src/index.ts`,
  'audile/analysis': `${ROOT}src/analysis-entry.ts`,
  'audile/fleet': `${ROOT}src/fleet-entry.ts`,
  'audile/import': `${ROOT}src/import-entry.ts`,
  'audile/wire': `${ROOT}src/wire-entry.ts`,
}

/** A piece of a documentation that is code. */
export interface Snippet {
  /** Where it stands, for messages. */
  place: string
  code: string
}

/** What a snippet may use without saying where it comes from. */
const GIVEN = `
import type { Audile, Catalog, Song, Ticket, Track } from 'audile'
declare global {
  const music: Audile
  const catalog: Catalog
  const song: Song
  const ticket: Ticket
  const track: Track
  const left: Float32Array
  const right: Float32Array
  const signal: AbortSignal
}
`

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
  paths: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, [file]])),
}

/** A program of the public entries and the snippets, each a module of its own. */
export function programOf(snippets: readonly Snippet[]): ts.Program {
  const texts = new Map<string, string>([[`${ROOT}given.ts`, GIVEN]])
  for (const [i, { code }] of snippets.entries())
    texts.set(`${ROOT}snippet-${i}.ts`, moduleOf(code))
  const host = ts.createCompilerHost(OPTIONS)
  const { getSourceFile, fileExists, readFile } = host
  host.getCurrentDirectory = () => ROOT
  host.fileExists = (name) => texts.has(name) || fileExists(name)
  host.readFile = (name) => texts.get(name) ?? readFile(name)
  host.getSourceFile = (name, options, ...rest) => {
    const text = texts.get(name)
    return text === undefined
      ? getSourceFile(name, options, ...rest)
      : ts.createSourceFile(name, text, options)
  }
  return ts.createProgram([...Object.values(ENTRIES), ...texts.keys()], OPTIONS, host)
}

/** What is wrong with the snippets of a program: where, and the compiler's words. */
export function faultsOf(program: ts.Program, snippets: readonly Snippet[]): string[] {
  return snippets.flatMap(({ place }, i) => {
    const file = program.getSourceFile(`${ROOT}snippet-${i}.ts`)
    const found = [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]
    return found.map(({ messageText, start = 0 }) => {
      const line = file?.text.slice(0, start).split('\n').length ?? 0
      const text = file?.text.split('\n')[line - 1]?.trim()
      return `${place}: ${ts.flattenDiagnosticMessageText(messageText, ' ')} (${text})`
    })
  })
}

/** Imports stay on top, the rest goes into a function, in which one may await. */
export function moduleOf(code: string): string {
  const { statements, text } = ts.createSourceFile('x.ts', code, ts.ScriptTarget.ES2022)
  const imports = statements.filter(ts.isImportDeclaration)
  const rest = statements.filter((statement) => !ts.isImportDeclaration(statement))
  const textOf = (statement: ts.Statement) => text.slice(statement.pos, statement.end)
  return `${imports.map(textOf).join('\n')}
export async function example() {${rest.map(textOf).join('')}
}
`
}

/** A fenced code block: what stands behind its language, and the line where it begins. */
export interface Fence {
  code: string
  line: number
  remark: string
}

/** The fenced code blocks of a text that are in a language. */
export function fencesOf(text: string, language: string): Fence[] {
  const found: Fence[] = []
  for (const match of text.matchAll(/^( *)```(\S*)([^\n]*)\n([\s\S]*?)^\1```[ \t]*$/gm)) {
    const [, indent = '', info, remark = '', code = ''] = match
    if (info !== language) continue
    found.push({
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      line: text.slice(0, match.index).split('\n').length,
      remark: remark.trim(),
    })
  }
  return found
}
