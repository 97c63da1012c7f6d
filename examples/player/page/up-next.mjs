// The panel of what plays next, and why.
import { button, element, iconButton } from './element.mjs'
import { clock, count, figuresOf, isolated, reasonsOf } from './words.mjs'

/** Tracks that are shown ahead. */
const AHEAD = 20
const LIKE = { more: 'More like this', less: 'Less like this' }

export class UpNext {
  #box
  #listening
  #library
  #doings

  /**
   * @param {HTMLElement} box
   * @param {import('./listening.mjs').Listening} listening
   * @param {import('./library.mjs').Library} library
   * @param {{ steer: (way: 'more' | 'less', id: string) => void, failed: (error: Error) => void }} doings
   */
  constructor(box, listening, library, doings) {
    this.#box = box
    this.#listening = listening
    this.#library = library
    this.#doings = doings
    box.querySelector('#mixes').addEventListener('change', ({ target }) => {
      listening.setMixes(target.checked)
    })
  }

  get open() {
    return !this.#box.hidden
  }

  show(open) {
    this.#box.hidden = !open
    if (open) this.draw()
  }

  async draw() {
    if (!this.open) return
    const { queue } = this.#listening
    const steps = queue.upcoming(AHEAD)
    await this.#library.want(steps.map(({ id }) => id)).catch(this.#doings.failed)
    const { radio, current } = queue
    const now = this.#library.row(current)
    this.#box.querySelector('#mixes').checked = this.#listening.playback.mixes
    const [title, note, steering, list] = ['h2', '.note', '.steering', 'ol'].map((one) =>
      this.#box.querySelector(one),
    )
    title.textContent = radio ? `Radio: ${radio.title}` : 'Up next'
    steering.hidden = !radio || !now
    if (!steering.hidden) this.#drawSteering(steering, now)
    const place = [...list.children].findIndex((one) => one.contains(document.activeElement))
    list.replaceChildren(...steps.flatMap((step, at) => this.#step(step, at) ?? []))
    if (place >= 0)
      list.children[Math.min(place, list.children.length - 1)]?.querySelector('button').focus()
    note.textContent = this.#note(steps, radio)
  }

  #note(steps, radio) {
    if (radio) return steps.length === 0 ? (radio.ended ?? 'Looking for what follows …') : ''
    const { rest } = this.#listening.queue
    if (steps.length === 0) return 'Nothing follows. Play a track of a list, or start a radio.'
    return rest > steps.length ? `and ${count(rest - steps.length, 'track')} more` : ''
  }

  #drawSteering(box, now) {
    const buttons = ['more', 'less'].map((way) =>
      button(LIKE[way], () => this.#doings.steer(way, now.id), {
        'aria-label': `${LIKE[way]}: ${now.title}`,
      }),
    )
    const place = [...box.children].indexOf(document.activeElement)
    box.replaceChildren(...buttons)
    if (place >= 0) buttons[place].focus()
  }

  #step(step, at) {
    const row = this.#library.row(step.id)
    if (!row) return undefined
    const { queue } = this.#listening
    const who = `${isolated(row.artist || 'unknown')} · ${clock(row.duration)}`
    const play = element(
      'button',
      { type: 'button', class: 'step', onclick: () => this.#listening.next({ step }) },
      element('span', { class: 'name' }, row.title),
      element('span', { class: 'who' }, who),
    )
    if (step.reasons) {
      const why = reasonsOf(step.reasons)
      play.append(element('span', { class: 'why', title: figuresOf(step.reasons) }, why))
    }
    const act = (name, label, does) => iconButton(name, label, does, { of: row.title })
    const steering = ['more', 'less'].map((way) =>
      act(way, LIKE[way], () => this.#doings.steer(way, step.id)),
    )
    const acts = step.queued
      ? [act('close', 'Remove', () => queue.remove(at))]
      : step.reasons
        ? steering
        : []
    return element('li', { 'data-id': step.id }, play, ...acts)
  }
}
