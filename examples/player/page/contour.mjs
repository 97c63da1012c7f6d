// How loud the track is over time, behind the position; its sections are the gaps between.

const BAR = 2
const GAP = 1
/** So many dB below the loudest there is nothing to see any more. */
const RANGE = 36

export class Contour {
  #canvas
  #levels = []
  #sections = []
  #duration = 0
  #share = 0

  constructor(canvas) {
    this.#canvas = canvas
    new ResizeObserver(() => this.draw()).observe(canvas)
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw())
  }

  /** @param document - an analysis document, or nothing while there is none */
  show(document) {
    const segments = document?.segments ?? []
    const loudest = Math.max(...segments.map(({ loudness_max: db }) => db))
    this.#levels = segments.map(({ start, duration, loudness_max: db }) => ({
      start,
      end: start + duration,
      level: Math.max(0, 1 - (loudest - db) / RANGE),
    }))
    this.#sections = (document?.sections ?? []).slice(1).map(({ start }) => start)
    this.#duration = document?.track.duration ?? 0
    this.draw()
  }

  /** @param {number} share - 0 to 1 of the track is played */
  at(share) {
    const width = this.#canvas.clientWidth
    // The picture changes only from one bar to the next.
    const step = (value) => Math.round((value * width) / (BAR + GAP))
    const same = step(share) === step(this.#share)
    this.#share = share
    if (!same) this.draw()
  }

  draw() {
    const canvas = this.#canvas
    const { clientWidth: width, clientHeight: height } = canvas
    const scale = devicePixelRatio
    canvas.width = Math.round(width * scale)
    canvas.height = Math.round(height * scale)
    const context = canvas.getContext('2d')
    if (!context || width === 0) return
    context.scale(scale, scale)
    const style = getComputedStyle(canvas)
    const [played, rest] = ['--played', '--rest'].map((name) => style.getPropertyValue(name))
    const count = Math.floor(width / (BAR + GAP))
    let at = 0
    for (let i = 0; i < count; i++) {
      const [from, to] = [i, i + 1].map((n) => (n / count) * this.#duration)
      if (this.#sections.some((start) => start > from && start <= to)) continue
      let level = 0
      while (at > 0 && (this.#levels[at]?.start ?? 0) > from) at--
      for (let n = at; n < this.#levels.length && this.#levels[n].start < to; n++) {
        if (this.#levels[n].end > from) level = Math.max(level, this.#levels[n].level)
        at = n
      }
      const tall = Math.max(2, level ** 1.5 * height)
      context.fillStyle = i / count < this.#share ? played : rest
      context.fillRect(i * (BAR + GAP), (height - tall) / 2, BAR, tall)
    }
  }
}
