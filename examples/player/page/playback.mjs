// What is playing, and what comes next: one audio element and a list of tracks.

/** A track counts as played after half of it, or after four minutes (as scrobblers have it). */
const PLAYED_SHARE = 0.5
const PLAYED_SECONDS = 240
/** Going back within so many seconds goes to the track before. */
const RESTART_SECONDS = 3

export class Playback {
  #audio = new Audio()
  #list = []
  #track
  #counted = false
  #events

  /**
   * @param {object} events
   * @param {(track?: object) => void} events.changed - another track, or playing or not
   * @param {(id: string, action: 'play' | 'skip') => void} events.count
   * @param {(id: string) => boolean} events.skips - whether a track is passed over
   * @param {(message: string) => void} events.failed
   */
  constructor(events) {
    this.#events = events
    const audio = this.#audio
    audio.preload = 'auto'
    for (const name of ['play', 'pause', 'loadedmetadata']) {
      audio.addEventListener(name, () => events.changed(this.#track))
    }
    audio.addEventListener('timeupdate', () => this.#countPlay())
    audio.addEventListener('ended', () => this.next(true))
    audio.addEventListener('error', () => this.#fail())
  }

  get audio() {
    return this.#audio
  }

  get track() {
    return this.#track
  }

  get playing() {
    return this.#track !== undefined && !this.#audio.paused
  }

  /** Seconds; of the file as the browser plays it, else as it was analysed. */
  get duration() {
    const { duration } = this.#audio
    return Number.isFinite(duration) ? duration : (this.#track?.duration ?? 0)
  }

  /** Plays a track, and then what follows it in the list. */
  play(track, list = this.#list) {
    this.#list = list
    if (track.id === this.#track?.id) return this.toggle()
    this.#skipped()
    this.#track = track
    this.#counted = false
    this.#audio.src = `/player/audio/${encodeURIComponent(track.id)}`
    this.#start()
  }

  /** Plays or pauses; without a track, the first of a list. */
  toggle(list = []) {
    if (!this.#track) {
      const first = list.find(({ id }) => !this.#events.skips(id))
      if (first) this.play(first, list)
    } else if (this.#audio.paused) this.#start()
    else this.#audio.pause()
  }

  /** The track after, past those that are banned. */
  next(ended = false) {
    const next = this.#beside(1)
    if (next) this.play(next)
    else if (!ended) this.#audio.pause()
  }

  /** The beginning of the track; near the beginning, the track before. */
  previous() {
    const before = this.#beside(-1)
    if (this.#audio.currentTime > RESTART_SECONDS || !before) this.seek(0)
    else this.play(before)
  }

  seek(seconds) {
    if (!this.#track) return
    this.#audio.currentTime = Math.min(Math.max(0, seconds), Math.max(0, this.duration - 0.05))
    this.#events.changed(this.#track)
  }

  #beside(step) {
    const at = this.#list.findIndex(({ id }) => id === this.#track?.id)
    if (at < 0) return undefined
    for (let i = at + step; i >= 0 && i < this.#list.length; i += step) {
      if (!this.#events.skips(this.#list[i].id)) return this.#list[i]
    }
    return undefined
  }

  #start() {
    this.#events.changed(this.#track)
    this.#audio.play().catch((error) => {
      // Another track was chosen before this one began; other faults come as the event.
      if (error.name === 'NotAllowedError')
        this.#events.failed('The browser wants you to press play.')
    })
  }

  #countPlay() {
    const { currentTime } = this.#audio
    if (this.#counted || !this.#track) return
    if (currentTime < Math.min(this.duration * PLAYED_SHARE, PLAYED_SECONDS)) return
    this.#counted = true
    this.#events.count(this.#track.id, 'play')
  }

  /** A track that is left before it counts as played was skipped, if it was heard at all. */
  #skipped() {
    const { currentTime } = this.#audio
    if (!this.#track || this.#counted || currentTime < 1) return
    this.#events.count(this.#track.id, 'skip')
  }

  async #fail() {
    const track = this.#track
    if (!track) return
    const why = await reasonOf(this.#audio)
    if (this.#track === track) this.#events.failed(`“${track.title}” cannot be played: ${why}`)
    this.#events.changed(track)
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
