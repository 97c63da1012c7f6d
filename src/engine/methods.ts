import type { z } from 'zod'
import type { Method } from '../kernel/method.ts'
import { suggestName } from '../options/validate.ts'
import { ParameterError } from '../values/errors.ts'
import type { EngineRoom } from './describe.ts'
import * as list from './method-list.ts'
import type { Rooms } from './rooms.ts'

type DeclaredMethod = (typeof list)[keyof typeof list]

/** The type of every method by its name. */
export type Methods = { [M in DeclaredMethod as M['name']]: M }

/** The names of the engine's methods. */
export type MethodName = keyof Methods
/** The parameters of a method. */
export type Params<M extends MethodName> = z.input<Methods[M]['parameters']>
/** The answer of a method. */
export type Result<M extends MethodName> = Awaited<ReturnType<Methods[M]['run']>>

/** Its name is known only at run time. */
export type AnyMethod = Method<MethodName, z.ZodType, unknown>

/** For names known only at run time. */
export const METHODS_BY_NAME: ReadonlyMap<string, AnyMethod> = new Map(
  Object.values(list).map((method) => [method.name, method as AnyMethod]),
)

/** @throws {ParameterError} on an unknown name; the message suggests the nearest one */
export function methodOf(name: string): AnyMethod {
  const method = METHODS_BY_NAME.get(name)
  if (method) return method
  throw new ParameterError(
    'invalid_parameter',
    `There is no method "${name}"${suggestName(name, [...METHODS_BY_NAME.keys()], '.')}`,
  )
}

const engine: EngineRoom = { name: 'engine', methods: [...METHODS_BY_NAME.values()] }

export function roomOf(rooms: Rooms, { name }: AnyMethod): Rooms[keyof Rooms] | EngineRoom {
  return { ...rooms, engine }[name.split('/')[0] as keyof Rooms | 'engine']
}
