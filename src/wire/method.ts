import type { Audile } from '../audile.ts'
import type { AddressGuard } from './address-guard.ts'
import type { Bytes } from './buffered-bytes.ts'
import type { FileParameter } from './form.ts'
import type { WireConfig } from './options.ts'
import type { Kinds } from './parameters.ts'
import type { Format } from './render.ts'
import type { XmlStyle } from './xml.ts'

/** What a method is called with. */
export interface WireCall {
  /** The music, on behalf of the caller's key. */
  music: Audile
  /** The method's own parameters, by the engine's names. */
  params: Record<string, unknown>
  /** The bytes of its file parameter. */
  file: Bytes | undefined
  /** Whether there came a file without a single byte. */
  emptyFile: boolean
  config: WireConfig
  guard: AddressGuard
  signal: AbortSignal
}

/** A method of the specification, as the wire serves it. */
export interface WireMethod {
  verbs: readonly ('GET' | 'POST')[]
  formats: readonly Format['name'][]
  style: XmlStyle
  /** Beside those that all methods take. */
  kinds: Kinds
  /** Parameters that there must be. */
  required?: readonly string[]
  fileParameter?: FileParameter
  /** The data that stands beside `status`, still in the engine's names. */
  run(call: WireCall): Promise<Record<string, unknown>>
}
