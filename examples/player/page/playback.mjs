// Plays a track, arranges the one after it in time, and tells what was heard.
import { arrange, isNext, joinOf, levelOf } from './join.mjs'
import { LongVoice } from './long-voice.mjs'
import { Voice } from './voice.mjs'
import { encoded, own } from './wire.mjs'

/** A track counts as played after half of it, or after four minutes (as scrobblers have it). */
const PLAYED_SHARE = 0.5
const PLAYED_SECONDS = 240
/** Seconds before a join at which it is arranged, and the least that it takes. */
const [EARLY, LEAST] = [4, 0.1]
/** Milliseconds between two looks at the time. */
const LOOK = 200
/** Seconds of a track that is not decoded as a whole: 20 minutes take 400 MB. */
const LONG = 1200

export class Playback {
  /** Whether tracks are mixed into each other. */
  mixes = true
  #events
  #context
  #out
  #track
  #voice
  /** The track before, while it fades out. */
  #leaving
  /** The position where the track is to start, while nothing sounds. */
  #held = 0
  #playing = false
  #heard = false
  #volume = 1
  /** The track after: `{ track, buffer, plan, voice, join }`, as far as they are there. */
  #next
  #turn = 0

  /**
   * @param {object} events
   * @param {() => void} events.changed - another track, or playing or not
   * @param {(id: string, action: 'play' | 'skip') => void} events.count
   * @param {() => void} events.ended - and nothing was arranged to follow
   * @param {() => void} events.crossed - the track that was expected has taken over
   * @param {(message: string) => void} events.failed
   */
  constructor(events) {
    this.#events = events
    setInterval(() => this.#look(), LOOK)
  }

  get track() {
    return this.#track
  }

  get playing() {
    return this.#playing
  }

  /** Whether enough was heard of the track to count. */
  get heard() {
    return this.#heard
  }

  /** Seconds; of the file as the browser plays it, else as it was analysed. */
  get duration() {
    return this.#voice?.duration ?? this.#track?.duration ?? 0
  }

  get position() {
    return this.#voice ? this.#voice.positionAt(this.#context.currentTime) : this.#held
  }

  get volume() {
    return this.#volume
  }

  set volume(volume) {
    this.#volume = volume
    if (this.#out) this.#out.gain.value = volume
  }

  /** Makes a track ready, without a sound. */
  load(track, position = 0) {
    this.#skipped()
    this.#turn++
    this.#voice?.stop()
    this.#leaving?.stop()
    this.#voice = undefined
    this.#track = track
    this.#held = position
    this.#heard = false
    this.#events.changed()
  }

  /** The same track, of which something else is known now. */
  renew(track) {
    if (this.#track?.id !== track.id) return
    this.#track = track
    this.#events.changed()
  }

  play(track) {
    const prepared = this.#next?.track.id === track.id ? this.#next.buffer : undefined
    this.#forget()
    this.load(track)
    return this.#start(prepared)
  }

  pause() {
    this.#playing = false
    this.#context?.suspend()
    this.#events.changed()
  }

  toggle() {
    if (this.#playing) this.pause()
    else this.#start()
  }

  seek(seconds) {
    if (!this.#track) return
    const position = Math.min(Math.max(0, seconds), Math.max(0, this.duration - 0.05))
    this.#forget(true)
    this.#leaving?.stop()
    this.#held = position
    this.#voice?.start([{ at: this.#context.currentTime, position, rate: 1 }])
    this.#events.changed()
  }

  /** Says which track follows, so that it is ready when the one that plays ends. */
  expect(track) {
    if (track?.id === this.#next?.track.id) return
    this.#forget()
    if (track) this.#next = { track }
  }

  async #start(prepared) {
    const turn = this.#turn
    const track = this.#track
    this.#playing = true
    this.#events.changed()
    try {
      this.#open()
      await this.#context.resume()
      if (this.#voice || turn !== this.#turn) return
      const voice = await this.#voiceOf(track, prepared)
      if (turn !== this.#turn) return
      voice.start([{ at: this.#context.currentTime, position: this.#held, rate: 1 }])
      this.#voice = voice
      this.#events.changed()
    } catch (error) {
      if (turn !== this.#turn) return
      this.#playing = false
      this.#events.changed()
      this.#events.failed(`“${track.title}” cannot be played: ${error.message}`)
    }
  }

  /** The context, on the first press of a key: before, the browser lets nothing sound. */
  #open() {
    if (this.#context) return
    this.#context = new AudioContext({ latencyHint: 'playback' })
    this.#out = new GainNode(this.#context, { gain: this.#volume })
    this.#out.connect(this.#context.destination)
  }

  async #voiceOf(track, prepared, level = this.mixes ? levelOf(track) : 1) {
    const address = `/player/audio/${encodeURIComponent(track.id)}`
    if (track.duration > LONG) return new LongVoice(this.#context, this.#out, track, address)
    const buffer = await (prepared ?? this.#decoded(address))
    return new Voice(this.#context, this.#out, track, buffer, level)
  }

  async #decoded(address) {
    const response = await fetch(address).catch(() => undefined)
    if (!response) throw new Error('the player does not answer; is it still running?')
    if (!response.ok) throw new Error((await response.json()).error)
    const type = response.headers.get('content-type')
    return this.#context.decodeAudioData(await response.arrayBuffer()).catch(() => {
      throw new Error(`this browser does not play ${type}.`)
    })
  }

  #look() {
    if (!this.#playing || !this.#voice) return
    this.#countPlay()
    const now = this.#context.currentTime
    const next = this.#next
    if (next?.voice && now >= next.join.at + next.join.seconds / 2) return this.#cross()
    if (now >= this.#voice.end) {
      this.#playing = false
      this.#held = 0
      this.#voice = undefined
      this.#events.changed()
      this.#events.ended()
    } else if (next && !next.asked) this.#prepare(next)
    else if (next?.ready && !next.voice) {
      const join = joinOf(this.#voice, next.plan, now + LEAST)
      if (join.at - now < EARLY) this.#arrange(next, join)
    }
  }

  /** Reads the track after, and how to go there. */
  async #prepare(next) {
    next.asked = true
    const [from, to] = [this.#track, next.track]
    if (Math.max(from.duration, to.duration) > LONG) return
    const address = `/player/audio/${encodeURIComponent(to.id)}`
    const asked = encoded({ from: from.id, to: to.id })
    const album = isNext(from, to)
    next.level = album ? this.#voice.level : undefined
    try {
      next.buffer = this.#decoded(address)
      const plan =
        this.mixes && !album ? own(`transition?${asked}`).catch(() => undefined) : undefined
      ;[next.decoded, next.plan] = await Promise.all([next.buffer, plan])
      next.ready = true
    } catch {
      // It is told when its turn comes.
      next.buffer = undefined
    }
  }

  async #arrange(next, join) {
    next.join = join
    const voice = await this.#voiceOf(next.track, next.decoded, next.level)
    // Something else is to follow by now.
    if (this.#next !== next || next.voice) return
    next.voice = voice
    arrange(this.#voice, voice, join)
  }

  /** The track after is the one that plays now. */
  #cross() {
    const { track, voice } = this.#next
    this.#next = undefined
    this.#skipped()
    this.#turn++
    this.#track = track
    this.#leaving = this.#voice
    this.#voice = voice
    this.#heard = false
    this.#events.crossed()
    this.#events.changed()
  }

  /** Takes back what was to follow; with `keep`, only its place in time. */
  #forget(keep = false) {
    const next = this.#next
    if (next?.voice) {
      next.voice.stop()
      next.voice = undefined
      this.#voice?.unfade()
    }
    if (!keep) this.#next = undefined
  }

  #countPlay() {
    if (this.#heard || this.position < Math.min(this.duration * PLAYED_SHARE, PLAYED_SECONDS))
      return
    this.#heard = true
    this.#events.count(this.#track.id, 'play')
  }

  /** A track that is left before it counts as played was skipped, if it was heard at all. */
  #skipped() {
    if (!this.#voice || this.#heard || this.position < 1) return
    this.#events.count(this.#track.id, 'skip')
  }
}
