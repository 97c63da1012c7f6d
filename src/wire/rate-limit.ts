import { KeyError } from '../values/errors.ts'

const MINUTE_MILLISECONDS = 60_000
/** Keys with their own count; all others share one. */
const MAX_COUNTED_KEYS = 10_000

export class RateLimit {
  readonly #maxCalls: number
  readonly #now: () => number
  #minute = Number.NaN
  #calls = new Map<string, number>()

  constructor(maxCalls: number, now: () => number) {
    this.#maxCalls = maxCalls
    this.#now = now
  }

  /** Returns the headers with the numbers, and an error beyond the limit. */
  countCall(apiKey: string): { headers: Record<string, string>; error?: KeyError } {
    const minute = Math.floor(this.#now() / MINUTE_MILLISECONDS)
    if (minute !== this.#minute) {
      this.#minute = minute
      this.#calls = new Map()
    }
    const key = this.#calls.has(apiKey) || this.#calls.size < MAX_COUNTED_KEYS ? apiKey : ''
    const calls = (this.#calls.get(key) ?? 0) + 1
    this.#calls.set(key, calls)
    const used = Math.min(calls, this.#maxCalls)
    const headers = {
      'x-ratelimit-limit': String(this.#maxCalls),
      'x-ratelimit-used': String(used),
      'x-ratelimit-remaining': String(this.#maxCalls - used),
    }
    if (calls <= this.#maxCalls) return { headers }
    const message = `3|You are limited to ${this.#maxCalls} accesses every minute.`
    return { headers, error: new KeyError('rate_limited', message) }
  }
}
