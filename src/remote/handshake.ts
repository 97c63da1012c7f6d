import { z } from 'zod'

/** The request header with the session that a client resumes. */
export const SESSION_HEADER = 'audile-session'
/** The request header with the number of the last frame that the client received. */
export const RECEIVED_HEADER = 'audile-received'

/** The response header with the {@link Welcome}, as JSON. */
export const WELCOME_HEADER = 'audile-welcome'

const schema = z.object({
  /** The id of the session; a new one when the session that the client asked for is unknown. */
  session: z.string().min(1),
  /** The number of the last frame that the server received. */
  received: z.int().min(0),
  /** Bytes of the largest message that the server takes. */
  messageBytes: z.int().positive(),
  /** Calls that the server takes at once. */
  calls: z.int().positive(),
  /** Seconds between two heartbeats. */
  heartbeatSeconds: z.number().positive(),
})

/** The server's answer to a new connection. */
export type Welcome = z.output<typeof schema>

/** @throws when the text is not a welcome */
export function readWelcome(text: string): Welcome {
  return schema.parse(JSON.parse(text))
}
