import { resolve } from 'node:path'
import { z } from 'zod'
import {
  ADDRESSES,
  type EngineAddress,
  engineAddress,
  isEngineAddress,
  LOCAL_KEY,
  type TlsOptions,
} from './engine-address.ts'
import { invalidParameter } from './errors.ts'
import { absolutePath } from './file-path.ts'
import { nonEmpty } from './parameter-types.ts'

/** A reference that another process serves. */
export interface ServedReferenceOptions {
  /** Its address: `unix:/path`, `ws://host:port/path` or `wss://host/path`. */
  engine: EngineAddress
  /** The API key, which must be one of its database. Default `local`. */
  apiKey?: string | undefined
  /** For `wss:`. Default: the authorities that Node trusts, and those in `NODE_EXTRA_CA_CERTS`. */
  tls?: TlsOptions | undefined
}

/** A reference as it is named, and the file or the served engine that it is. */
export type ReferenceConfig = ReferenceFile | ServedReferenceConfig

export interface ReferenceFile {
  name: string
  path: string
}

export interface ServedReferenceConfig {
  /** Its address. */
  name: EngineAddress
  apiKey: string
  tls: TlsOptions
}

/** The option `references`. */
export const referenceList = z.array(
  z.union([
    nonEmpty,
    z.strictObject(engineAddress satisfies Record<keyof ServedReferenceOptions, z.ZodType>),
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
  if (typeof given !== 'string') return served(given)
  if (isEngineAddress(given)) return served({ engine: given })
  if (!/^(?:unix:|wss?:)/.test(given)) {
    return { name: given, path: absolutePath(given, 'references') }
  }
  throw invalidParameter('references', `"${given}" is no address of an engine; give ${ADDRESSES}`)
}

function served({ engine, apiKey, tls }: ServedReferenceOptions): ServedReferenceConfig {
  return { name: engine, apiKey: apiKey ?? LOCAL_KEY, tls: tls ?? {} }
}
