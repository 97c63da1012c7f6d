/**
 * The last step of the build: writes the comments on the fields of schemas into the built
 * declarations. TypeScript leaves them out where a type is inferred through zod, and then an editor
 * shows none on the parameters of `songs.search` and its like. And the declarations do without types
 * that users do not have.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SRC = `${ROOT}src/`
const DIST = `${ROOT}dist/`

/** Comments on the fields of a type, by the declaration that it is part of, and the names of its fields. */
type Comments = ReadonlyMap<string, ReadonlyMap<string, string>>

const keyOf = (owner: string, fields: readonly string[]) =>
  `${owner.replace(/\$\d+$/, '')}: ${[...fields].sort().join()}`

/** The comments in the sources. */
function commentsIn(program: ts.Program): Comments {
  const checker = program.getTypeChecker()
  const found = new Map<string, Map<string, string>>()

  function visit(type: ts.Type, owner: string, seen: Set<ts.Type>): void {
    if (seen.has(type)) return
    seen.add(type)
    if (type.isUnionOrIntersection()) for (const one of type.types) visit(one, owner, seen)
    const { objectFlags } = type as ts.ObjectType
    if ((objectFlags & (ts.ObjectFlags.Anonymous | ts.ObjectFlags.Mapped)) !== 0) {
      const fields = type.getProperties()
      const comments = fields.flatMap((field): [string, string][] => {
        // A field of a mapped type that is renamed has the comment of the field that it is made of.
        const [node] = checker.getRootSymbols(field).flatMap((root) => root.declarations ?? [])
        const comment = node && ts.getJSDocCommentsAndTags(node).at(-1)?.getText()
        return comment === undefined ? [] : [[field.name, comment]]
      })
      const names = fields.map(({ name }) => name)
      if (comments.length > 0) found.set(keyOf(owner, names), new Map(comments))
      for (const field of fields) visit(checker.getTypeOfSymbol(field), owner, seen)
    }
    if ((objectFlags & ts.ObjectFlags.Reference) === 0) return
    const [first, ...others] = checker.getTypeArguments(type as ts.TypeReference)
    // A method is owned by its name, of which there is one.
    const method = type.symbol?.name === 'Method' && first?.isStringLiteral()
    const inner = method ? first.value : owner
    for (const one of [first, ...others]) if (one) visit(one, inner, seen)
  }

  for (const file of program.getSourceFiles()) {
    if (!file.fileName.startsWith(SRC)) continue
    for (const statement of file.statements.filter(ts.isVariableStatement)) {
      for (const { name } of statement.declarationList.declarations) {
        if (ts.isIdentifier(name)) visit(checker.getTypeAtLocation(name), name.text, new Set())
      }
    }
  }
  return found
}

/** A declaration file with the comments. */
function commented(text: string, comments: Comments): string {
  const file = ts.createSourceFile('x.d.ts', text, ts.ScriptTarget.Latest, true)
  const additions: { at: number; comment: string }[] = []

  function visit(node: ts.Node, owner: string): void {
    let inner = owner
    if (ts.isVariableDeclaration(node)) inner = node.name.getText()
    if (ts.isTypeReferenceNode(node)) {
      const [first] = node.typeArguments ?? []
      if (node.typeName.getText() === 'Method' && first && ts.isLiteralTypeNode(first)) {
        inner = first.getText().slice(1, -1)
      }
    }
    if (inner !== '' && ts.isTypeLiteralNode(node)) add(node, inner)
    ts.forEachChild(node, (child) => visit(child, inner))
  }

  function add({ members }: ts.TypeLiteralNode, owner: string): void {
    const names = members.map((member) => member.name?.getText() ?? '')
    // What else an object may have is a member without a name.
    const named = names.filter((name) => name !== '')
    const known = comments.get(keyOf(owner, named))
    for (const [i, member] of members.entries()) {
      const comment = known?.get(names[i] as string)
      if (comment === undefined || ts.getJSDocCommentsAndTags(member).length > 0) continue
      const at = member.getStart()
      const indent = ' '.repeat(file.getLineAndCharacterOfPosition(at).character)
      additions.push({ at, comment: `${comment.replace(/\n\s*/g, `\n${indent} `)}\n${indent}` })
    }
  }

  visit(file, '')
  let result = text
  for (const { at, comment } of additions.sort((a, b) => b.at - a.at)) {
    result = result.slice(0, at) + comment + result.slice(at)
  }
  return result
}

/**
 * Declarations that name the types of better-sqlite3, which has none of its own, by stand-ins: only
 * internal classes have them.
 */
function withoutSqlite(text: string): string {
  const used = [...text.matchAll(/\bbetter_sqlite3\.(\w+)/g)].map(([, name = '']) => name)
  const types = [...new Set(used)].map((name) => `    type ${name} = object;\n`)
  const standIns = types.length > 0 ? `declare namespace better_sqlite3 {\n${types.join('')}}` : ''
  return text
    .replace(/^import \* as better_sqlite3 from 'better-sqlite3';/m, standIns)
    .replace(/^import 'better-sqlite3';\n/m, '')
    .replace(/^import \{ ([\w, ]+) \} from 'better-sqlite3';/m, (_, names: string) =>
      names
        .split(', ')
        .map((name) => `type ${name} = object;`)
        .join('\n'),
    )
}

const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile)
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT)
const comments = commentsIn(ts.createProgram([`${SRC}index.ts`, `${SRC}import-entry.ts`], options))
for (const name of readdirSync(DIST).filter((name) => /\.d\.c?ts$/.test(name))) {
  const text = readFileSync(DIST + name, 'utf8')
  const result = withoutSqlite(commented(text, comments))
  if (result !== text) writeFileSync(DIST + name, result)
}
