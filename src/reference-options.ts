import { resolve } from 'node:path'
import { z } from 'zod'
import { invalidParameter } from './errors.ts'
import { absolutePath } from './file-path.ts'
import { nonEmpty } from './parameter-types.ts'

/** A reference that another process serves. */
export interface ServedReferenceOptions {
  /** Its address: `unix:/path`, `ws://host:port/path` or `wss://host/path`. */
  engine: `unix:${string}` | `ws://${string}` | `wss://${string}`
  /** The API key, which must be one of its database. Default `local`. */
  apiKey?: string | undefined
}

/** A reference as it is named, and the file or the served engine that it is. */
export type ReferenceConfig = ReferenceFile | ServedReferenceConfig

export interface ReferenceFile {
  name: string
  path: string
}

export interface ServedReferenceConfig {
  /** Its address. */
  name: string
  apiKey: string
}

/** The key that every database has. */
export const LOCAL_KEY = 'local'

/** Whether a value is the address of an engine that another process serves. */
export function isEngineAddress(address: unknown): boolean {
  if (typeof address !== 'string') return false
  return /^unix:./.test(address) || (/^wss?:\/\/./.test(address) && URL.canParse(address))
}

/** The option `references`. */
export const referenceList = z.array(
  z.union([
    nonEmpty,
    z.strictObject({
      engine: z.custom<ServedReferenceOptions['engine']>(isEngineAddress),
      apiKey: nonEmpty.optional(),
    }),
  ]),
)

/**
 * The references, and where they are.
 *
 * @throws {ParameterError} when a file or an address is named twice, or an address is none
 */
export function referencesOf(
  given: z.output<typeof referenceList>,
  database: string,
): ReferenceConfig[] {
  const seen = new Set([resolve(database)])
  return given.map((one) => {
    const reference = referenceOf(one)
    const place = 'path' in reference ? reference.path : reference.name
    if (seen.has(place)) {
      throw invalidParameter(
        'references',
        `"${reference.name}" is named twice, or is the database itself`,
      )
    }
    seen.add(place)
    return reference
  })
}

function referenceOf(given: string | ServedReferenceOptions): ReferenceConfig {
  if (typeof given !== 'string') return { name: given.engine, apiKey: given.apiKey ?? LOCAL_KEY }
  if (isEngineAddress(given)) return { name: given, apiKey: LOCAL_KEY }
  if (!/^(?:unix:|wss?:)/.test(given)) {
    return { name: given, path: absolutePath(given, 'references') }
  }
  throw invalidParameter(
    'references',
    `"${given}" is no address of an engine; give unix:/path, ws://host:port/path or wss://host/path`,
  )
}
