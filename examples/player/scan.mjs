// Takes a folder into the library, one at a time, and says how far it has come.
import { existsSync } from 'node:fs'
import { sep } from 'node:path'
import { absolute } from './folders.mjs'
import { Refusal } from './guard.mjs'

/** So many tracks at most wait until they are shown, and so long. */
const BATCH = 25
const BATCH_MILLISECONDS = 1000
/** Files that could not be taken in are told by name up to this many. */
const FAILURES = 100

/** @typedef {'idle' | 'running' | 'done' | 'cancelled' | 'failed'} Status */

export class Scan {
  #music
  #files
  #abort
  #ended = Promise.resolve()
  /** Of the last scan, or the one that is under way. */
  state = {
    status: /** @type {Status} */ ('idle'),
    folder: '',
    done: 0,
    total: 0,
    shown: 0,
    failed: 0,
    failures: [],
    removed: 0,
    error: '',
  }

  constructor(music, files) {
    this.#music = music
    this.#files = files
  }

  /** Begins a scan; how it goes is in `state`. */
  start(folder) {
    if (this.state.status === 'running') {
      throw new Refusal(409, `${this.state.folder} is still being scanned: wait, or cancel that.`)
    }
    if (typeof folder !== 'string' || folder.trim() === '') {
      throw new Refusal(400, 'Give the path of a folder, as /home/you/Music.')
    }
    const path = absolute(folder)
    this.state = {
      status: 'running',
      folder: path,
      done: 0,
      total: 0,
      shown: 0,
      failed: 0,
      failures: [],
      removed: 0,
      error: '',
    }
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
    const before = await this.#files.paths()
    const pathOf = new Map()
    const taken = new Set()
    let batch = new Map()
    let since = Date.now()
    const show = async () => {
      // Another track under a path that is known: the file was changed.
      const gone = [...batch.keys()]
        .map((path) => before.get(path))
        .filter((id) => id !== undefined && !taken.has(id))
      await this.#files.update(batch, gone)
      state.shown += batch.size
      state.removed += gone.length
      batch = new Map()
      since = Date.now()
    }
    const fail = (file, error) => {
      state.failed++
      if (state.failures.length < FAILURES) state.failures.push({ file, error })
    }
    const onProgress = ({ file, done, total, track, error }) => {
      Object.assign(state, { done, total })
      if (error) fail(file, error.message)
      else pathOf.set(track.id, file)
    }
    try {
      for await (const { id, answer } of this.#music.tracks.uploadFolder(state.folder, {
        onProgress,
        signal,
      })) {
        const path = pathOf.get(id)
        if (answer.status === 'error') {
          fail(path, answer.error)
          continue
        }
        taken.add(id)
        batch.set(path, id)
        if (batch.size >= BATCH || Date.now() - since > BATCH_MILLISECONDS) await show()
      }
    } finally {
      await show()
    }
    const inside = state.folder.endsWith(sep) ? state.folder : state.folder + sep
    const gone = [...before]
      .filter(([path, id]) => path.startsWith(inside) && !taken.has(id) && !existsSync(path))
      .map(([, id]) => id)
    await this.#files.update([], gone)
    state.removed += gone.length
  }
}
