// The waveform behind the position, with the bounds of the sections, and the cues as flags above it.

/** Pixels of a bar and of the gap behind it; the height of the flags. */
const [BAR, GAP, FLAG] = [2, 1, 6]

export class Waveform {
  #canvas
  #detail
  #share = 0
  #scale = 1

  constructor(canvas) {
    this.#canvas = canvas
    new ResizeObserver(() => this.draw()).observe(canvas)
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw())
  }

  /** @param detail - of the track; nothing while it is not there */
  show(detail) {
    this.#detail = detail
    const { data, bits } = detail?.waveform ?? { data: [], bits: 8 }
    // As tall as there is room for, however quiet the track is.
    const loudest = data.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    this.#scale = 1 / Math.max(loudest, 2 ** (bits - 5))
    this.draw()
  }

  /** @param {number} share - 0 to 1 of the track is played */
  at(share) {
    const step = (value) => Math.round((value * this.#canvas.clientWidth) / (BAR + GAP))
    // The picture changes only from one bar to the next.
    const same = step(share) === step(this.#share)
    this.#share = share
    if (!same) this.draw()
  }

  draw() {
    const canvas = this.#canvas
    const { clientWidth: width, clientHeight: height } = canvas
    canvas.width = Math.round(width * devicePixelRatio)
    canvas.height = Math.round(height * devicePixelRatio)
    const context = canvas.getContext('2d')
    if (width === 0) return
    context.scale(devicePixelRatio, devicePixelRatio)
    const { color: played, caretColor: rest, outlineColor: flags } = getComputedStyle(canvas)
    const { duration = 0, sections = [], cues = [], voices = [], waveform } = this.#detail ?? {}
    const x = (time) => (time / duration) * width
    const count = Math.floor(width / (BAR + GAP))
    const middle = FLAG + (height - FLAG) / 2
    for (let i = 0; i < count; i++) {
      const [low, high] = this.#peaks(waveform?.data ?? [], i / count, (i + 1) / count)
      const tall = (high - low) * this.#scale * (middle - FLAG)
      context.fillStyle = i / count < this.#share ? played : rest
      const top = middle - high * this.#scale * (middle - FLAG)
      context.fillRect(i * (BAR + GAP), Math.min(top, middle - 1), BAR, Math.max(2, tall))
    }
    context.fillStyle = flags
    for (const start of sections.slice(1)) context.fillRect(x(start) - 0.5, FLAG, 1, height)
    // Where someone sings.
    for (const { start, duration: length } of voices)
      context.fillRect(x(start), height - 2, x(length), 2)
    for (const { time } of cues) {
      context.beginPath()
      context.moveTo(x(time), FLAG + 3)
      context.lineTo(x(time) - 4, 0)
      context.lineTo(x(time) + 4, 0)
      context.fill()
    }
  }

  /** The lowest and the highest sample of a part of the track. */
  #peaks(data, from, to) {
    const pixels = data.length / 2
    let [low, high] = [0, 0]
    for (let i = Math.floor(from * pixels); i < Math.ceil(to * pixels) && i < pixels; i++) {
      low = Math.min(low, data[2 * i])
      high = Math.max(high, data[2 * i + 1])
    }
    return [low, high]
  }
}
