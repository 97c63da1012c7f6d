// Corrections of what the analysis heard: a double or half tempo, and where the bars begin.
import { button, element, replace } from './element.mjs'
import { own } from './wire.mjs'
import { beats, clock } from './words.mjs'

export class Corrections {
  #dialog
  #listening
  #events
  #id

  /**
   * @param {HTMLDialogElement} dialog
   * @param {import('./listening.mjs').Listening} listening
   * @param {{ corrected: (id: string, detail: object) => void, failed: (error: Error) => void }} events
   */
  constructor(dialog, listening, events) {
    this.#dialog = dialog
    this.#listening = listening
    this.#events = events
  }

  async open(id, title) {
    try {
      this.#id = id
      this.#dialog.querySelector('h2').textContent = `Correct ${title}`
      this.#draw(await own(`track?id=${id}`))
      this.#dialog.showModal()
    } catch (error) {
      this.#events.failed(error)
    }
  }

  #draw({ corrections = {}, heard = {}, tempo, duration }) {
    const tempoSaid =
      corrections.tempo === undefined
        ? `${beats(tempo)} BPM, as heard`
        : `${beats(tempo)} BPM; ${beats(heard.tempo)} was heard`
    const { downbeat } = corrections
    const oneSaid =
      downbeat === undefined ? 'Bars as heard' : `A bar begins at ${downbeat.toFixed(2)} seconds`
    const change = (label, given, disabled = false) =>
      button(label, () => this.#send(given), { disabled })
    const { track, position } = this.#listening.playback
    const plays = track?.id === this.#id && position > 0 && position < duration
    replace(
      this.#dialog.querySelector('.fields'),
      element('p', {}, tempoSaid),
      element(
        'div',
        { class: 'acts' },
        change('Double', { tempo: 'double' }),
        change('Half', { tempo: 'half' }),
        change('Undo', { tempo: null }, corrections.tempo === undefined),
      ),
      element('p', {}, oneSaid),
      element(
        'div',
        { class: 'acts' },
        button('The one is here', () => this.#one(), { disabled: !plays }),
        change('Undo', { downbeat: null }, downbeat === undefined),
      ),
      element(
        'p',
        { class: 'note' },
        plays
          ? `“Here” is where the track is when you press it, now ${clock(position)}.`
          : 'Play the track, and press “The one is here” on the first beat of a bar.',
      ),
    )
  }

  #one() {
    return this.#send({ downbeat: this.#listening.playback.position })
  }

  async #send(given) {
    try {
      const detail = await own('correct', { id: this.#id, ...given })
      this.#draw(detail)
      this.#events.corrected(this.#id, detail)
    } catch (error) {
      this.#dialog.close()
      this.#events.failed(error)
    }
  }
}
