// Five stars: a rating of 0 to 10.
import { element, set } from './element.mjs'
import { stars } from './words.mjs'

/** Stars that show no rating yet, and take none. */
export function ratingOf(tabindex = '0') {
  const range = { 'aria-valuemin': '0', 'aria-valuemax': '5' }
  return element('span', { class: 'stars', role: 'slider', tabindex, ...range })
}

/** Shows what a track is rated. */
export function showRating(slider, title, rating) {
  set(slider, 'aria-label', `Rating: ${title}`)
  set(slider, 'aria-valuenow', String((rating ?? 0) / 2))
  set(slider, 'aria-valuetext', stars(rating))
  slider.style.setProperty('--stars', String((rating ?? 0) / 2))
}

/** Lets the rating be set by a click on a star, or by the arrows. */
export function takeRating(slider, rate) {
  const now = () => Number(slider.getAttribute('aria-valuenow'))
  const starAt = ({ offsetX }) => Math.max(1, Math.ceil((offsetX / slider.offsetWidth) * 5))
  slider.addEventListener('pointermove', (event) => {
    slider.style.setProperty('--over', String(starAt(event)))
  })
  slider.addEventListener('pointerleave', () => slider.style.removeProperty('--over'))
  slider.addEventListener('click', (event) => {
    const star = starAt(event)
    // A click on the star that is already the last takes the rating back.
    rate(star === now() ? undefined : star * 2)
  })
  slider.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key]
    if (step === undefined) return
    rate(Math.min(10, Math.max(0, Math.round(now() + step) * 2)) || undefined)
    event.preventDefault()
    event.stopPropagation()
  })
  return slider
}
