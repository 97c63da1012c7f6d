// Writes the page of a library: a map of its tracks, their keys, duplicates, and all as a table.
import { camelot } from 'audile/analysis'
import { html } from './html.mjs'
import { keyWheel } from './key-wheel.mjs'
import { page } from './page.mjs'
import { tempoMap } from './tempo-map.mjs'
import { clock, decimals, keyName } from './words.mjs'

/** Tempo and key stand first: they are seen on a telephone too. */
const COLUMNS = [
  ['BPM', 'number'],
  ['Key', 'text'],
  ['Title', 'text'],
  ['Artist', 'text'],
  ['Metre', 'number'],
  ['Energy', 'number'],
  ['Danceability', 'number'],
  ['LUFS', 'number'],
  ['Length', 'number'],
]

/**
 * @param {{ name: string, tracks: object[], groups: string[][],
 *   unread: { file: string, reason: string }[] }} library `tracks` as `track.profile` answers them,
 *   but `files` are names inside the folder; `groups` are ids of the same recording
 */
export function libraryPage({ name, tracks, groups, unread }) {
  const list = tracks
    .map((track) => ({ ...track, title: track.title ?? track.files[0], ...heardKey(track) }))
    .sort((a, b) => compare(a.artist, b.artist) || compare(a.title, b.title))
  const number = new Map(list.map(({ id }, i) => [id, i]))
  const duplicates = [
    ...groups.map((ids) => ids.map((id) => list[number.get(id)])),
    ...list.filter(({ files }) => files.length > 1).map((track) => [track]),
  ]
  return page({
    title: `${name} – ${list.length} tracks`,
    styles: ['ground.css', 'page.css', 'pictures.css', 'library.css'],
    scripts: ['table.mjs', 'map-names.mjs'],
    data: {},
    body: html`<header>
<h1>${name}</h1>
<p>${figures(list, duplicates)}</p>
</header>
<div class="pictures">
${tempoMap(list)}
${keyWheel(list)}
</div>
${duplicates.length > 0 && duplicateList(duplicates, number)}
<section id="tracks">
<div class="bar"><h2>Tracks</h2>
<label>Filter <input type="search" id="filter" placeholder="title, artist, 8A …"></label>
<p class="quiet" id="count" role="status">${list.length} tracks</p></div>
<div class="scroll" tabindex="0" role="region" aria-label="Tracks">
<table id="table">
<thead><tr>${COLUMNS.map(
      ([
        column,
        kind,
      ]) => html`<th scope="col" class="${kind}" aria-sort="${column === 'Artist' ? 'ascending' : 'none'}"
><button type="button">${column}</button></th>`,
    )}</tr></thead>
<tbody>${list.map(row)}</tbody>
</table>
</div>
</section>
${
  unread.length > 0 &&
  html`<section>
<h2>Could not be read</h2>
<ul class="files">${unread.map(({ file, reason }) => html`<li><b>${file}</b> ${reason}</li>`)}</ul>
</section>`
}`,
  })
}

function figures(list, duplicates) {
  const length = list.reduce((sum, { audioSummary }) => sum + audioSummary.duration, 0)
  const tempos = list.map(({ audioSummary }) => audioSummary.tempo).filter((tempo) => tempo > 0)
  const middle = tempos.sort((a, b) => a - b)[tempos.length >> 1]
  const artists = new Set(list.map(({ artist }) => artist).filter(Boolean)).size
  return [
    `${list.length} ${list.length === 1 ? 'track' : 'tracks'}`,
    artists > 0 && `${artists} ${artists === 1 ? 'artist' : 'artists'}`,
    `${clock(length)} of music`,
    middle && `median tempo ${decimals(middle, 0)} BPM`,
    duplicates.length > 0 && `${duplicates.length} with copies`,
  ]
    .filter(Boolean)
    .join(' · ')
}

/** An analysis has a number for the key even if no key was heard. */
function heardKey({ audioSummary }) {
  return { audioSummary: { ...audioSummary, ...(audioSummary.keyConfidence === 0 && { key: -1 }) } }
}

function row(track, i) {
  const s = track.audioSummary
  const code = s.key < 0 ? '' : camelot(s.key, s.mode)
  const [file, ...more] = track.files
  const files = [track.title !== file && file, ...more].filter(Boolean).join(', ')
  const cell = (text, value, kind = 'number') =>
    html`<td class="${kind}" data-value="${value}">${text}</td>`
  return html`<tr id="t${i}" tabindex="-1" data-key="${code}">${[
    cell(s.tempo > 0 ? decimals(s.tempo) : '–', s.tempo),
    // Keys are sorted as they lie on the wheel.
    cell(
      code ? html`<b>${code}</b> <small>${keyName(s.key, s.mode)}</small>` : 'none',
      code ? 2 * Number.parseInt(code, 10) + s.mode : 99,
      'text key',
    ),
    html`<th scope="row">${track.title}${files && html` <small>${files}</small>`}</th>`,
    cell(track.artist, track.artist ?? '', 'text'),
    cell(`${s.timeSignature}/4`, s.timeSignature),
    cell(share(s.energy), s.energy ?? -1),
    cell(share(s.danceability), s.danceability ?? -1),
    cell(decimals(s.loudness), s.loudness ?? -100),
    cell(clock(s.duration), s.duration),
  ]}</tr>
`
}

/** A number of 0…1 with a bar that is as long. */
function share(value) {
  if (value === null) return '–'
  return html`<span class="share" style="--share:${value}">${decimals(value, 2)}</span>`
}

function duplicateList(duplicates, number) {
  return html`<section id="duplicates">
<h2>Duplicates</h2>
<p class="quiet">Files of the same recording, told by their sound; tags play no part.</p>
<ol class="files">${duplicates.map(
    (group) => html`<li><b>${nameOf(group.find(({ artist }) => artist) ?? group[0])}</b>
<ul>${group.flatMap(({ id, files, bitrate }) =>
      files.map(
        (file) =>
          html`<li><a href="#t${number.get(id)}">${file}</a> <small>${
            bitrate && `${bitrate} kbit/s`
          }</small></li>`,
      ),
    )}</ul></li>`,
  )}</ol>
</section>`
}

function nameOf({ artist, title }) {
  return [artist, title].filter(Boolean).join(' – ')
}

/** Names as people order them; what has none comes last. */
function compare(a, b) {
  if (!a || !b) return Number(!a) - Number(!b)
  return a.localeCompare(b, 'en', { sensitivity: 'base', numeric: true })
}
