import type { z } from 'zod'

/** The key on whose behalf a call is made. */
export interface Caller {
  id: string
  commercial: boolean
}

/** What every method is given besides its parameters. */
export interface Call {
  caller: Caller
  /** Aborts the waiting; never the work that was already accepted. */
  signal: AbortSignal
}

/** The HTTP verbs of the specification. */
export type Verb = 'GET' | 'POST'

/** A method of the engine: its file declares it, and everything else is derived from that. */
export interface Method<Name extends string, Parameters extends z.ZodType, Result> {
  /** `<room>/<what it does>`, as the specification names it where it does. */
  readonly name: Name
  /** How it is asked for over HTTP. Without verbs it is the library's own, and not on the wire. */
  readonly verbs: readonly Verb[]
  /** Checks the parameters; each field's documentation, unit and range stand there and only there. */
  readonly parameters: Parameters
  /** @param room - the room of the method's name */
  run(room: unknown, params: z.output<Parameters>, call: Call): Result
}

/** A room of the engine, by whose name those of its methods begin. */
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
  parameters: Parameters
  run(room: In, params: z.output<Parameters>, call: Call): Result
}): Method<Name, Parameters, Result> {
  const { name, verbs = [], parameters, run } = declared
  return { name, verbs, parameters, run: (room, params, call) => run(room as In, params, call) }
}
