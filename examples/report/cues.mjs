// Shows where a track can be entered, left and mixed: as flags on the line of time, and as a table.
import { html } from './html.mjs'
import { clock, percent } from './words.mjs'

const NAMES = {
  start: 'start',
  musicStart: 'music',
  introEnd: 'intro ends',
  mixIn: 'mix in',
  highlight: 'highlight',
  loudest: 'loudest',
  outroStart: 'outro',
  mixOut: 'mix out',
  end: 'end',
}
/** The part of the line of time that a flag needs, and where flags hang to the left. */
const FLAG = 0.075
const LATE = 0.92

/** @param {import('audile').Cues} cues */
export function cueList(cues) {
  return Object.entries(NAMES)
    .filter(([key]) => cues[key] !== null)
    .map(([key, name]) => ({ name, ...cues[key] }))
    .sort((a, b) => a.time - b.time)
    .map((cue, i) => ({ ...cue, number: i + 1 }))
}

/** The flags, in as many rows as they need not to cover one another. */
export function cueFlags(list, duration) {
  const ends = []
  const flags = list.map(({ name, number, time }) => {
    const share = Math.min(1, time / duration)
    const from = share > LATE ? share - FLAG : share
    let row = ends.findIndex((end) => end <= from)
    if (row < 0) row = ends.length
    ends[row] = from + FLAG
    const side = share > LATE ? `right:${100 * (1 - share)}%` : `left:${100 * share}%`
    return html`<span class="flag${share > LATE && ' late'}" style="${side};--row:${row}"><b>${number}</b><i> ${name}</i></span>`
  })
  return html`<div class="flags" style="--rows:${ends.length}">${flags}</div>`
}

export function cueTable(list) {
  return html`<table>
<thead><tr><th scope="col" class="number">#</th><th scope="col">cue</th><th scope="col" class="number">at</th>
<th scope="col" class="number">bar</th><th scope="col">confidence</th></tr></thead>
<tbody>${list.map(
    ({ number, name, time, bar, confidence }) => html`<tr><td class="number">${number}</td>
<th scope="row">${name}</th><td class="number">${clock(time)}</td><td class="number">${bar === null ? '–' : bar + 1}</td>
<td>${sure(`Confidence of ${name}`, confidence)}</td></tr>
`,
  )}</tbody></table>`
}

/** A confidence as a bar and a number. */
export function sure(label, share) {
  return html`<span class="sure">${meter(label, share)} ${percent(share)}</span>`
}

export function meter(label, share) {
  return html`<meter min="0" max="1" value="${share}" style="--share:${share}" aria-label="${label}">${percent(share)}</meter>`
}
