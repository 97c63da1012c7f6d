// Plays one track at a time with one audio element, and tells what was heard of it.

/** A track counts as played after half of it, or after four minutes (as scrobblers have it). */
const PLAYED_SHARE = 0.5
const PLAYED_SECONDS = 240

export class Playback {
  #audio = new Audio()
  #track
  #heard = false
  #events

  /**
   * @param {object} events
   * @param {() => void} events.changed - another track, or playing or not
   * @param {(id: string, action: 'play' | 'skip') => void} events.count
   * @param {() => void} events.ended
   * @param {(message: string) => void} events.failed
   */
  constructor(events) {
    this.#events = events
    const audio = this.#audio
    audio.preload = 'auto'
    for (const name of ['play', 'pause', 'loadedmetadata']) {
      audio.addEventListener(name, () => events.changed())
    }
    audio.addEventListener('timeupdate', () => this.#countPlay())
    audio.addEventListener('ended', () => events.ended())
    audio.addEventListener('error', () => this.#fail())
  }

  get track() {
    return this.#track
  }

  get playing() {
    return this.#track !== undefined && !this.#audio.paused
  }

  /** Whether enough was heard of the track to count. */
  get heard() {
    return this.#heard
  }

  /** Seconds; of the file as the browser plays it, else as it was analysed. */
  get duration() {
    const { duration } = this.#audio
    return Number.isFinite(duration) ? duration : (this.#track?.duration ?? 0)
  }

  get position() {
    return this.#audio.currentTime
  }

  get volume() {
    return this.#audio.volume
  }

  set volume(volume) {
    this.#audio.volume = volume
  }

  /** Makes a track ready, without a sound. */
  load(track, position = 0) {
    this.#skipped()
    this.#track = track
    this.#heard = false
    this.#audio.src = `/player/audio/${encodeURIComponent(track.id)}`
    this.#audio.currentTime = position
    this.#events.changed()
  }

  /** The same track, of which something else is known now. */
  renew(track) {
    if (this.#track?.id !== track.id) return
    this.#track = track
    this.#events.changed()
  }

  play(track) {
    this.load(track)
    this.#start()
  }

  pause() {
    this.#audio.pause()
  }

  toggle() {
    if (this.#audio.paused) this.#start()
    else this.#audio.pause()
  }

  seek(seconds) {
    if (!this.#track) return
    this.#audio.currentTime = Math.min(Math.max(0, seconds), Math.max(0, this.duration - 0.05))
    this.#events.changed()
  }

  #start() {
    this.#audio.play().catch((error) => {
      // Another track was chosen before this one began; other faults come as the event.
      if (error.name === 'NotAllowedError')
        this.#events.failed('The browser wants you to press play.')
    })
  }

  #countPlay() {
    const { currentTime } = this.#audio
    if (this.#heard || !this.#track) return
    if (currentTime < Math.min(this.duration * PLAYED_SHARE, PLAYED_SECONDS)) return
    this.#heard = true
    this.#events.count(this.#track.id, 'play')
  }

  /** A track that is left before it counts as played was skipped, if it was heard at all. */
  #skipped() {
    if (!this.#track || this.#heard || this.#audio.currentTime < 1) return
    this.#events.count(this.#track.id, 'skip')
  }

  async #fail() {
    const track = this.#track
    if (!track) return
    const why = await reasonOf(this.#audio)
    if (this.#track === track) this.#events.failed(`“${track.title}” cannot be played: ${why}`)
    this.#events.changed()
  }
}

/** The element only tells that it failed; what the server says of the file is more use. */
async function reasonOf({ src }) {
  const response = await fetch(src, { headers: { range: 'bytes=0-0' } }).catch(() => undefined)
  if (!response) return 'the player does not answer; is it still running?'
  if (response.ok) return `this browser does not play ${response.headers.get('content-type')}.`
  const { error } = await response.json().catch(() => ({}))
  return error ?? `the player answered ${response.status}.`
}
