import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { check } from 'recheck'
import ts from 'typescript'

// Part of `npm run lint`: fails when a regular expression of src takes more than linear time on some
// text, and names that text. Those of `new RegExp` are taken as they are when their module is loaded,
// so they must be made there, from constants, and not in a function.

const SRC = fileURLToPath(new URL('../../src/', import.meta.url))

/** Milliseconds after which one expression is given up; most take a few. */
const TIMEOUT = 60_000

/**
 * Expressions that are not linear, or not known to be, by their text, and why they may stay. None is
 * needed as long as this is empty.
 */
const EXCEPTIONS: Readonly<Record<string, string>> = {}

/**
 * A text of the checker's (some 100,000 characters) takes a few milliseconds where the time is linear,
 * and seconds where it is not.
 */
const LINEAR = 300

interface Found {
  /** The file and line. */
  where: string
  source: string
  flags: string
}

const faults: string[] = []

/** The expressions of a file, and whether it makes some of others. */
function literalsOf(name: string): { literals: Found[]; makes: boolean } {
  const file = ts.createSourceFile(
    name,
    readFileSync(join(SRC, name), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  )
  const literals: Found[] = []
  let makes = false
  const visit = (node: ts.Node, inFunction: boolean): void => {
    const where = `src/${name}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      literals.push({ where, source: node.text.slice(1, end), flags: node.text.slice(end + 1) })
    }
    const isMade = ts.isNewExpression(node) || ts.isCallExpression(node)
    if (isMade && ts.isIdentifier(node.expression) && node.expression.text === 'RegExp') {
      makes = true
      if (inFunction) faults.push(`${where} makes an expression in a function: make it beside it`)
    }
    const enters = ts.isFunctionLike(node) && !isCallback(node)
    ts.forEachChild(node, (child) => visit(child, inFunction || enters))
  }
  visit(file, false)
  return { literals, makes }
}

/** Whether a function is given to a call, as that of `map` is: then it runs with what is around it. */
function isCallback(node: ts.Node): boolean {
  return ts.isArrowFunction(node) && ts.isCallExpression(node.parent)
}

/** The expressions that modules make as they are loaded. */
async function madeBy(names: readonly string[]): Promise<Found[]> {
  const made: Found[] = []
  const Native = globalThis.RegExp
  let loading = ''
  globalThis.RegExp = new Proxy(Native, {
    construct(target, [source, flags]: [string | RegExp, string?]) {
      const expression = new target(source, flags)
      made.push({ where: `src/${loading}`, source: expression.source, flags: expression.flags })
      return expression
    },
  })
  try {
    for (const name of names) {
      loading = name
      await import(pathToFileURL(join(SRC, name)).href)
    }
  } finally {
    globalThis.RegExp = Native
  }
  return made
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.replaceAll('\\', '/'))
  .sort()
const read = files.map((name) => ({ name, ...literalsOf(name) }))
const making = read.filter(({ makes }) => makes).map(({ name }) => name)
const all = [...read.flatMap(({ literals }) => literals), ...(await madeBy(making))]
const places = new Map<string, Found>()
for (const found of all) {
  const text = `/${found.source}/${found.flags}`
  const before = places.get(text)
  const where = before === undefined ? found.where : `${before.where}, ${found.where}`
  places.set(text, { ...found, where })
}

/** The time of the processor that it takes to find all matches. */
function milliseconds(source: string, flags: string, text: string): number {
  const expression = new RegExp(source, flags.includes('g') ? flags : `${flags}g`)
  const before = process.cpuUsage()
  text.replace(expression, '')
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

async function judge([text, { where, source, flags }]: [string, Found]): Promise<void> {
  if (Object.hasOwn(EXCEPTIONS, text)) return
  const found = await check(source, flags, { timeout: TIMEOUT })
  if (found.status === 'safe') return
  // What was found by trying is timed, so on a busy machine it may be wrong.
  const tried = found.status === 'vulnerable' && found.checker === 'fuzz'
  if (tried && milliseconds(source, flags, found.attack.string) < LINEAR) return
  const why =
    found.status === 'vulnerable'
      ? `takes ${found.complexity.summary} time, as on ${found.attack.pattern.slice(0, 200)}`
      : `could not be judged (${found.error.kind})`
  faults.push(`${where} ${text} ${why}`)
}

const waiting = places.entries()
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (const one of waiting) await judge(one)
  }),
)
for (const text of Object.keys(EXCEPTIONS)) {
  if (!places.has(text)) faults.push(`the exception ${text} is not in src any more`)
}

for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
else console.log(`Checked ${places.size} regular expressions of src: each takes linear time.`)
