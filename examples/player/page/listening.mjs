// Listening: binds what plays, what follows, and what is thought of it; goes on after a reload.
import { Playback } from './playback.mjs'
import { Queue } from './queue.mjs'
import { Radio } from './radio.mjs'

const KEPT = 'listening'
/** Going back within so many seconds goes to the track before. */
const RESTART_SECONDS = 3
/** Milliseconds between two notes of where the track is. */
const NOTE = 5000

export class Listening {
  playback
  queue
  #library
  #events
  #radioEvents
  #kept = JSON.parse(localStorage.getItem(KEPT) ?? 'null')

  /**
   * @param {import('./library.mjs').Library} library
   * @param {import('./taste.mjs').Taste} taste
   * @param {object} events
   * @param {() => void} events.changed - another track, or playing or not
   * @param {() => void} events.upcoming - something else follows
   * @param {(error: Error) => void} events.failed
   */
  constructor(library, taste, events) {
    this.#library = library
    this.#events = events
    const { failed } = events
    const changed = () => {
      this.#keep()
      this.#expect()
      events.upcoming()
    }
    this.#radioEvents = { changed, failed }
    this.queue = new Queue({ skips: (id) => taste.of(id).banned === true, changed })
    this.playback = new Playback({
      changed: () => events.changed(),
      count: (id, action) => taste.count(id, action).catch(failed),
      ended: () => this.next({ ended: true }),
      crossed: () => this.#crossed(),
      failed: (message) => failed(new Error(message)),
    })
    setInterval(() => this.playback.playing && this.#keep(), NOTE)
    addEventListener('pagehide', () => this.#keep())
  }

  /** Plays a track, and then what follows it in the list; the one that plays is paused. */
  play(id, list) {
    if (id === this.playback.track?.id) return this.playback.toggle()
    this.queue.play(id, list)
    return this.#enter(id)
  }

  /** Plays or pauses; where nothing was chosen yet, the first of the list. */
  toggle(list) {
    if (this.playback.track) this.playback.toggle()
    else if (list.length > 0) this.play(list[0], list)
  }

  /** What follows, or one of the steps that do. */
  next({ ended = false, step } = {}) {
    const skipped = ended || this.playback.heard ? undefined : this.queue.current
    const id = this.queue.next({ ended, step, skipped })
    if (id !== undefined) return this.#enter(id)
    if (!ended) this.playback.pause()
  }

  /** The beginning of the track; near the beginning, the track before. */
  previous() {
    const id = this.playback.position > RESTART_SECONDS ? undefined : this.queue.previous()
    if (id === undefined) this.playback.seek(0)
    else return this.#enter(id)
  }

  /** Starts a radio; that of a track goes on behind the track, if it plays. */
  async tune(title, seed) {
    const radio = await Radio.start(title, seed, this.#radioEvents)
    const start = typeof seed === 'string' && seed.startsWith('TR') ? seed : undefined
    if (start === undefined) return this.#enter(this.queue.tune(radio))
    this.queue.play(start, [start])
    this.queue.radio = radio
    this.#radioEvents.changed()
    if (this.playback.track?.id !== start) await this.#enter(start)
  }

  /** Says that the radio is to play more, or less, like a track. */
  steer(way, id) {
    return this.queue.radio?.look({ [way]: id })
  }

  /** Goes on where the page was left. */
  async restore() {
    const kept = this.#kept
    // Something may have been chosen before the page was complete.
    if (!kept || this.queue.current !== undefined) return
    const { title, state } = kept.radio ?? {}
    const radio = state && new Radio(title, state, this.#radioEvents)
    this.playback.mixes = kept.mixes ?? true
    this.queue.restore(kept, radio)
    const [track] = await this.#library.want([kept.current].filter(Boolean))
    if (track) this.playback.load(track, kept.position)
    await radio?.look()
  }

  /** Mixes tracks into each other, or plays them one behind the other. */
  setMixes(mixes) {
    this.playback.mixes = mixes
    this.playback.expect(undefined)
    this.#expect()
    this.#keep()
  }

  /** Has the track made ready that follows. */
  async #expect() {
    if (!this.playback) return
    const { current, repeat } = this.queue
    const id = repeat === 'one' ? current : this.queue.upcoming()[0]?.id
    const [track] = await this.#library.want([id].filter(Boolean)).catch(() => [])
    const still = repeat === 'one' ? this.queue.current : this.queue.upcoming()[0]?.id
    if (id === still) this.playback.expect(track)
  }

  /** The track that was expected has begun by itself. */
  #crossed() {
    const id = this.queue.next({ ended: true })
    if (id !== this.playback.track.id) this.#enter(id)
  }

  async #enter(id) {
    if (id === undefined) return
    const [track] = await this.#library.want([id])
    // Another one was chosen meanwhile.
    if (id !== this.queue.current) return
    if (track) this.playback.play(track)
    else this.#events.failed(new Error('This track cannot be played any more: scan its folder.'))
  }

  #keep() {
    const position = this.playback?.position ?? 0
    const { mixes } = this.playback ?? {}
    localStorage.setItem(KEPT, JSON.stringify({ ...this.queue.state(), position, mixes }))
  }
}
