import { readdirSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { blocksOf } from './support/documents.ts'
import { CALLS, HOVERS, hoversIn, undocumentedParameters } from './support/hover.ts'
import {
  ENTRIES,
  faultsOf,
  fencesOf,
  openSnippets,
  type Snippet,
  snippetFile,
} from './support/snippets.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The code blocks of all docstrings, found in the text: who says what is read from the program. */
const SNIPPETS = readdirSync(`${ROOT}src`, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .sort()
  .flatMap((name) => snippetsOf(`${ROOT}src/${name}`, readFileSync(`${ROOT}src/${name}`, 'utf8')))

/** The pieces of README and guides. */
const PIECES = blocksOf('ts')

// One editor for all tests: to read the sources and their types takes seconds.
const ALL = [...SNIPPETS, ...PIECES, { place: 'CALLS', code: CALLS }]
const EDITOR = openSnippets(ALL)
const PROGRAM = EDITOR.getProgram() as ts.Program
const CHECKER = PROGRAM.getTypeChecker()

describe('the docstrings', () => {
  it('are on every public name', () => {
    const lacking = gaps(({ doc }) => doc === '')
    expect(lacking).toEqual([])
  })

  it('show an example of every class, function and method', () => {
    const lacking = gaps(({ example, kind }) => kind === 'callable' && !example)
    expect(lacking).toEqual([])
  })
})

describe('the parameters of the methods', () => {
  it('are documented, each where it is declared', () => {
    const file = PROGRAM.getSourceFile(`${ROOT}src/engine/method-list.ts`) as ts.SourceFile
    const module = CHECKER.getSymbolAtLocation(file) as ts.Symbol
    const fields = CHECKER.getExportsOfModule(module).flatMap((exported) => {
      const method = CHECKER.getTypeOfSymbol(CHECKER.getAliasedSymbol(exported))
      const shape = memberType(memberType(method, 'parameters'), 'shape')
      return shape.getProperties().map((field) => ({
        name: `${exported.name}.${field.name}`,
        doc: ts.displayPartsToString(field.getDocumentationComment(CHECKER)),
      }))
    })
    expect(fields.length).toBeGreaterThan(100)
    const lacking = fields.filter(({ name, doc }) => doc === '' && !name.startsWith('songSearch.'))
    expect(lacking).toEqual([])
  })

  it('show in an editor what the schema of their method says', () => {
    const shown = hoversIn(EDITOR, snippetFile(ALL.length - 1))
    // TypeScript drops the documentation of renamed keys; the build puts it back (hover.slow.test.ts).
    const { minTempo: _, ...others } = HOVERS
    for (const [name, text] of Object.entries(others)) expect(shown[name], name).toMatch(text)
  })

  it('show something on every field of every public one', () => {
    const { fields, bare } = undocumentedParameters(PROGRAM, ENTRIES.audile as string)
    expect(bare).toEqual([])
    expect(fields).toBeGreaterThan(200)
  })
})

describe('the examples of docstrings, and the pieces of README and guides', () => {
  it('are found', () => {
    expect(SNIPPETS.length).toBeGreaterThan(50)
    expect(PIECES.length).toBeGreaterThan(20)
  })

  it('are correct TypeScript', () => {
    expect(faultsOf(PROGRAM, ALL)).toEqual([])
  })
})

function memberType(type: ts.Type, name: string): ts.Type {
  return CHECKER.getTypeOfSymbol(type.getProperty(name) as ts.Symbol)
}

interface Documented {
  name: string
  /** Classes, functions and methods, which need an example; and all else. */
  kind: 'callable' | 'other'
  doc: string
  example: boolean
}

function gaps(lacks: (documented: Documented) => boolean): string[] {
  const all = Object.entries(ENTRIES).flatMap(([name, file]) => documentedIn(name, file))
  expect(all.length).toBeGreaterThan(200)
  return [...new Set(all.filter(lacks).map(({ name }) => name))].sort()
}

function documentedIn(entry: string, file: string): Documented[] {
  const module = CHECKER.getSymbolAtLocation(PROGRAM.getSourceFile(file) as ts.SourceFile)
  return CHECKER.getExportsOfModule(module as ts.Symbol).flatMap((exported) => {
    const alias = (exported.flags & ts.SymbolFlags.Alias) !== 0
    const symbol = alias ? CHECKER.getAliasedSymbol(exported) : exported
    const name = `${entry} ${exported.name}`
    const callable = (symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Function)) !== 0
    return [
      documented(symbol, name, callable ? 'callable' : 'other'),
      ...(symbol.declarations ?? []).flatMap((node) => membersOf(node, name)),
    ]
  })
}

function documented(symbol: ts.Symbol, name: string, kind: Documented['kind']): Documented {
  return {
    name,
    kind,
    doc: ts.displayPartsToString(symbol.getDocumentationComment(CHECKER)).trim(),
    example: symbol.getJsDocTags(CHECKER).some((tag) => tag.name === 'example'),
  }
}

/** The members of a class, an interface or a type, those of types written inside it too. */
function membersOf(node: ts.Node, owner: string): Documented[] {
  if (ts.isClassDeclaration(node)) {
    return node.members.filter(isPublic).flatMap((member) => memberOf(member, owner))
  }
  const found: Documented[] = []
  const visit = (child: ts.Node) => {
    if (ts.isPropertySignature(child) || ts.isMethodSignature(child)) {
      // `never` says that there is no such member.
      if (child.type?.kind !== ts.SyntaxKind.NeverKeyword) found.push(...memberOf(child, owner))
    }
    ts.forEachChild(child, visit)
  }
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) visit(node)
  return found
}

function memberOf(member: ts.ClassElement | ts.TypeElement, owner: string): Documented[] {
  if (ts.isConstructorDeclaration(member)) {
    const doc = ts.getJSDocCommentsAndTags(member).length > 0 ? 'there' : ''
    return [{ name: `${owner} constructor`, kind: 'other', doc, example: false }]
  }
  const symbol = member.name && CHECKER.getSymbolAtLocation(member.name)
  if (symbol === undefined) throw new Error(`${owner} has a member without a name.`)
  const name = `${owner}.${member.name?.getText()}`
  // What a language feature calls by a symbol is shown where the feature is.
  const method = ts.isMethodDeclaration(member) && !ts.isComputedPropertyName(member.name)
  return [documented(symbol, name, method ? 'callable' : 'other')]
}

function isPublic(member: ts.ClassElement): boolean {
  if (ts.isClassStaticBlockDeclaration(member)) return false
  if (member.name && ts.isPrivateIdentifier(member.name)) return false
  if ((ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private) !== 0) return false
  return !ts.getJSDocTags(member).some((tag) => tag.tagName.text === 'internal')
}

function snippetsOf(file: string, text: string): Snippet[] {
  const name = relative(ROOT, file)
  return [...text.matchAll(/\/\*\*[\s\S]*?\*\//g)].flatMap(({ 0: comment, index }) => {
    const first = text.slice(0, index).split('\n').length
    const bare = comment.replaceAll(/^ *\*? ?/gm, '')
    return fencesOf(bare, 'ts').map(({ code, line }) => ({
      place: `${name}:${first + line - 1}`,
      code,
    }))
  })
}
