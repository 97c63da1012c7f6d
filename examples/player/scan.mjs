// Takes a folder into the library, one at a time, and says how far it has come.
import { absolute } from './folders.mjs'
import { Refusal } from './guard.mjs'

/** Files that could not be taken in are told by name up to this many. */
const FAILURES = 100

/** @typedef {'idle' | 'running' | 'done' | 'cancelled' | 'failed'} Status */

export class Scan {
  #music
  #abort
  #ended = Promise.resolve()
  /** Of the last scan, or the one that is under way. */
  state = stateOf('')

  constructor(music) {
    this.#music = music
  }

  /** Begins a scan; how it goes is in `state`. */
  start(folder) {
    if (this.state.status === 'running') {
      throw new Refusal(409, `${this.state.folder} is still being scanned: wait, or cancel that.`)
    }
    if (typeof folder !== 'string' || folder.trim() === '') {
      throw new Refusal(400, 'Give the path of a folder, as /home/you/Music.')
    }
    this.state = { ...stateOf(absolute(folder)), status: 'running' }
    this.#abort = new AbortController()
    this.#ended = this.#run(this.state, this.#abort.signal)
    return this.state
  }

  /** Ends the scan; what it found until then stays. */
  async cancel() {
    this.#abort?.abort(new Error('cancelled'))
    await this.#ended
    return this.state
  }

  async #run(state, signal) {
    try {
      await this.#take(state, signal)
      state.status = 'done'
    } catch (error) {
      state.status = signal.aborted ? 'cancelled' : 'failed'
      if (!signal.aborted) state.error = error.message
    }
  }

  async #take(state, signal) {
    const scan = this.#music.tracks.scan(state.folder, { signal })
    let began
    for await (const { kind, file, track, error } of scan) {
      Object.assign(state, { done: scan.done, total: scan.total })
      // Files that did not change take no time worth counting.
      if (kind !== 'unchanged') began ??= { time: Date.now(), done: scan.done - 1 }
      if (began) state.left = secondsLeft(scan, began)
      const { status, error: reason } = track?.answer ?? {}
      if (kind === 'missing') state.gone++
      else if (error || status === 'error') {
        state.failed++
        const failure = { file, error: error?.message ?? reason }
        if (state.failures.length < FAILURES) state.failures.push(failure)
      } else {
        state.shown++
        if (kind !== 'unchanged') state.added++
      }
    }
  }
}

/** Seconds until the rest is done, at the pace of what was done since then; not of one file alone. */
export function secondsLeft({ done, total }, began, now = Date.now()) {
  const files = done - began.done - 1
  return files < 1 ? undefined : ((now - began.time) / 1000 / files) * (total - done)
}

function stateOf(folder) {
  const counts = { done: 0, total: 0, shown: 0, added: 0, failed: 0, gone: 0 }
  return { status: /** @type {Status} */ ('idle'), folder, ...counts, failures: [], error: '' }
}
