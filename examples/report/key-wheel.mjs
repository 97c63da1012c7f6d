// Draws how many tracks are in which key, around the Camelot wheel: the circle of fifths, numbered.
import { camelot } from 'audile/analysis'
import { html } from './html.mjs'
import { keyName, pitchName } from './words.mjs'

/** Radii of the rings, and of what is written in them: major outside, minor inside. */
const RINGS = [
  { mode: 1, outer: 172, inner: 122, middle: 147 },
  { mode: 0, outer: 120, inner: 52, middle: 91 },
]

/** @param {object[]} tracks */
export function keyWheel(tracks) {
  const counts = new Map()
  for (const { audioSummary: s } of tracks) {
    const name = keyName(s.key, s.mode)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const most = Math.max(1, ...counts.values())
  const fields = RINGS.flatMap(({ mode, ...radii }) =>
    Array.from({ length: 12 }, (_, i) => {
      // A relative minor key stands inside its major one.
      const key = (7 * i + (mode === 1 ? 0 : 9)) % 12
      const name = keyName(key, mode)
      return field({ i, ...radii, key, mode, name, count: counts.get(name) ?? 0, most })
    }),
  )
  return html`<section class="keys">
<h2>Keys</h2>
<p class="quiet">The Camelot wheel: neighbours mix well. Outside major (B), inside minor (A).</p>
<svg viewBox="-175 -175 350 350" role="group" aria-label="Keys around the Camelot wheel">
${fields}
</svg>
<p class="quiet scale">0 <i aria-hidden="true"></i> ${most} ${most === 1 ? 'track' : 'tracks'}</p>
</section>`
}

function field({ i, outer, inner, middle, key, mode, name, count, most }) {
  const from = (i - 0.5) / 12 + 0.0012
  const to = (i + 0.5) / 12 - 0.0012
  const [x, y] = point(i / 12, middle)
  const ring = `M${point(from, outer)}A${outer} ${outer} 0 0 1 ${point(to, outer)}L${point(to, inner)}A${inner} ${inner} 0 0 0 ${point(from, inner)}Z`
  const depth = count === 0 ? 0 : 12 + (40 * count) / most
  const code = camelot(key, mode)
  const short = mode === 1 ? pitchName(key) : `${pitchName(key, mode)}m`
  const shape = html`<path d="${ring}"/><text x="${x}" y="${y - 6}" class="name">${code}</text>
<text x="${x}" y="${y + 6}">${short}</text> <text x="${x}" y="${y + 18}">${count || '·'}</text>`
  const style = `--depth:${depth.toFixed(0)}%`
  if (count === 0) return html`<g class="none" style="${style}" aria-hidden="true">${shape}</g>\n`
  // What is read out begins with what is seen.
  const says = `${code} ${short} ${count} ${count === 1 ? 'track' : 'tracks'} in ${name}`
  return html`<a href="#tracks" data-key="${code}" style="${style}" aria-label="${says}"><title>${says}</title>${shape}</a>\n`
}

function point(turn, radius) {
  const angle = 2 * Math.PI * turn
  return [radius * Math.sin(angle), -radius * Math.cos(angle)].map((v) => Math.round(v * 10) / 10)
}
