// A track too long to be decoded as a whole: a media element in the place of a buffer, with the
// methods of a Voice. It cannot be placed to the millisecond.

export class LongVoice {
  track
  level = 1
  #context
  #audio = new Audio()
  #timer

  constructor(context, out, track, address) {
    this.#context = context
    this.track = track
    this.#audio.src = address
    context.createMediaElementSource(this.#audio).connect(out)
    // A suspended context does not hold a media element.
    context.addEventListener('statechange', () => {
      if (!this.#audio.src) return
      if (context.state === 'running') this.#audio.play().catch(() => {})
      else this.#audio.pause()
    })
  }

  get duration() {
    return this.track.duration
  }

  start([{ at, position }]) {
    clearTimeout(this.#timer)
    this.#audio.currentTime = position
    const wait = Math.max(0, at - this.#context.currentTime) * 1000
    this.#timer = setTimeout(() => {
      if (this.#context.state === 'running') this.#audio.play().catch(() => {})
    }, wait)
  }

  positionAt() {
    return this.#audio.currentTime
  }

  timeOf(seconds) {
    return this.#context.currentTime + seconds - this.#audio.currentTime
  }

  get end() {
    return this.timeOf(this.duration)
  }

  fade() {}

  unfade() {}

  stop(at = 0) {
    clearTimeout(this.#timer)
    const wait = Math.max(0, at - this.#context.currentTime) * 1000
    this.#timer = setTimeout(() => {
      this.#audio.removeAttribute('src')
      this.#audio.load()
    }, wait)
  }
}
