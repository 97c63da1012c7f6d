// Draws tracks as points on a map: tempo to the right, energy upwards.
import { html } from './html.mjs'
import { decimals, keyName } from './words.mjs'

const STEPS = [1, 2, 5, 10, 20, 50, 100]

/** @param {object[]} tracks those of the table, in its order */
export function tempoMap(tracks) {
  const points = tracks
    .map((track, i) => ({ ...track.audioSummary, title: track.title, artist: track.artist, i }))
    .filter(({ tempo, energy }) => tempo > 0 && energy !== null)
  const tempos = points.map(({ tempo }) => tempo)
  const [least, most] = tempos.length > 0 ? [Math.min(...tempos), Math.max(...tempos)] : [60, 180]
  const step = STEPS.find((step) => (most - least) / step <= 6) ?? 200
  const from = Math.floor((least - step / 10) / step) * step
  const to = Math.ceil((most + step / 10) / step) * step
  const x = (tempo) => `${((100 * (tempo - from)) / (to - from)).toFixed(2)}%`
  const marks = Array.from(
    { length: Math.round((to - from) / step) + 1 },
    (_, i) => from + i * step,
  )
  const left = tracks.length - points.length
  return html`<section class="map">
<h2>Tempo and energy</h2>
<p class="quiet">Each point is a track. <i class="dot major"></i> major <i class="dot minor"></i> minor</p>
<div class="frame">
<span class="up" aria-hidden="true">energy</span>
${[0, 0.25, 0.5, 0.75, 1].map(
  (energy) =>
    html`<span class="y" style="bottom:${100 * energy}%" aria-hidden="true">${energy}</span>`,
)}
${marks.map((tempo) => html`<span class="x" style="left:${x(tempo)}" aria-hidden="true">${tempo}</span>`)}
<span class="right" aria-hidden="true">tempo, BPM</span>
<div class="points" id="points" role="group" aria-label="Map of ${points.length} tracks by tempo and energy; arrow keys go from point to point">
${points.map((point) => {
  const name = [point.artist, point.title].filter(Boolean).join(' – ')
  const facts = `${decimals(point.tempo)} BPM, energy ${decimals(point.energy, 2)}, ${keyName(point.key, point.mode)}`
  return html`<a class="${point.mode === 1 ? 'major' : 'minor'}" href="#t${point.i}" style="left:${x(point.tempo)};bottom:${(100 * point.energy).toFixed(1)}%"
 aria-label="${name}: ${facts}" data-title="${point.title}" data-artist="${point.artist}" data-facts="${facts}"><span hidden>${point.title}</span></a>
`
})}</div>
<div id="tip" aria-hidden="true" hidden><b></b><span></span><small></small></div>
</div>
${left > 0 && html`<p class="quiet">${left} without a beat ${left === 1 ? 'is' : 'are'} only in the table.</p>`}
</section>`
}
