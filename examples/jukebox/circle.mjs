// Draws a piece as a circle: beats as strokes, sections as bows outside, twins joined by arcs inside.
import { html } from '../report/html.mjs'
import { clock } from '../report/words.mjs'

const RADIUS = 380
const BOW = 452
const LABEL = 466
/** The part of the circle that stays empty between the end and the start. */
const GAP = 0.012
/** Labels that are closer than this part of the circle would touch. */
const ROOM = 0.035

/**
 * @param {ReturnType<typeof import('./branches.mjs').branchesOf>} piece
 * @param {number} duration seconds
 */
export function circle({ beats, branches, last }, duration) {
  const turn = (seconds) => GAP / 2 + (1 - GAP) * (seconds / duration)
  const middle = ({ start, end }) => turn((start + end) / 2)
  const loudest = Math.max(...beats.map(({ loudness }) => loudness))
  const pairs = new Map()
  for (const { beat, twin } of branches) {
    const [a, b] = beat < twin ? [beat, twin] : [twin, beat]
    pairs.set(`${a} ${b}`, [a, b])
  }
  const opacity = Math.max(0.12, Math.min(0.6, 60 / (pairs.size + 1))).toFixed(2)
  return html`<svg id="wheel" viewBox="-500 -500 1000 1000" role="slider" tabindex="0" aria-label="Beat"
 aria-valuemin="1" aria-valuemax="${beats.length}" aria-valuenow="1" aria-valuetext="beat 1">
<g class="bows" aria-hidden="true">${bows(beats, duration, turn)}</g>
<g class="arcs" aria-hidden="true" style="--arc: ${opacity}">
${[...pairs.values()].map(([a, b]) => arc(a, b, middle(beats[a]), middle(beats[b])))}
${last.beat < beats.length && arc(last.twin, last.beat, middle(beats[last.twin]), middle(beats[last.beat]), 'last')}
</g>
<g class="beats" aria-hidden="true">
${beats.map((beat, i) => {
  const length = 8 + 50 * Math.max(0, 1 + (beat.loudness - loudest) / 30)
  const width = 2 * Math.PI * (RADIUS + 8) * (turn(beat.end) - turn(beat.start))
  return html`<path id="b${i}" d="M${point(middle(beat), RADIUS + 6)}L${point(middle(beat), RADIUS + 6 + length)}" style="--width: ${Math.max(1, width - Math.min(2.5, width / 3)).toFixed(1)}px"/>
`
})}</g>
</svg>`
}

/** The line between two points of the circle that meets it at right angles at both. */
function arc(a, b, from, to, name) {
  const angle = Math.PI * (to - from)
  const radius = Math.min(1e5, Math.abs(RADIUS * Math.tan(angle)))
  const sweep = to - from > 0.5 ? 1 : 0
  return html`<path data-a="${a}" data-b="${b}" class="${name}" d="M${point(from, RADIUS)}A${radius.toFixed(1)} ${radius.toFixed(1)} 0 0 ${sweep} ${point(to, RADIUS)}"/>
`
}

function bows(beats, duration, turn) {
  const starts = [
    0,
    ...beats.filter((b, i) => i > 0 && b.section !== beats[i - 1].section).map((b) => b.start),
  ]
  let labelled = Number.NEGATIVE_INFINITY
  return starts.map((start, i) => {
    const from = turn(start) + 0.0015
    const to = turn(starts[i + 1] ?? duration) - 0.0015
    if (to <= from) return undefined
    const large = to - from > 0.5 ? 1 : 0
    const fits = from - labelled >= ROOM && from < 1 - ROOM
    if (fits) labelled = from
    const anchor =
      from < 0.02 || Math.abs(from - 0.5) < 0.02 ? 'middle' : from < 0.5 ? 'start' : 'end'
    const [x, y] = point(from, LABEL).split(' ').map(Number)
    return html`<path d="M${point(from, BOW)}A${BOW} ${BOW} 0 ${large} 1 ${point(to, BOW)}"/>
${fits && html`<text x="${x}" y="${y}" text-anchor="${anchor}" dominant-baseline="middle">${clock(start)}</text>`}`
  })
}

/** Where a part of the way round lies, clockwise from the top. */
function point(turn, radius) {
  const angle = 2 * Math.PI * turn
  return `${(radius * Math.sin(angle)).toFixed(1)} ${(-radius * Math.cos(angle)).toFixed(1)}`
}
