import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Addresses of analysis documents. Clients fetch an `analysis_url` as it is, without a key; so it
 * carries a signature, which only an answer to a caller with a key can have told.
 */
export class AnalysisAddress {
  readonly #secret: string

  constructor(secret: string) {
    this.#secret = secret
  }

  /** @param base - what stands before `/api/v4` */
  of(base: string, id: string): string {
    return `${base}/api/v4/analysis/${encodeURIComponent(id)}?signature=${this.#sign(id)}`
  }

  /** Whether a signature is that of a track; takes the same time for all that are not. */
  isSigned(id: string, signature: string | null): boolean {
    const due = Buffer.from(this.#sign(id))
    const given = Buffer.from(signature ?? '')
    return given.length === due.length && timingSafeEqual(given, due)
  }

  #sign(id: string): string {
    return createHmac('sha256', this.#secret).update(`analysis ${id}`).digest('base64url')
  }
}
