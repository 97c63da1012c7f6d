import { resolve } from 'node:path'
import { z } from 'zod'
import { invalidParameter } from '../values/errors.ts'
import { absolutePath } from '../values/file-path.ts'
import {
  ADDRESSES,
  type EngineAddress,
  engineAddress,
  isEngineAddress,
  type TlsOptions,
} from './engine-address.ts'
import { nonEmpty, oneOrMany } from './parameter-types.ts'

/** A reference that another process serves. */
export interface ServedReferenceOptions {
  /**
   * Its address: `unix:/path`, `ws://host:port/path` or `wss://host/path`; or a list, for copies of
   * one database: if one is unreachable, the next is used. The first names the reference.
   */
  engine: EngineAddress | readonly EngineAddress[]
  /** A key of that database. Default `local`. */
  apiKey?: string | undefined
  /** For `wss:`. Default: the authorities that Node trusts, and those in `NODE_EXTRA_CA_CERTS`. */
  tls?: TlsOptions | undefined
  /**
   * Whether the database is opened without the reference if it is unreachable; that is logged. Each
   * call tries it again. Default false.
   */
  partial?: boolean | undefined
}

/** A reference: its name, and its file or served engine. */
export type ReferenceConfig = ReferenceFile | ServedReferenceConfig

export interface ReferenceFile {
  name: string
  path: string
}

export interface ServedReferenceConfig {
  /** The first address. */
  name: EngineAddress
  engines: readonly EngineAddress[]
  apiKey: string
  tls: TlsOptions
  partial: boolean
}

const servedReference = z.strictObject({
  ...engineAddress,
  engine: oneOrMany(engineAddress.engine).refine((given) => given.length > 0),
  partial: z.boolean().default(false),
} satisfies Record<keyof ServedReferenceOptions, z.ZodType>)

export const referenceList = z.array(z.union([nonEmpty, servedReference]))

/**
 * Resolves the option `references`.
 *
 * @throws {ParameterError} when a file or an address is given twice, or an address is invalid
 */
export function referencesOf(
  given: z.output<typeof referenceList>,
  database: string,
): ReferenceConfig[] {
  const seen = new Set([resolve(database)])
  return given.map((one) => {
    const reference = referenceOf(one)
    const places = 'path' in reference ? [reference.path] : reference.engines
    for (const place of places) {
      if (seen.has(place)) {
        const name = 'path' in reference ? reference.name : place
        const message = `"${name}" is named twice, or is the database itself`
        throw invalidParameter('references', message)
      }
      seen.add(place)
    }
    return reference
  })
}

function referenceOf(given: z.output<typeof referenceList>[number]): ReferenceConfig {
  if (typeof given !== 'string') return served(given)
  if (isEngineAddress(given)) return served(servedReference.parse({ engine: given }))
  if (!/^(?:unix:|wss?:)/.test(given)) {
    return { name: given, path: absolutePath(given, 'references') }
  }
  throw invalidParameter('references', `"${given}" is no address of an engine; give ${ADDRESSES}`)
}

function served({ engine, ...others }: z.output<typeof servedReference>): ServedReferenceConfig {
  const engines = [engine].flat()
  return { name: engines[0]!, engines, ...others }
}
