import { join } from 'node:path'
import ts from 'typescript'
import { z } from 'zod'
import { METHODS_BY_NAME } from '../../../src/engine/methods.ts'

/** A JSON schema, as far as a table says it. */
interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema | boolean
  prefixItems?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  default?: unknown
}

/** The page of all methods: a table of parameters each, from their schemas and docstrings. */
export function parametersPage(root: string): string {
  const docs = docsOf(join(root, 'src/engine/method-list.ts'))
  const parts = [...METHODS_BY_NAME.values()]
    .filter(({ name }) => !/^(?:engine|scan|shard)|\/shard-/.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, parameters }) => {
      const schema = z.toJSONSchema(parameters, { io: 'input', unrepresentable: 'any' }) as Schema
      const rows = Object.entries(schema.properties ?? {}).map(([field, one]) => {
        const optional = schema.required?.includes(field) ? 'required' : defaultOf(one)
        const doc = docs.get(`${name}.${field}`) ?? ''
        return `| \`${field}\` | ${cell(typeOf(one))} | ${optional} | ${cell(doc)} |`
      })
      const table =
        rows.length === 0
          ? 'No parameters.'
          : `| parameter | type | default | meaning |\n|---|---|---|---|\n${rows.join('\n')}`
      return `## ${name}\n\n${table}`
    })
  return `# Methods and parameters

Every method of the engine, as \`music.call(name, parameters)\` takes it. The classes have the same parameters.

${parts.join('\n\n')}
`
}

function cell(text: string): string {
  return text
    .replaceAll(/\{@link (\w+)[^}]*\}/g, '`$1`')
    .replaceAll('|', '\\|')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<(?=\w|\/)/g, '&lt;')
    .replaceAll('{{', '&#123;&#123;')
}

function defaultOf({ default: value }: Schema): string {
  return value === undefined ? '–' : `\`${JSON.stringify(value)}\``
}

function typeOf(schema: Schema): string {
  const { type, enum: values, anyOf, items, prefixItems, properties } = schema
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' or ')
  if (values)
    return values.length > 12 ? `one of ${values.length} texts` : values.map(literal).join(', ')
  if (schema.const !== undefined) return literal(schema.const)
  if (prefixItems) return `[${prefixItems.map(typeOf).join(', ')}]`
  if (type === 'array') return `list of ${typeof items === 'object' ? typeOf(items) : 'values'}`
  if (properties) return `{ ${Object.keys(properties).join(', ')} }`
  const name = [type ?? 'any'].flat().map((one) => WORDS[one] ?? one)
  return `${name.join(' or ')}${rangeOf(schema)}`
}

const WORDS: Readonly<Record<string, string>> = { string: 'text', integer: 'whole number' }

function literal(value: unknown): string {
  return `\`${JSON.stringify(value)}\``
}

function rangeOf({ minimum, maximum, maxLength }: Schema): string {
  const isBound = (value: number | undefined) =>
    value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER
  if (isBound(minimum) && isBound(maximum)) return `, ${minimum} to ${maximum}`
  if (isBound(minimum)) return `, at least ${minimum}`
  if (isBound(maximum)) return `, at most ${maximum}`
  return maxLength === undefined ? '' : `, at most ${maxLength} characters`
}

/** The docstrings of parameters, by `method.field`, from where each is declared. */
function docsOf(list: string): Map<string, string> {
  const program = ts.createProgram([list], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    types: ['node'],
  })
  const checker = program.getTypeChecker()
  const typeOf = (type: ts.Type, name: string) =>
    checker.getTypeOfSymbol(type.getProperty(name) as ts.Symbol)
  const module = checker.getSymbolAtLocation(program.getSourceFile(list) as ts.SourceFile)
  const docs = new Map<string, string>()
  for (const exported of checker.getExportsOfModule(module as ts.Symbol)) {
    const method = checker.getTypeOfSymbol(checker.getAliasedSymbol(exported))
    const { value: name } = typeOf(method, 'name') as ts.StringLiteralType
    for (const field of typeOf(typeOf(method, 'parameters'), 'shape').getProperties()) {
      const doc = ts.displayPartsToString(field.getDocumentationComment(checker))
      docs.set(`${name}.${field.name}`, doc)
    }
  }
  return docs
}
