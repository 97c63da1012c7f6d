// The form that takes a folder in, and how far that has come.
import { element, set } from './element.mjs'
import { encoded, own } from './wire.mjs'
import { count, lasting } from './words.mjs'

/** Milliseconds between two looks at a scan, and from a letter typed to the folders that fit. */
const LOOK = 400
const TYPING = 150

const FIRST =
  'There is no music here yet. Name a folder on this computer and scan it: each file is listened to once, for its tempo, key and energy. The files stay where they are, and nothing leaves this computer.'
const MORE =
  'All audio files in the folder and below it. What is known already is not listened to again; files that were removed from the folder leave the library.'

export class ScanPanel {
  #box
  #events
  #form
  #timer
  #running = false
  #added = 0

  /**
   * @param {HTMLElement} box
   * @param {object} events
   * @param {() => void} events.grown - something is new in the library
   * @param {(state: object) => void} events.ended
   * @param {(error: Error) => void} events.failed
   */
  constructor(box, events) {
    this.#box = box
    this.#events = events
    this.#form = box.querySelector('form')
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault()
      this.#start()
    })
    box.querySelector('.progress button').addEventListener('click', () => {
      own('scan/cancel', {}).then((state) => this.follow(state), events.failed)
    })
    const { folder } = this.#form.elements
    let typing
    folder.addEventListener('input', () => {
      clearTimeout(typing)
      typing = setTimeout(() => this.#complete(folder.value), TYPING)
    })
  }

  get open() {
    return !this.#box.hidden
  }

  /** @param {boolean} first - whether the library is empty */
  show(first) {
    this.#box.hidden = false
    this.#box.classList.toggle('first', first)
    const [title, lead] = ['#scan-title', '#scan-lead'].map((one) => this.#box.querySelector(one))
    // Where there is nothing else, it is the title of the page.
    set(title, 'aria-level', first && '1')
    title.textContent = first ? 'Add your music' : 'Add a folder'
    lead.textContent = first ? FIRST : MORE
  }

  hide() {
    this.#box.hidden = true
  }

  focus() {
    this.#form.elements.folder.focus()
  }

  suggest(folder) {
    this.#form.elements.folder.value ||= folder
  }

  /** Shows a state of the scan, and goes on looking while it runs. */
  follow(state) {
    clearTimeout(this.#timer)
    const before = this.#running
    this.#running = state.status === 'running'
    this.#draw(state)
    if (state.added > this.#added) this.#events.grown()
    this.#added = state.added ?? 0
    if (this.#running) this.#timer = setTimeout(() => this.#look(), LOOK)
    else if (before) this.#events.ended(state)
  }

  async #start() {
    try {
      this.follow(await own('scan', { folder: this.#form.elements.folder.value }))
    } catch (error) {
      this.#events.failed(error)
    }
  }

  async #look() {
    try {
      this.follow(await own('scan'))
    } catch (error) {
      this.#running = false
      this.#draw({ status: 'failed', failures: [], error: error.message })
      this.#events.failed(error)
    }
  }

  async #complete(typed) {
    const { folders } = await own(`folders?${encoded({ under: typed })}`).catch(() => ({
      folders: [],
    }))
    const options = folders.map((value) => element('option', { value }))
    this.#box.querySelector('datalist').replaceChildren(...options)
  }

  #draw(state) {
    const running = state.status === 'running'
    this.#form.hidden = running
    this.#box.querySelector('#scan-lead').hidden = running
    const box = this.#box.querySelector('.progress')
    box.hidden = state.status === 'idle'
    box.querySelector('button').hidden = !running
    const bar = box.querySelector('progress')
    bar.hidden = !running
    if (state.total > 0) bar.value = state.done / state.total
    else bar.removeAttribute('value')
    box.querySelector('.counts').textContent = toldOf(state)
    const failures = this.#box.querySelector('.failures')
    failures.hidden = !state.failed
    if (!state.failed) return
    failures.querySelector('summary').textContent =
      `${count(state.failed, 'file')} could not be taken in`
    const lines = state.failures.map(({ file, error }) =>
      element('li', {}, element('b', {}, file), element('span', {}, error)),
    )
    failures.querySelector('ul').replaceChildren(...lines)
  }
}

/** What a scan has come to, in words. */
export function toldOf({ status, folder, done, total, shown, gone, left }) {
  // What went wrong, the alert says.
  if (status === 'idle' || status === 'failed') return ''
  if (status === 'running') {
    if (total === 0) return `Looking for audio in ${folder} …`
    const rest = left === undefined ? '' : `, about ${lasting(left)} left`
    return `${done.toLocaleString('en')} of ${count(total, 'file')}${rest}`
  }
  if (status === 'cancelled')
    return `Stopped at ${done.toLocaleString('en')} of ${count(total, 'file')}: scan again to go on.`
  if (total === 0) return `There is no audio in ${folder}.`
  const lost = gone > 0 ? `, ${count(gone, 'file')} gone` : ''
  return `${count(shown, 'file')} in ${folder}${lost}.`
}
