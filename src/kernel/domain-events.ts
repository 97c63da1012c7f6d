/** The events between rooms. */
export interface DomainEvents {
  /** A track was analysed; it is a recording of the song. */
  'track.analysed': { trackId: string; songId: string }
  /** Songs were added, changed or removed. */
  'songs.changed': Record<string, never>
  /** Artists were added, changed or removed. */
  'artists.changed': Record<string, never>
  /** Names of artists changed. */
  'artists.renamed': { artists: readonly number[] }
}

/** One listener for each event; see `engine/listeners.ts`. */
export type DomainListeners = {
  readonly [Name in keyof DomainEvents]: (event: DomainEvents[Name]) => void
}

/** Delivers events from one room of an engine to others. */
export class DomainChannel {
  #listeners: DomainListeners | undefined

  /** Sets the listeners, before any job or call runs. */
  listen(listeners: DomainListeners): void {
    this.#listeners = listeners
  }

  /** Calls the listener at once, inside the open transaction. */
  publish<Name extends keyof DomainEvents>(name: Name, event: DomainEvents[Name]): void {
    this.#listeners?.[name](event)
  }
}
