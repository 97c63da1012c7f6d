import type { z } from 'zod'

/** The key of a call. */
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

/** A method of the engine. Its file declares it; the table, the types and the wire derive from that. */
export interface Method<Name extends string, Parameters extends z.ZodType, Result> {
  /** `<room>/<file>`, as the specification names it where it does. */
  readonly name: Name
  /** How HTTP requests call it. Without verbs it is not on the wire. */
  readonly verbs: readonly Verb[]
  /** Parameters that HTTP requests cannot give: paths on this machine, numbers of streams, our own. */
  readonly local: readonly string[]
  /** Checks the parameters. The documentation, unit and range of each field stand there only. */
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
    ...{ name, verbs, local, parameters },
    run: (room, params, call) => run(room as In, params, call),
  }
}
