import type { z } from 'zod'

export interface Caller {
  id: string
  commercial: boolean
}

/** What a method gets besides its parameters. */
export interface Call {
  caller: Caller
  /** Aborts waiting, never work that was accepted. */
  signal: AbortSignal
}

/** The HTTP verbs of the specification. */
export type Verb = 'GET' | 'POST'

/** A method of the engine. The method table, the types and the HTTP API derive from it. */
export interface Method<Name extends string, Parameters extends z.ZodType, Result> {
  /** `<room>/<file>`; the name in the specification, if it has the method. */
  readonly name: Name
  /** The verbs of HTTP requests that call it. Without verbs, no HTTP request can. */
  readonly verbs: readonly Verb[]
  /** Parameters that HTTP requests cannot give: paths, numbers of streams, our own. */
  readonly local: readonly string[]
  /** The documentation, unit and range of each field are only there. */
  readonly parameters: Parameters
  /** @param room - the room that the name begins with */
  run(room: unknown, params: z.output<Parameters>, call: Call): Result
}

/** A room of the engine; the names of its methods begin with its name. */
export interface Room<Name extends string> {
  readonly name: Name
}

type RoomOf<Name extends string> = Name extends `${infer Prefix}/${string}` ? Room<Prefix> : never

/** Declares a method of the room that its name begins with. */
export function method<
  const Name extends string,
  Parameters extends z.ZodType,
  In extends RoomOf<Name>,
  Result,
>(declared: {
  name: Name
  verbs?: readonly Verb[]
  local?: readonly (keyof z.input<Parameters> & string)[]
  parameters: Parameters
  run(room: In, params: z.output<Parameters>, call: Call): Result
}): Method<Name, Parameters, Result> {
  const { name, verbs = [], local = [], parameters, run } = declared
  return {
    name,
    verbs,
    local,
    parameters,
    run: (room, params, call) => run(room as In, params, call),
  }
}
