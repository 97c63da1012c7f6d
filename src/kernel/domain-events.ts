/** What one room tells the others. */
export interface DomainEvents {
  /** A track was analysed and is known to be a recording of a song. */
  'track.analysed': { trackId: string; songId: string }
  /** Songs came, changed or went. */
  'songs.changed': Record<string, never>
  /** Artists came, changed or went. */
  'artists.changed': Record<string, never>
  /** Artists have other names than before. */
  'artists.renamed': { artists: readonly number[] }
}

/** Who listens: one function for each event. The engine's are in `engine/listeners.ts`. */
export type DomainListeners = {
  readonly [Name in keyof DomainEvents]: (event: DomainEvents[Name]) => void
}

/** Tells the rooms of an engine what happened in another one. */
export class DomainChannel {
  #listeners: DomainListeners | undefined

  /** Sets who listens; until then nothing that is published is heard. */
  listen(listeners: DomainListeners): void {
    this.#listeners = listeners
  }

  /** Calls the listener at once, so that what it writes is part of the transaction that is open. */
  publish<Name extends keyof DomainEvents>(name: Name, event: DomainEvents[Name]): void {
    this.#listeners?.[name](event)
  }
}
