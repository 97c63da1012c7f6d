import type { Audile } from '../host/audile.ts'
import type { MethodName, Params, Result } from '../host/door.ts'
import type { Bytes } from './buffered-bytes.ts'
import type { FileParameter } from './form.ts'
import type { AddressGuard } from './guarded-download.ts'
import type { WireConfig } from './options.ts'
import type { Kinds } from './parameters.ts'
import type { Format } from './render.ts'
import type { XmlStyle } from './xml.ts'

export interface WireCall<M extends MethodName = MethodName> {
  /** The open database, with the caller's key. */
  music: Audile
  /** The method's own parameters, converted by kind. The engine checks their values. */
  params: Params<M>
  file: Bytes | undefined
  emptyFile: boolean
  config: WireConfig
  guard: AddressGuard
  signal: AbortSignal
}

/** What the wire adds to a method that the engine declares. */
export interface WireMethod<M extends MethodName = MethodName> {
  formats: readonly Format['name'][]
  style: XmlStyle
  fileParameter?: FileParameter
  /** Types of parameters that the wire reads differently from the engine's declaration. */
  kinds?: Kinds
  ask(call: WireCall<M>): Promise<Result<M>>
  /** The members of the answer after `status`, in the order of the old service. */
  data(answer: Result<M>): object
}

/** What the wire adds to each method, beyond what it adds to the method's room. */
export type WireMethods = { readonly [M in MethodName]?: Partial<WireMethod<M>> }

/** Calls a method of the engine, which checks the parameters. */
export function ask<M extends MethodName>(
  method: M,
  { music, signal }: Pick<WireCall, 'music' | 'signal'>,
  params: object,
): Promise<Result<M>> {
  return music.call(method, params as Params<M>, { signal })
}
