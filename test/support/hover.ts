import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { editorOf, OPTIONS } from './snippets.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Where {@link editorOfCalls} has the calls. */
export const CALLS_FILE = `${ROOT}calls.ts`

/**
 * An editor in which {@link CALLS} of a build are open, in the file `calls.ts` of the package's folder.
 *
 * @param entry - the file that `audile` is imported from
 */
export function editorOfCalls(entry: string): ts.LanguageService {
  const text = `import type { Audile } from 'audile'\ndeclare const music: Audile\n${CALLS}`
  const paths = { audile: [`${ROOT}${entry}`] }
  return editorOf(new Map([[CALLS_FILE, text]]), { ...OPTIONS, paths })
}

/** What an editor shows on the members of objects in a file, by name. */
export function hoversIn(editor: ts.LanguageService, file: string): Record<string, string> {
  const [fault] = editor.getSemanticDiagnostics(file)
  if (fault) throw new Error(ts.flattenDiagnosticMessageText(fault.messageText, '\n'))
  const text = editor.getProgram()?.getSourceFile(file)?.text ?? ''
  const names = [...text.matchAll(/\b(\w+):/g)].map(({ 1: name, index }) => [
    name as string,
    ts.displayPartsToString(editor.getQuickInfoAtPosition(file, index)?.documentation),
  ])
  return Object.fromEntries(names)
}

/** Types of the language and of Node: what their fields mean is said there. */
const FOREIGN = /\/node_modules\/|\/lib\.[^/]*\.d\.ts$/

/**
 * The fields of parameters of public functions and methods, and of the parameters of callbacks, on
 * which an editor shows nothing: `Songs.search(query).minTempo`.
 *
 * @param entry - the file that `audile` is imported from, in the program
 * @returns the fields that were looked at, and those without documentation
 */
export function undocumentedParameters(program: ts.Program, entry: string) {
  const checker = program.getTypeChecker()
  const file = program.getSourceFile(entry)
  const module = file && checker.getSymbolAtLocation(file)
  if (!module) throw new Error(`There is no ${entry}.`)
  const bare = new Set<string>()
  let fields = 0

  const isForeign = (symbol: ts.Symbol | undefined) =>
    symbol?.declarations?.some((one) => FOREIGN.test(one.getSourceFile().fileName)) ?? false

  function visitCalls(type: ts.Type, path: string, seen: Set<ts.Type>): void {
    for (const { parameters } of type.getCallSignatures()) {
      for (const one of parameters) {
        visit(checker.getTypeOfSymbol(one), `${path}(${one.name})`, seen)
      }
    }
  }

  function visit(type: ts.Type, path: string, seen: Set<ts.Type>): void {
    if (seen.has(type)) return
    seen.add(type)
    if (type.isUnion()) for (const one of type.types) visit(one, path, seen)
    if ((type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) === 0) return
    // The places of a pair have no names.
    if (type.isClass() || checker.isTupleType(type)) return
    visitCalls(type, path, seen)
    // The places of a pair have no names.
    if (isForeign(type.symbol) || checker.isTupleType(type)) {
      const inner = checker.getTypeArguments(type as ts.TypeReference) ?? []
      for (const one of inner) visit(one, path, seen)
      return
    }
    for (const field of type.getProperties()) {
      const value = checker.getTypeOfSymbol(field)
      // A field that must be absent beside others has nothing to say.
      if (isForeign(field) || (value.flags & ts.TypeFlags.Undefined) !== 0) continue
      fields++
      const name = `${path}.${field.name}`
      if (field.getDocumentationComment(checker).length === 0) bare.add(name)
      visit(value, name, seen)
    }
  }

  for (const exported of checker.getExportsOfModule(module)) {
    const alias = (exported.flags & ts.SymbolFlags.Alias) !== 0
    const symbol = alias ? checker.getAliasedSymbol(exported) : exported
    if ((symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Function)) === 0) continue
    const type = checker.getTypeOfSymbol(symbol)
    visitCalls(type, symbol.name, new Set())
    if ((symbol.flags & ts.SymbolFlags.Class) === 0) continue
    const owners = [type, checker.getDeclaredTypeOfSymbol(symbol)]
    for (const method of owners.flatMap((owner) => owner.getProperties())) {
      if (isForeign(method) || method.name.includes('#')) continue
      visitCalls(checker.getTypeOfSymbol(method), `${symbol.name}.${method.name}`, new Set())
    }
  }
  return { fields, bare: [...bare] }
}

/** Calls with parameters of which an editor shows {@link HOVERS}. */
export const CALLS = `
music.songs.search({ minTempo: 90 })
music.tracks.upload({ file: 'a.mp3', wait: true })
music.tracks.analyze({ md5: '' })
music.artists.search('A', { results: 5 })
music.songs.fingerprint({ file: 'a.mp3', length: 10 })
music.songs.import([{ title: 'A', artistName: 'B', year: 1965 }])
music.backup('a.db', { overwrite: true })
`

/** Pieces of the documentation that stands in the schemas of the methods. */
export const HOVERS: Readonly<Record<string, RegExp>> = {
  minTempo: /eats per minute/,
  file: /^Path of a file/,
  wait: /^Whether to answer only after the analysis/,
  md5: /32 hexadecimal digits/,
  results: /0…100. Default 15/,
  year: /not known/,
  length: /seconds. Default: to the end/,
  overwrite: /Default false/,
}
