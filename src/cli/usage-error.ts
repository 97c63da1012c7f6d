/** The arguments are wrong; the message says which and why. */
export class UsageError extends Error {}
