import type { z } from 'zod'
import { ParameterError } from '../errors.ts'
import type { Method } from '../kernel/method.ts'
import { suggestion } from '../validate.ts'
import * as list from './method-list.ts'
import type { Rooms } from './rooms.ts'

type Declared = (typeof list)[keyof typeof list]

/** Every method by its name. */
export type Methods = { [M in Declared as M['name']]: M }

/** The names of the engine's methods. */
export type MethodName = keyof Methods
/** What a method takes. */
export type Params<M extends MethodName> = z.input<Methods[M]['parameters']>
/** What a method answers. */
export type Result<M extends MethodName> = Awaited<ReturnType<Methods[M]['run']>>

/** A method whose types are known only by its name, which is known only at run time. */
export type AnyMethod = Method<MethodName, z.ZodType, unknown>

/** Every method by its name, as it is known at run time. */
export const METHODS: ReadonlyMap<string, AnyMethod> = new Map(
  Object.values(list).map((method) => [method.name, method as AnyMethod]),
)

/** @throws {ParameterError} on a name that no method has, naming the likely one */
export function methodOf(name: string): AnyMethod {
  const method = METHODS.get(name)
  if (method) return method
  throw new ParameterError(
    'invalid_parameter',
    `There is no method "${name}"${suggestion(name, [...METHODS.keys()], '.')}`,
  )
}

/** The room of a method. */
export function roomOf(rooms: Rooms, { name }: AnyMethod): Rooms[keyof Rooms] {
  return rooms[name.split('/')[0] as keyof Rooms]
}
