// Five stars: a rating of 0 to 10.
import { element } from './element.mjs'
import { stars } from './words.mjs'

/** Stars that are set by a click on one, or by the arrows. */
export function ratingOf(title, rating, rate, tabIndex = 0) {
  const half = (rating ?? 0) / 2
  const made = [1, 2, 3, 4, 5].map((star) => {
    const fill = half >= star ? 'full' : half > star - 1 ? 'half' : ''
    // A click on the star that is already the last takes the rating back.
    const onclick = () => rate(rating === star * 2 ? undefined : star * 2)
    return element('span', { class: `star ${fill}`, onclick })
  })
  const onkeydown = (event) => {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key]
    if (step === undefined) return
    rate(Math.min(10, Math.max(0, Math.round(half + step) * 2)) || undefined)
    event.preventDefault()
    event.stopPropagation()
  }
  return element(
    'span',
    {
      class: 'stars',
      role: 'slider',
      tabindex: String(tabIndex),
      'aria-label': `Rating: ${title}`,
      'aria-valuemin': '0',
      'aria-valuemax': '5',
      'aria-valuenow': String(half),
      'aria-valuetext': stars(rating),
      onkeydown,
    },
    ...made,
  )
}
