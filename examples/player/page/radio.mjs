// A radio: a mix of the library that goes on, and is steered by what you say of its tracks.
import { own } from './wire.mjs'

export class Radio {
  /** What is expected to follow, each with its reasons; steering changes it. */
  steps = []
  /** Why nothing more follows, in words. */
  ended
  #title
  #state
  #events
  #asked = 0

  /** @param {{ changed: () => void, failed: (error: Error) => void }} events */
  constructor(title, state, events) {
    this.#title = title
    this.#state = state
    this.#events = events
  }

  /** A new radio: `seed` is a track, an artist, an album, a mood, or `taste`. */
  static async start(title, seed, events) {
    const { state, steps, ended } = await own('radio', { seed })
    const radio = new Radio(title, state, events)
    Object.assign(radio, { steps, ended })
    return radio
  }

  get title() {
    return this.#title
  }

  /** Marks a step as played; `skipped` is the track that was left for it. */
  take(id, skipped) {
    this.#state.played.push(id)
    if (skipped && !this.#state.skipped.includes(skipped)) this.#state.skipped.push(skipped)
    this.steps = this.steps.filter((step) => step.id !== id)
    this.look().catch(this.#events.failed)
  }

  /** Asks what follows, after a word on what is wanted. */
  async look(steering = {}) {
    const asked = ++this.#asked
    const { state, steps, ended } = await own('radio', { state: this.#state, ...steering })
    // A later question knows more.
    if (asked !== this.#asked) return
    this.#state = state
    Object.assign(this, { steps, ended })
    this.#events.changed()
  }

  /** What a reload of the page goes on with. */
  saved() {
    return { title: this.#title, state: this.#state }
  }
}
