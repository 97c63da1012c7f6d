import { suggestName } from '../options/validate.ts'
import { invalidParameter, ParameterError, type PlainError } from '../values/errors.ts'

/** The analysis state of a track, as the specification names it. */
export type TrackStatus = 'unknown' | 'pending' | 'complete' | 'error' | 'unavailable'

/** The events of an open `Audile`. */
export interface Events {
  /** A track changed its state, or its analysis made progress. */
  track: {
    /** The id of the track. */
    id: string
    /** Its new state. */
    status: TrackStatus
    /** 0…1. */
    progress: number
    /** Why the analysis failed. */
    error?: string
  }
  /** An update of a catalog ended. */
  ticket: {
    /** The id of the ticket. */
    id: string
    /** Its new state. */
    status: 'pending' | 'complete' | 'error'
  }
  /** The refresh of a feed began or ended. */
  feed: {
    /** The id of the feed. */
    id: string
    /** `pending` at the beginning. */
    status: 'pending' | 'complete' | 'error'
    /** The number of new items. */
    found: number
    /** Why the refresh failed. */
    error?: string
  }
  /** The progress of a backup or a check. */
  upkeep: {
    /** The name that the caller gave the task. */
    task: string
    /** Units that are done; equal to `total` at the end. */
    done: number
    /** Units in all. The unit has no meaning of its own. */
    total: number
  }
  /** The analysis fleet makes no progress. Emitted again when the reason changes. */
  fleet: {
    /** What does not answer or is missing. */
    missing: 'queue' | 'store' | 'workers'
    /** A sentence that names the remedy. */
    message: string
  }
  /** A background job changed its state. */
  job: {
    /** The number of the job. */
    id: number
    /** `track/analyze` and so on; the names may change. */
    kind: string
    /** The id of a track, a catalog or a feed. */
    subject: string
    /** `retry`: it was put back in the queue; `failed`: it failed for good. */
    state: 'queued' | 'running' | 'complete' | 'retry' | 'failed'
    /** Why it was put back or failed. */
    error?: PlainError
  }
}

/** The names of {@link Events}. */
export type EventName = keyof Events

const EVENT_NAMES: Readonly<Record<EventName, true>> = {
  track: true,
  ticket: true,
  feed: true,
  upkeep: true,
  fleet: true,
  job: true,
}

/** Called with each event of one name. An error that it throws is logged. */
export type Listener<N extends EventName> = (event: Events[N]) => void

export type Emit = <N extends EventName>(name: N, event: Events[N]) => void

export class EventEmitter {
  readonly #listeners = new Map<EventName, Set<Listener<never>>>()
  readonly #onError: (error: unknown) => void
  readonly #onListened: (name: EventName, listened: boolean) => void

  /**
   * `onError` gets errors of listeners; `onListened` is called at the first and after the last
   * listener.
   */
  constructor(
    onError: (error: unknown) => void,
    onListened: (name: EventName, listened: boolean) => void = () => {},
  ) {
    this.#onError = onError
    this.#onListened = onListened
  }

  /**
   * Returns a function that removes it.
   *
   * @throws {ParameterError} on an unknown name, or a listener that is not a function
   */
  on<N extends EventName>(name: N, listener: Listener<N>): () => void {
    if (!Object.hasOwn(EVENT_NAMES, name)) throw unknownEvent(String(name))
    if (typeof listener !== 'function') {
      throw invalidParameter('listener', `a ${typeof listener}; it must be a function`)
    }
    // The same listener may be added twice, and is then removed twice.
    const entry: Listener<N> = (event) => listener(event)
    const listeners = this.#listeners.get(name) ?? new Set()
    listeners.add(entry as Listener<never>)
    this.#listeners.set(name, listeners)
    if (listeners.size === 1) this.#onListened(name, true)
    return () => {
      const had = listeners.delete(entry as Listener<never>)
      if (had && listeners.size === 0) this.#onListened(name, false)
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

function unknownEvent(name: string): ParameterError {
  const hint = suggestName(name, Object.keys(EVENT_NAMES))
  return new ParameterError('invalid_parameter', `There is no event "${name}"${hint}`)
}
