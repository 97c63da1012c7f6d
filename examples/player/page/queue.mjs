// What plays next: tracks that were put in line, then a list or a radio. Knows nothing of the page.

/** Tracks to go back to. */
const HISTORY = 200
/** Tracks of a list that are kept over a reload. */
const KEPT = 500

/** @typedef {{ id: string, queued?: boolean, at?: number, reasons?: object }} Step a track that follows */

export class Queue {
  /** The track that plays. */
  current
  /** The radio that is on; without one, the list goes on. */
  radio
  /** @type {'off' | 'all' | 'one'} */
  repeat = 'off'
  shuffle = false
  #list = []
  /** The places of the list, in the order of playing. */
  #order = []
  #at = -1
  #queued = []
  #history = []
  #skips
  #changed

  /**
   * @param {object} events
   * @param {(id: string) => boolean} events.skips - whether a track is passed over
   * @param {() => void} events.changed - something else plays next
   */
  constructor({ skips, changed }) {
    this.#skips = skips
    this.#changed = changed
  }

  /** A track of a list, and what follows it there. */
  play(id, list) {
    this.radio = undefined
    this.#list = [...list]
    this.#arrange(Math.max(0, this.#list.indexOf(id)))
    this.#enter(this.#list[this.#order[this.#at]])
  }

  /** What a radio says, from its first track on. */
  tune(radio) {
    this.radio = radio
    this.#list = []
    this.#arrange(-1)
    return this.next()
  }

  /** Puts a track in line, first or last. */
  add(id, first = false) {
    if (first) this.#queued.unshift(id)
    else this.#queued.push(id)
    this.#changed()
  }

  /** Takes a track out of the line. */
  remove(place) {
    this.#queued.splice(place, 1)
    this.#changed()
  }

  /** @returns {Step[]} what follows, as far as it is known */
  upcoming(count = 1) {
    const steps = this.#queued.map((id) => ({ id, queued: true }))
    if (this.radio) {
      steps.push(...this.radio.steps.filter(({ id }) => !this.#skips(id)))
      return steps.slice(0, count)
    }
    const { length } = this.#order
    const last = this.repeat === 'all' ? length : length - 1 - this.#at
    for (let i = 1; i <= last && steps.length < count; i++) {
      const at = (this.#at + i) % length
      const id = this.#list[this.#order[at]]
      if (!this.#skips(id)) steps.push({ id, at })
    }
    return steps.slice(0, count)
  }

  /** How many tracks of the list follow. */
  get rest() {
    return Math.max(0, this.#order.length - 1 - this.#at) + this.#queued.length
  }

  /**
   * The track after: the next, or one of those that follow. `ended`: the one before was heard to its end.
   *
   * @returns its id; `undefined` where nothing follows
   */
  next({ ended = false, step = this.upcoming()[0], skipped } = {}) {
    if (ended && this.repeat === 'one') {
      this.#changed()
      return this.current
    }
    if (!step) return undefined
    if (step.queued) this.#queued.splice(this.#queued.indexOf(step.id), 1)
    else if (step.at !== undefined) this.#at = step.at
    else this.radio?.take(step.id, skipped)
    return this.#enter(step.id)
  }

  /** The track before; what plays now comes after it again. */
  previous() {
    const id = this.#history.pop()
    if (id === undefined) return undefined
    const before = this.#at - 1
    if (this.#list[this.#order[before]] === id) this.#at = before
    else if (this.current !== undefined) this.#queued.unshift(this.current)
    this.current = id
    this.#changed()
    return id
  }

  setShuffle(shuffle) {
    this.shuffle = shuffle
    if (this.#at >= 0) this.#arrange(this.#order[this.#at])
    this.#changed()
  }

  /** Not, then the whole list, then the one track. */
  turnRepeat() {
    this.repeat = { off: 'all', all: 'one', one: 'off' }[this.repeat]
    this.#changed()
  }

  /** Everything, as plain JSON; of a long list, what follows next. */
  state() {
    const from = Math.max(0, this.#at)
    const list = this.#order.slice(from, from + KEPT).map((place) => this.#list[place])
    const { current, repeat, shuffle } = this
    const lines = { queued: this.#queued, history: this.#history }
    return { current, repeat, shuffle, list, ...lines, radio: this.radio?.saved() }
  }

  /** @param {ReturnType<Queue['state']>} state */
  restore({ current, repeat, shuffle, list, queued, history }, radio) {
    Object.assign(this, { current, repeat, shuffle, radio })
    this.#list = list
    this.#order = list.map((_, place) => place)
    this.#at = list.length > 0 ? 0 : -1
    this.#queued = queued
    this.#history = history
    this.#changed()
  }

  #enter(id) {
    if (this.current !== undefined && this.current !== id) this.#history.push(this.current)
    this.#history.splice(0, this.#history.length - HISTORY)
    this.current = id
    this.#changed()
    return id
  }

  /** The order of playing: as the list is, or shuffled behind the place that plays. */
  #arrange(place) {
    this.#order = this.#list.map((_, at) => at)
    this.#at = place
    if (!this.shuffle || this.#list.length === 0) return
    const order = this.#order
    if (place >= 0) [order[0], order[place]] = [order[place], order[0]]
    for (let i = order.length - 1; i > 1; i--) {
      const other = 1 + Math.floor(Math.random() * i)
      ;[order[i], order[other]] = [order[other], order[i]]
    }
    this.#at = Math.min(place, 0)
  }
}
