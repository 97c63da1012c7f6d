import { z } from 'zod'
import { nonEmpty } from './parameter-types.ts'

/** The address of an engine that another process serves. */
export type EngineAddress = `unix:${string}` | `ws://${string}` | `wss://${string}`

/** PEM as in `node:tls`: text, bytes (such as a `Buffer`), or a list of them. */
export type Pem = string | Uint8Array | readonly (string | Uint8Array)[]

/** The certificates with which a client and an engine's server identify each other. */
export interface TlsOptions {
  /** Trusted authorities, in place of Node's, or the certificate of the server itself. */
  ca?: Pem | undefined
  /** The certificate of this client, for a server that asks for one. */
  cert?: Pem | undefined
  /** The private key of that certificate. */
  key?: Pem | undefined
}

/** The key that every database has. */
export const LOCAL_KEY = 'local'

export const ADDRESSES = 'unix:/path, ws://host:port/path or wss://host/path'

export function isEngineAddress(address: unknown): address is EngineAddress {
  if (typeof address !== 'string') return false
  // Requests have no fragments.
  return /^unix:./.test(address) || (/^wss?:\/\/[^#]+$/.test(address) && URL.canParse(address))
}

const pemText = nonEmpty.or(z.instanceof(Uint8Array))
const pemSchema = z
  .union([pemText, z.array(pemText).min(1)], 'must be PEM: text, a Buffer, or a list')
  .optional()

export const engineAddress = {
  engine: z.custom<EngineAddress>(isEngineAddress, `must be ${ADDRESSES}`),
  apiKey: nonEmpty.regex(/^\P{Surrogate}+$/u, 'is no text in Unicode').default(LOCAL_KEY),
  tls: z.strictObject({ ca: pemSchema, cert: pemSchema, key: pemSchema }).default({}),
}
