import type { Audile } from '../host/audile.ts'
import type { MethodName, Params, Result } from '../host/door.ts'
import type { Bytes } from './buffered-bytes.ts'
import type { FileParameter } from './form.ts'
import type { AddressGuard } from './guarded-download.ts'
import type { WireConfig } from './options.ts'
import type { ParameterKinds } from './parameters.ts'
import type { WireFormat } from './render.ts'
import type { XmlStyle } from './xml.ts'

export interface WireCall<M extends MethodName = MethodName> {
  music: Audile
  /** Converted by kind; the engine checks the values. */
  params: Params<M>
  file: Bytes | undefined
  emptyFile: boolean
  config: WireConfig
  guard: AddressGuard
  signal: AbortSignal
}

/** What the wire adds to a method that the engine declares. */
export interface WireMethod<M extends MethodName = MethodName> {
  formats: readonly WireFormat['name'][]
  style: XmlStyle
  fileParameter?: FileParameter
  /** Parameters that the wire reads differently from the engine's declaration. */
  kinds?: ParameterKinds
  call(call: WireCall<M>): Promise<Result<M>>
  /** The members of the answer after `status`, in the order of the old service. */
  toMembers(answer: Result<M>): object
}

export type WireMethods = { readonly [M in MethodName]?: Partial<WireMethod<M>> }

/** The engine checks the parameters. */
export function callEngine<M extends MethodName>(
  method: M,
  { music, signal }: Pick<WireCall, 'music' | 'signal'>,
  params: object,
): Promise<Result<M>> {
  return music.call(method, params as Params<M>, { signal })
}
