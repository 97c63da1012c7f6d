import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * What an editor shows on the members of objects in a code, by name.
 *
 * @param entry - the file that `audile` is imported from
 */
export function hoversOf(entry: string, code: string): Record<string, string> {
  const file = `${ROOT}hover.ts`
  const text = `import type { Audile } from 'audile'\ndeclare const music: Audile\n${code}`
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    paths: { audile: [`${ROOT}${entry}`] },
  }
  const read = (name: string) => (name === file ? text : ts.sys.readFile(name))
  const service = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const content = read(name)
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content)
    },
    getCurrentDirectory: () => ROOT,
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => read(name) !== undefined,
    readFile: read,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  })
  const [fault] = service.getSemanticDiagnostics(file)
  if (fault) throw new Error(ts.flattenDiagnosticMessageText(fault.messageText, '\n'))
  const start = text.length - code.length
  const names = [...code.matchAll(/\b(\w+):/g)].map(({ 1: name, index }) => [
    name as string,
    ts.displayPartsToString(service.getQuickInfoAtPosition(file, start + index)?.documentation),
  ])
  return Object.fromEntries(names)
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
  wait: /^Whether to answer when the analysis is done/,
  md5: /32 hexadecimal digits/,
  results: /0…100. Default 15/,
  year: /not known/,
  length: /seconds. Default: to the end/,
  overwrite: /Default false/,
}
