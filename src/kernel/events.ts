import { invalidParameter, ParameterError, type PlainError } from '../errors.ts'
import { suggestion } from '../validate.ts'

/** The analysis state of a track, as the specification names them. */
export type TrackStatus = 'unknown' | 'pending' | 'complete' | 'error' | 'unavailable'

/** What an open `Audile` tells its listeners. */
export interface Events {
  /** A track changed its state, or its analysis advanced. */
  track: {
    /** The track's. */
    id: string
    /** Its state now. */
    status: TrackStatus
    /** 0…1 while it is pending. */
    progress: number
    /** Why it could not be analysed. */
    error?: string
  }
  /** An update of a catalog came to its end. */
  ticket: {
    /** The ticket's. */
    id: string
    /** How it ended. */
    status: 'pending' | 'complete' | 'error'
  }
  /** A feed is being refreshed, or was. */
  feed: {
    /** The feed's. */
    id: string
    /** `pending` at the beginning, then how it ended. */
    status: 'pending' | 'complete' | 'error'
    /** New items. */
    found: number
    /** Why it could not be read. */
    error?: string
  }
  /** How far a backup or a check has come. */
  upkeep: {
    /** The name that it was given. */
    task: string
    /** What is done so far; at the end the total. */
    done: number
    /** What there is to do, in units of no meaning of their own. */
    total: number
  }
  /** A background job was enqueued, started, completed, put back, or failed for good. */
  job: {
    /** Its number. */
    id: number
    /** What is done: `analyze`, `resolve` and so on; the names may change. */
    kind: string
    /** To what: the id of a track, a catalog, a feed. */
    subject: string
    /** What became of it now. */
    state: 'queued' | 'running' | 'complete' | 'retry' | 'failed'
    /** Why it was put back or failed. */
    error?: PlainError
  }
}

/** The names of {@link Events}. */
export type EventName = keyof Events

const NAMES: Readonly<Record<EventName, true>> = {
  track: true,
  ticket: true,
  feed: true,
  upkeep: true,
  job: true,
}

/** Called with each event of one name. What it throws is logged, never raised. */
export type Listener<N extends EventName> = (event: Events[N]) => void

/** Hands an event to whoever listens. */
export type Emit = <N extends EventName>(name: N, event: Events[N]) => void

/** A set of listeners per event name. */
export class Emitter {
  readonly #listeners = new Map<EventName, Set<Listener<never>>>()
  readonly #onError: (error: unknown) => void

  /** @param onError - told what a listener threw; the other listeners are still called */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  /**
   * Adds a listener and returns the function that removes it again.
   *
   * @throws {ParameterError} on a name that no event has, or a listener that is no function
   */
  on<N extends EventName>(name: N, listener: Listener<N>): () => void {
    if (!Object.hasOwn(NAMES, name)) throw noEvent(String(name))
    if (typeof listener !== 'function') {
      throw invalidParameter('listener', `a ${typeof listener}; it must be a function`)
    }
    // A wrapper of its own, so that one function added twice is also removed once at a time.
    const entry: Listener<N> = (event) => listener(event)
    const listeners = this.#listeners.get(name) ?? new Set()
    listeners.add(entry as Listener<never>)
    this.#listeners.set(name, listeners)
    return () => {
      listeners.delete(entry as Listener<never>)
    }
  }

  readonly emit: Emit = (name, event) => {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) {
      try {
        const returned: unknown = (listener as Listener<typeof name>)(event)
        if (returned instanceof Promise) returned.catch(this.#onError)
      } catch (error) {
        this.#onError(error)
      }
    }
  }

  clear(): void {
    this.#listeners.clear()
  }
}

function noEvent(name: string): ParameterError {
  const hint = suggestion(name, Object.keys(NAMES))
  return new ParameterError('invalid_parameter', `There is no event "${name}"${hint}`)
}
