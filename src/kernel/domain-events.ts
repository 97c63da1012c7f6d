export interface DomainEvents {
  /** A track was analysed; it is a recording of the song. */
  'track.analysed': { trackId: string; songId: string }
  'songs.changed': Record<string, never>
  'artists.changed': Record<string, never>
  'artists.renamed': { artists: readonly number[] }
}

/** One listener for each event; see `engine/listeners.ts`. */
export type DomainListeners = {
  readonly [Name in keyof DomainEvents]: (event: DomainEvents[Name]) => void
}

/** Delivers events from one room of an engine to others. */
export class DomainChannel {
  #listeners: DomainListeners | undefined

  /** Before any job or call runs. */
  setListeners(listeners: DomainListeners): void {
    this.#listeners = listeners
  }

  /** Calls the listener at once, inside the open transaction. */
  publishEvent<Name extends keyof DomainEvents>(name: Name, event: DomainEvents[Name]): void {
    this.#listeners?.[name](event)
  }
}
