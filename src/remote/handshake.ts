import { z } from 'zod'

/** Of a request: the session that a client resumes. */
export const SESSION_HEADER = 'audile-session'
/** Of a request: the number of the last frame that the client received. */
export const RECEIVED_HEADER = 'audile-received'

/** Of a response: the {@link Welcome}, as JSON. */
export const WELCOME_HEADER = 'audile-welcome'

const welcomeSchema = z.object({
  /** A new one when the session that the client asked for is unknown. */
  session: z.string().min(1),
  /** Of the last frame that the server received. */
  received: z.int().min(0),
  /** Of the largest message that the server takes. */
  messageBytes: z.int().positive(),
  /** That the server takes at once. */
  calls: z.int().positive(),
  /** Between two heartbeats. */
  heartbeatSeconds: z.number().positive(),
})

export type Welcome = z.output<typeof welcomeSchema>

/** @throws when the text is not a welcome */
export function readWelcome(text: string): Welcome {
  return welcomeSchema.parse(JSON.parse(text))
}
