// The panel that tunes the jukebox: how alike twins are, where jumps lead, and how it ends.
import { html } from '../../report/html.mjs'
import { clock, decimals } from '../../report/words.mjs'
import { tuned, whyNone } from '../branches.mjs'

const $ = (id) => document.getElementById(id)

/** @param {(tune: import('../branches.mjs').Tune) => void} changed */
export function tunePanel(changed) {
  let song

  $('tune').addEventListener('input', () => {
    changed(told())
    say()
  })
  $('tune').addEventListener('submit', (event) => event.preventDefault())
  $('tune').addEventListener('reset', (event) => {
    event.preventDefault()
    show({ ...song, tune: { threshold: song.threshold, jumps: 'both', last: true } })
    changed(told())
  })
  $('twins').addEventListener('toggle', say)

  return { show }

  function show(shown) {
    song = shown
    $('threshold').value = song.tune.threshold
    $('direction').value = song.tune.jumps
    $('last').checked = song.tune.last
    say()
  }

  function told() {
    const threshold = Number($('threshold').value)
    return { threshold, jumps: $('direction').value, last: $('last').checked }
  }

  /** What is open under the tune, in words and as a table. */
  function say() {
    const tune = told()
    const { branches } = tuned(song, tune)
    const from = new Set(branches.map(({ beat }) => beat)).size
    $('threshold-value').textContent = decimals(tune.threshold, 2)
    $('open').textContent =
      branches.length > 0
        ? `${branches.length} branches from ${from} of ${song.beats.length} beats.`
        : `No branch. ${whyNone(song, tune)}`
    if ($('twins').open) $('rows').innerHTML = String(html`${rows(song, branches)}`)
  }
}

function rows({ beats }, branches) {
  const lists = new Map()
  for (const branch of branches) lists.set(branch.beat, [...(lists.get(branch.beat) ?? []), branch])
  return [...lists]
    .sort(([a], [b]) => a - b)
    .map(
      ([
        beat,
        twins,
      ]) => html`<tr><th scope="row">${beat + 1}</th><td>${clock(beats[beat].start)}</td>
<td>${twins.map(({ twin, distance }) => `${twin + 1} (${decimals(distance, 2)})`).join(', ')}</td></tr>`,
    )
}
