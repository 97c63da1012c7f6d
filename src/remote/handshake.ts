import { z } from 'zod'

/** The header of the request by which a client names the session that it goes on with. */
export const SESSION_HEADER = 'audile-session'
/** The header with the last frame that the client has. */
export const RECEIVED_HEADER = 'audile-received'

/** The header by which a server greets, as JSON. */
export const WELCOME_HEADER = 'audile-welcome'

const schema = z.object({
  /** The id of the session; another one than the client asked for when that is unknown. */
  session: z.string().min(1),
  /** The last frame that the server has. */
  received: z.int().min(0),
  /** Bytes of the largest message that the server takes. */
  messageBytes: z.int().positive(),
  /** Calls that the server takes at once. */
  calls: z.int().positive(),
  /** Seconds between two heartbeats. */
  heartbeatSeconds: z.number().positive(),
})

/** What a server says of a new connection. */
export type Welcome = z.output<typeof schema>

/** @throws when a text is no welcome */
export function readWelcome(text: string): Welcome {
  return schema.parse(JSON.parse(text))
}
