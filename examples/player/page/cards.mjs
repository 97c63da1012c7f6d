// Albums or artists as cards, which are loaded as one scrolls.
import { element, iconButton } from './element.mjs'
import { addressOf } from './views.mjs'
import { encoded, own } from './wire.mjs'
import { count, isolated } from './words.mjs'

export class Cards {
  #box
  #doings
  #asked = 0
  #seen

  /**
   * @param {HTMLElement} box - a list
   * @param {{ tune: (title: string, seed: object) => void, failed: (error: Error) => void }} doings
   */
  constructor(box, doings) {
    this.#box = box
    this.#doings = doings
  }

  /**
   * Shows the cards whose names have the words.
   *
   * @param {'albums' | 'artists'} kind
   * @returns {Promise<number>} how many there are
   */
  async show(kind, words = '') {
    const asked = ++this.#asked
    this.#seen?.disconnect()
    const first = await this.#page(kind, words, 0)
    if (asked !== this.#asked) return first.total
    this.#box.replaceChildren(...first.cards.map((card) => this.#card(kind, card)))
    this.#box.scrollTop = 0
    this.#follow(kind, words, first.total)
    return first.total
  }

  #page(kind, words, start) {
    return own(`${kind}?${encoded({ words, start })}`)
  }

  /** Loads the next page when the last card comes into sight. */
  #follow(kind, words, total) {
    const last = this.#box.lastElementChild
    const start = this.#box.children.length
    if (!last || start >= total) return
    const asked = this.#asked
    this.#seen = new IntersectionObserver(async ([{ isIntersecting }], observer) => {
      if (!isIntersecting) return
      observer.disconnect()
      try {
        const { cards } = await this.#page(kind, words, start)
        if (asked !== this.#asked) return
        this.#box.append(...cards.map((card) => this.#card(kind, card)))
        this.#follow(kind, words, total)
      } catch (error) {
        this.#doings.failed(error)
      }
    })
    this.#seen.observe(last)
  }

  #card(kind, { id, title, artist, year, tracks, trackId }) {
    const album = kind === 'albums'
    const href = album ? addressOf('album', id, title, artist) : addressOf('artist', title)
    const seed = album ? { album: title, ...(artist && { artist }) } : { artist: title }
    const who = album && artist && isolated(artist)
    const note = [who, year, count(tracks, 'track')].filter(Boolean).join(' · ')
    const image = element('img', { src: `/player/cover/${trackId}`, alt: '', loading: 'lazy' })
    return element(
      'li',
      { class: kind },
      element(
        'a',
        { href },
        image,
        element('span', { class: 'name' }, title),
        element('span', { class: 'who' }, note),
      ),
      iconButton('radio', 'Start a radio', () => this.#doings.tune(title, seed), { of: title }),
    )
  }
}
