// The bar at the bottom: what is playing, where it is, how loud, and what you think of it.
import { icon, iconButton, replace, set } from './element.mjs'
import { takeMediaKeys, tellSystem } from './media-keys.mjs'
import { openMenu } from './menu.mjs'
import { Pulse } from './pulse.mjs'
import { ratingOf, showRating, takeRating } from './stars.mjs'
import { Waveform } from './waveform.mjs'
import { own } from './wire.mjs'
import { beats, camelot, clock, keyName } from './words.mjs'

const $ = (id) => document.getElementById(id)

export class NowPlaying {
  #listening
  #doings
  #waveform = new Waveform(document.querySelector('.contour canvas'))
  #buttons
  #pulse
  #shown
  #reading
  #detail
  #frame

  /**
   * @param {import('./listening.mjs').Listening} listening
   * @param {import('./cells.mjs').Doings & { toggle: () => void, failed: (error: Error) => void }} doings
   */
  constructor(listening, doings) {
    this.#listening = listening
    this.#doings = doings
    const { playback, queue } = listening
    const shuffle = () => queue.setShuffle(!queue.shuffle)
    this.#buttons = {
      shuffle: iconButton('shuffle', 'Shuffle', shuffle),
      previous: iconButton('previous', 'Previous', () => listening.previous()),
      play: iconButton('play', 'Play', () => doings.toggle()),
      next: iconButton('next', 'Next', () => listening.next()),
      repeat: iconButton('repeat', 'Repeat', () => queue.turnRepeat()),
      places: iconButton('flag', 'Sections and cues', () => this.openPlaces(), {
        'aria-haspopup': 'menu',
      }),
      list: iconButton('list', 'Up next', () => doings.upNext(), { 'aria-controls': 'up-next' }),
    }
    $('transport').append(...Object.values(this.#buttons))
    this.#pulse = new Pulse($('beats'), this.#buttons.play)
    $('seek').addEventListener('input', ({ target }) => playback.seek(Number(target.value)))
    $('volume').addEventListener('input', ({ target }) => this.setVolume(Number(target.value)))
    this.setVolume(Number(localStorage.getItem('volume') ?? 1))
    takeMediaKeys(listening, () => doings.toggle())
    this.drawQueue()
  }

  /** @param {number} value - 0 to 1; what is beyond is the nearer end */
  setVolume(value) {
    const volume = Math.min(1, Math.max(0, value))
    this.#listening.playback.volume = volume
    $('volume').value = String(volume)
    set($('volume'), 'aria-valuetext', `${Math.round(volume * 100)} %`)
    localStorage.setItem('volume', String(volume))
  }

  /** Shows the track, and follows it while it plays. */
  draw() {
    const { track, playing } = this.#listening.playback
    if (!track) return
    const { play } = this.#buttons
    set(play, 'aria-label', playing ? 'Pause' : 'Play')
    play.replaceChildren(icon(playing ? 'pause' : 'play'))
    document.title = playing ? `${track.title} – Player` : 'Player'
    cancelAnimationFrame(this.#frame)
    if (playing) this.#follow()
    else this.#drawPosition()
    tellSystem(track, this.#listening.playback)
    const tempo = track.tempo > 0 ? [`${beats(track.tempo)} BPM`] : []
    write($('now-sound'), [...tempo, camelot(track) || keyName(track)].join(' · '))
    if (this.#shown === track.id) return
    this.#shown = track.id
    document.body.dataset.playing = track.id
    $('now-title').textContent = track.title
    $('now-artist').textContent = track.artist
    $('now-cover').src = `/player/cover/${track.id}`
    $('now-cover').hidden = false
    $('seek').disabled = false
    this.drawOpinion()
    this.#read(track)
  }

  /** Shows what is thought of the track now. */
  drawOpinion() {
    const { track } = this.#listening.playback
    if (!track) return
    const { id, title: of } = track
    const { opinionOf, rate, favorite, radio, menu } = this.#doings
    const { favorite: liked, rating } = opinionOf(id)
    const pressed = String(liked === true)
    const slider = takeRating(ratingOf(), (given) => rate(id, given))
    showRating(slider, of, rating)
    replace(
      $('opinion'),
      iconButton('heart', 'Favourite', () => favorite(id), { of, 'aria-pressed': pressed }),
      slider,
      iconButton('radio', 'Start a radio', () => radio(id), { of }),
      iconButton('dots', 'More', ({ currentTarget }) => menu(id, currentTarget), {
        of,
        'aria-haspopup': 'menu',
      }),
    )
  }

  /** Shows how the queue goes on. */
  drawQueue() {
    const { shuffle, repeat } = this.#listening.queue
    const names = { off: 'Repeat: off', all: 'Repeat: all', one: 'Repeat: this track' }
    set(this.#buttons.shuffle, 'aria-pressed', String(shuffle))
    set(this.#buttons.repeat, 'aria-pressed', String(repeat !== 'off'))
    for (const name of ['aria-label', 'title']) set(this.#buttons.repeat, name, names[repeat])
    set(this.#buttons.repeat, 'data-repeat', repeat)
  }

  /** Shows whether the panel of what plays next is open. */
  drawUpNext(open) {
    set(this.#buttons.list, 'aria-expanded', String(open))
  }

  #follow() {
    this.#drawPosition()
    this.#frame = requestAnimationFrame(() => this.#follow())
  }

  #drawPosition() {
    const { duration, position: at, playing } = this.#listening.playback
    this.#waveform.at(duration > 0 ? at / duration : 0)
    this.#pulse.at(at, playing)
    write($('elapsed'), clock(at))
    write($('length'), clock(duration))
    const seek = $('seek')
    seek.max = String(duration || 1)
    if (!seek.matches(':active')) seek.value = String(at)
    set(seek, 'aria-valuetext', `${clock(at)} of ${clock(duration)}`)
  }

  async #read({ id }) {
    this.#reading?.abort()
    this.#reading = new AbortController()
    const { signal } = this.#reading
    this.show(undefined)
    try {
      this.show(await own(`track?id=${id}`, undefined, signal))
    } catch (error) {
      if (!signal.aborted) this.#doings.failed(error)
    }
  }

  /** Shows what is known of the track besides its row. */
  show(detail) {
    this.#detail = detail
    this.#waveform.show(detail)
    this.#pulse.show(detail)
    this.#drawPosition()
  }

  /** A menu of the sections and cues of the track, to go there. */
  openPlaces() {
    const { cues = [], sections = [] } = this.#detail ?? {}
    const named = sections.map((time, i) => ({ time, label: `Section ${i + 1}` }))
    const places = [...cues, ...named].sort((a, b) => a.time - b.time)
    const go = ({ time }) => this.#listening.playback.seek(time)
    const choices = places.map((place) => [`${clock(place.time)} ${place.label}`, () => go(place)])
    if (choices.length > 0) openMenu(this.#buttons.places, choices)
  }
}

function write(target, text) {
  if (target.textContent !== text) target.textContent = text
}
