import { KeyError } from '../values/errors.ts'

const MINUTE = 60_000
/** The maximum number of keys with their own count; all others share one count. */
const MOST_KEYS = 10_000

/** Counts the calls of each key in each minute of the clock. */
export class RateLimit {
  readonly #most: number
  readonly #now: () => number
  #minute = Number.NaN
  #calls = new Map<string, number>()

  constructor(most: number, now: () => number) {
    this.#most = most
    this.#now = now
  }

  /** Counts a call. Returns the headers with the numbers, and an error if the limit is exceeded. */
  count(apiKey: string): { headers: Record<string, string>; error?: KeyError } {
    const minute = Math.floor(this.#now() / MINUTE)
    if (minute !== this.#minute) {
      this.#minute = minute
      this.#calls = new Map()
    }
    const key = this.#calls.has(apiKey) || this.#calls.size < MOST_KEYS ? apiKey : ''
    const calls = (this.#calls.get(key) ?? 0) + 1
    this.#calls.set(key, calls)
    const used = Math.min(calls, this.#most)
    const headers = {
      'x-ratelimit-limit': String(this.#most),
      'x-ratelimit-used': String(used),
      'x-ratelimit-remaining': String(this.#most - used),
    }
    if (calls <= this.#most) return { headers }
    const message = `3|You are limited to ${this.#most} accesses every minute.`
    return { headers, error: new KeyError('rate_limited', message) }
  }
}
