// The beat: a dot for each beat of the bar, lit as the analysis document has it.
import { element } from './element.mjs'

/** How fast a beat fades: to a third in this share of it. */
const FADE = 0.45

export class Pulse {
  #box
  #button
  #beats = []
  #dots = []

  /**
   * @param {HTMLElement} box - holds the dots
   * @param {HTMLElement} button - has a ring that swells with the beat
   */
  constructor(box, button) {
    this.#box = box
    this.#button = button
  }

  /** @param detail - of the track; nothing while it is not there */
  show({ beats = [], bars = [], metre = 4 } = {}) {
    let bar = -1
    let place = 0
    this.#beats = beats.map(({ start, duration }) => {
      place++
      // A bar begins with one of the beats; those before the first bar lead up to it.
      while (bars[bar + 1] <= start + duration / 2) {
        bar++
        place = 0
      }
      return { start, duration, place }
    })
    const inBar = Math.min(12, Math.max(1, metre))
    const dots = this.#beats.length === 0 ? 0 : inBar
    this.#dots = Array.from({ length: dots }, () => element('span'))
    this.#box.replaceChildren(...this.#dots)
    this.at(0, false)
  }

  /** @param {number} seconds - where the track is */
  at(seconds, playing) {
    const beat = playing ? this.#beatAt(seconds) : undefined
    const since = beat ? (seconds - beat.start) / Math.max(0.1, beat.duration) : 0
    const level = beat ? Math.exp(-since / FADE) : 0
    const lit = beat ? beat.place % Math.max(1, this.#dots.length) : -1
    for (const [i, dot] of this.#dots.entries()) {
      dot.style.setProperty('--level', i === lit ? level.toFixed(3) : '0')
    }
    this.#box.dataset.beat = beat ? String(lit + 1) : ''
    this.#button.style.setProperty('--level', (level * (lit === 0 ? 1 : 0.6)).toFixed(3))
  }

  /** The beat that sounds; between the last one and silence, none. */
  #beatAt(seconds) {
    let [low, high] = [0, this.#beats.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#beats[middle].start <= seconds) low = middle + 1
      else high = middle
    }
    const beat = this.#beats[low - 1]
    return beat && seconds < beat.start + 2 * beat.duration ? beat : undefined
  }
}
