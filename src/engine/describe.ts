import { z } from 'zod'
import { type Method, method, type Room, type Verb } from '../kernel/method.ts'

/** A method as HTTP requests may call it. */
export interface MethodDescription {
  /** `<room>/<method>` */
  name: string
  /** How it is called. */
  verbs: readonly Verb[]
  /** The JSON Schema of each parameter that a request may give. */
  properties: Record<string, z.core.JSONSchema._JSONSchema>
  /** The parameters that it must give. */
  required: readonly string[]
}

/** It has the methods of all rooms. */
export interface EngineRoom extends Room<'engine'> {
  methods: readonly Method<string, z.ZodType, unknown>[]
}

/** `engine/describe` (ours): the methods that have HTTP verbs, as plain data. */
export const describeEngine = method({
  name: 'engine/describe',
  parameters: z.strictObject({}),
  run({ methods }: EngineRoom): MethodDescription[] {
    return methods.filter(({ verbs }) => verbs.length > 0).map(descriptionOf)
  },
})

function descriptionOf({
  name,
  verbs,
  local,
  parameters,
}: EngineRoom['methods'][number]): MethodDescription {
  const { properties = {}, required = [] } = z.toJSONSchema(parameters, {
    io: 'input',
    unrepresentable: 'any',
  })
  const httpProperties = Object.entries(properties).filter(
    ([parameter]) => !local.includes(parameter),
  )
  return { name, verbs, properties: Object.fromEntries(httpProperties), required }
}
