// Draws a piece as a circle: beats as strokes, sections as bows outside, twins joined by arcs inside.
import { html } from '../../report/html.mjs'
import { clock } from '../../report/words.mjs'

const RADIUS = 366
/** How far the loudest beat stands out, and the softest; the least decibels between them. */
const LOUD = 78
const SOFT = 14
const RANGE = 12
/** So many of the softest beats are drawn alike: silence would leave no height for the music. */
const FADED = 0.05
const BOW = 456
const LABEL = 468
/** The part of the circle that stays empty between the end and the start. */
const GAP = 0.012
/** Labels that are closer than this part of the circle would touch. */
const ROOM = 0.035

/**
 * @param {import('../branches.mjs').Piece} piece
 * @param {number} duration seconds
 * @returns the drawing, as markup; strokes have the ids `b0`, `b1` …, arcs stand in the order of
 *   `candidates`, and that of the last branch follows them
 */
export function circle({ beats, candidates, last }, duration) {
  const turn = (seconds) => turnAt(seconds, duration)
  const middle = ({ start, end }) => turn((start + end) / 2)
  const levels = beats.map(({ loudness }) => loudness).sort((a, b) => a - b)
  const loudest = levels.at(-1)
  const range = Math.max(RANGE, loudest - levels[Math.floor(FADED * levels.length)])
  const arcs = [...candidates, last].filter(({ beat }) => beat < beats.length)
  return html`<svg id="wheel" viewBox="-500 -500 1000 1000" role="slider" tabindex="0" aria-label="Beat"
 aria-valuemin="1" aria-valuemax="${beats.length}" aria-valuenow="1" aria-valuetext="beat 1">
<g class="bows" aria-hidden="true">${bows(beats, duration, turn)}</g>
<g class="arcs" aria-hidden="true">${arcs.map(({ beat, twin }) => {
    const colour = colourOf(beats[twin])
    return html`<path style="${colour}" d="${arc(middle(beats[twin]), middle(beats[beat]))}"/>`
  })}</g>
<path id="heard" aria-hidden="true"/>
<g class="beats" aria-hidden="true">${beats.map((beat, i) => {
    const length = SOFT + (LOUD - SOFT) * Math.max(0, 1 + (beat.loudness - loudest) / range)
    const width = 2 * Math.PI * RADIUS * (turn(beat.end) - turn(beat.start))
    const [from, to] = [RADIUS + 6, RADIUS + 6 + length].map((r) => point(middle(beat), r))
    const thick = Math.max(1.5, width - Math.min(2.5, width / 4)).toFixed(1)
    return html`<path id="b${i}" style="${colourOf(beat)};--width:${thick}px" d="M${from}L${to}"/>`
  })}</g>
</svg>`
}

/** Where a moment lies, as a part of the way round, clockwise from the top. */
export function turnAt(seconds, duration) {
  return GAP / 2 + (1 - GAP) * (seconds / duration)
}

/** The bow under a beat that marks it as heard. */
export function heardBow({ start, end }, duration) {
  const [from, to] = [start, end].map((seconds) => point(turnAt(seconds, duration), RADIUS))
  return `M${from}A${RADIUS} ${RADIUS} 0 0 1 ${to}`
}

function colourOf({ colour: [light, chroma, hue] }) {
  return `--l:${light};--c:${chroma};--h:${hue}`
}

/** The line between two points of the circle that meets it at right angles at both. */
function arc(from, to) {
  const radius = Math.min(1e5, Math.abs((RADIUS - 6) * Math.tan(Math.PI * (to - from)))).toFixed(1)
  const sweep = to - from > 0.5 ? 1 : 0
  return `M${point(from, RADIUS - 6)}A${radius} ${radius} 0 0 ${sweep} ${point(to, RADIUS - 6)}`
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

/** The point at a part of the way round. */
function point(turn, radius) {
  const angle = 2 * Math.PI * turn
  return `${(radius * Math.sin(angle)).toFixed(1)} ${(-radius * Math.cos(angle)).toFixed(1)}`
}
