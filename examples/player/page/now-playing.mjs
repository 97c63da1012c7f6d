// The bar at the bottom: what is playing, where it is, how loud, and what you think of it.
import { Contour } from './contour.mjs'
import { icon, set, trackButton } from './element.mjs'
import { ratingOf } from './grid.mjs'
import { Pulse } from './pulse.mjs'
import { analysisOf } from './wire.mjs'
import { beats, clock, keyName } from './words.mjs'

const $ = (id) => document.getElementById(id)

export class NowPlaying {
  #playback
  #doings
  #contour = new Contour(document.querySelector('.contour canvas'))
  #pulse = new Pulse($('beats'), document.querySelector('.pulse'))
  #shown
  #analysing
  #frame

  /**
   * @param {import('./playback.mjs').Playback} playback
   * @param {import('./grid.mjs').Doings & { toggle: () => void, failed: (error: Error) => void }} doings
   */
  constructor(playback, doings) {
    this.#playback = playback
    this.#doings = doings
    for (const name of ['previous', 'play', 'next']) $(name).append(icon(name))
    $('volume-icon').append(icon('volume'))
    $('play').addEventListener('click', () => doings.toggle())
    $('previous').addEventListener('click', () => playback.previous())
    $('next').addEventListener('click', () => playback.next())
    $('seek').addEventListener('input', ({ target }) => playback.seek(Number(target.value)))
    $('volume').addEventListener('input', ({ target }) => this.setVolume(Number(target.value)))
    this.setVolume(Number(localStorage.getItem('volume') ?? 1))
    this.#takeMediaKeys()
  }

  /** @param {number} value - 0 to 1; what is beyond is the nearer end */
  setVolume(value) {
    const volume = Math.min(1, Math.max(0, value))
    this.#playback.audio.volume = volume
    $('volume').value = String(volume)
    set($('volume'), 'aria-valuetext', `${Math.round(volume * 100)} %`)
    localStorage.setItem('volume', String(volume))
  }

  /** Shows the track, and follows it while it plays. */
  draw() {
    const { track, playing } = this.#playback
    if (!track) return
    document.body.dataset.playing = track.id
    set($('play'), 'aria-label', playing ? 'Pause' : 'Play')
    $('play').replaceChildren(icon(playing ? 'pause' : 'play'))
    $('now-title').textContent = track.title
    $('now-artist').textContent = track.artist
    const tempo = track.tempo > 0 ? [`${beats(track.tempo)} BPM`] : []
    $('now-sound').textContent = [...tempo, keyName(track)].join(' · ')
    $('seek').disabled = false
    document.title = playing ? `${track.title} – Player` : 'Player'
    cancelAnimationFrame(this.#frame)
    if (playing) this.#follow()
    else this.#drawPosition()
    if (this.#shown === track.id) return
    this.#shown = track.id
    this.drawOpinion()
    this.#announce(track)
    this.#readAnalysis(track)
  }

  /** Shows what is thought of the track now. */
  drawOpinion() {
    const { track } = this.#playback
    if (!track) return
    const { id, title } = track
    const { opinionOf, rate, favorite, similar, ban } = this.#doings
    const opinion = opinionOf(id)
    const button = (name, label, act, pressed) => trackButton(name, label, title, act, pressed)
    const box = $('opinion')
    const place = [...box.children].indexOf(document.activeElement)
    box.replaceChildren(
      button('heart', 'Favourite', () => favorite(id), opinion.favorite === true),
      ratingOf(title, opinion.rating, (rating) => rate(id, rating)),
      button('similar', 'Sounds alike', () => similar(id)),
      button('ban', 'Ban', () => ban(id), opinion.banned === true),
    )
    // What had the focus is another element now.
    if (place >= 0) box.children[place].focus()
  }

  #follow() {
    this.#drawPosition()
    this.#frame = requestAnimationFrame(() => this.#follow())
  }

  #drawPosition() {
    const { duration, audio, playing } = this.#playback
    const at = audio.currentTime
    this.#contour.at(duration > 0 ? at / duration : 0)
    this.#pulse.at(at, playing)
    write($('elapsed'), clock(at))
    write($('length'), clock(duration))
    const seek = $('seek')
    seek.max = String(duration || 1)
    if (!seek.matches(':active')) seek.value = String(at)
    set(seek, 'aria-valuetext', `${clock(at)} of ${clock(duration)}`)
  }

  async #readAnalysis({ id }) {
    this.#analysing?.abort()
    const reading = new AbortController()
    this.#analysing = reading
    this.#show(undefined)
    try {
      const document = await analysisOf(id, reading.signal)
      if (!reading.signal.aborted) this.#show(document)
    } catch (error) {
      if (!reading.signal.aborted) this.#doings.failed(error)
    }
  }

  #show(document) {
    this.#contour.show(document)
    this.#pulse.show(document)
    this.#drawPosition()
  }

  #announce({ title, artist }) {
    if (!('mediaSession' in navigator)) return
    navigator.mediaSession.metadata = new MediaMetadata({ title, artist })
  }

  #takeMediaKeys() {
    if (!('mediaSession' in navigator)) return
    const playback = this.#playback
    const does = {
      play: () => this.#doings.toggle(),
      pause: () => this.#doings.toggle(),
      previoustrack: () => playback.previous(),
      nexttrack: () => playback.next(),
      seekto: ({ seekTime }) => playback.seek(seekTime),
    }
    for (const [action, act] of Object.entries(does)) {
      navigator.mediaSession.setActionHandler(action, act)
    }
  }
}

function write(target, text) {
  if (target.textContent !== text) target.textContent = text
}
