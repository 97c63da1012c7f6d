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

/** Its name, and its file or served engine. */
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

/** @throws {ParameterError} when a file or an address is given twice, or an address is invalid */
export function parseReferences(
  references: z.output<typeof referenceList>,
  database: string,
): ReferenceConfig[] {
  const seenPlaces = new Set([resolve(database)])
  return references.map((option) => {
    const reference = parseReference(option)
    const places = 'path' in reference ? [reference.path] : reference.engines
    for (const place of places) {
      if (seenPlaces.has(place)) {
        const name = 'path' in reference ? reference.name : place
        const message = `"${name}" is named twice, or is the database itself`
        throw invalidParameter('references', message)
      }
      seenPlaces.add(place)
    }
    return reference
  })
}

function parseReference(option: z.output<typeof referenceList>[number]): ReferenceConfig {
  if (typeof option !== 'string') return servedConfig(option)
  if (isEngineAddress(option)) return servedConfig(servedReference.parse({ engine: option }))
  if (!/^(?:unix:|wss?:)/.test(option)) {
    return { name: option, path: absolutePath(option, 'references') }
  }
  throw invalidParameter('references', `"${option}" is no address of an engine; give ${ADDRESSES}`)
}

function servedConfig({
  engine,
  ...others
}: z.output<typeof servedReference>): ServedReferenceConfig {
  const engines = [engine].flat()
  return { name: engines[0]!, engines, ...others }
}
