// Writes the page of one track: what it is in figures, and its analysis along a line of time.
import { camelot } from 'audile/analysis'
import { cueList, cueTable, meter, sure } from './cues.mjs'
import { html } from './html.mjs'
import { page } from './page.mjs'
import { timeline } from './timeline.mjs'
import { clock, decimals, keyName, percent, pitchName } from './words.mjs'

const FEEL = ['energy', 'danceability', 'valence', 'acousticness', 'speechiness']

/**
 * @param {{ analysis: import('audile').AnalysisDocument, summary: import('audile').AudioSummary,
 *   waveform: import('audile').Waveform, cues: import('audile').Cues, file: string,
 *   voice?: import('audile').SoundStretch[] }} track `file` is
 *   its name
 */
export function trackPage({ analysis, summary, waveform, cues, file, voice = [] }) {
  const { meta, track } = analysis
  const title = meta.title ?? file
  const { picture, style } = timeline(analysis, waveform, cues, voice)
  return page({
    title: [meta.artist, title].filter(Boolean).join(' – '),
    styles: ['ground.css', 'page.css', 'track.css', 'timeline.css'],
    style,
    scripts: ['cursor.mjs'],
    data: cursorData(analysis),
    body: html`<header>
<h1>${title}</h1>
<p>${[meta.artist, meta.album].filter(Boolean).join(' · ')}</p>
<p class="quiet small">${[
      file !== title && file,
      meta.bitrate && `${meta.bitrate} kbit/s`,
      `${decimals(meta.sample_rate / 1000).replace('.0', '')} kHz`,
      `analyser ${meta.analyzer_version}`,
    ]
      .filter(Boolean)
      .join(' · ')}</p>
</header>
<dl class="facts">${facts(track)}</dl>
<dl class="feel">${FEEL.map((name) => feel(name, summary[name]))}</dl>
${picture}
<div class="tables">
<section>
<h2>Cues</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Cues">${cueTable(cueList(cues))}</div>
</section>
<section>
<h2>Sections</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Sections">${sectionTable(analysis)}</div>
</section>
</div>
<details>
<summary>${analysis.bars.length} bars and ${analysis.beats.length} beats as a table</summary>
<div class="scroll tall" tabindex="0" role="region" aria-label="Bars and beats">${beatTable(analysis)}</div>
</details>
<details>
<summary>${analysis.segments.length} segments as a table: loudness, pitches, timbre</summary>
<div class="scroll tall" tabindex="0" role="region" aria-label="Segments">${segmentTable(analysis)}</div>
</details>`,
  })
}

function facts(track) {
  const { tempo, key, mode, time_signature: metre, loudness, duration } = track
  return [
    fact('Tempo', tempo > 0 ? decimals(tempo) : '–', 'BPM', ['confidence', track.tempo_confidence]),
    fact(
      'Key',
      keyName(key, mode),
      key >= 0 && camelot(key, mode),
      ['key', track.key_confidence],
      ['mode', track.mode_confidence],
    ),
    fact('Time signature', `${metre}/4`, '', ['confidence', track.time_signature_confidence]),
    fact('Loudness', decimals(loudness), 'LUFS'),
    fact('Length', clock(duration), ''),
  ]
}

function fact(name, value, unit, ...confidences) {
  return html`<div class="fact"><dt>${name}</dt><dd><b>${value}</b> <small>${unit}</small></dd>
${confidences.map(
  ([
    of,
    share,
  ]) => html`<dd class="of"><span>${of}</span>${sure(`${name}: ${of === 'confidence' ? '' : `${of} `}confidence`, share)}</dd>
`,
)}</div>
`
}

/** A measure of 0…1; it is missing where there is too little to tell it by. */
function feel(name, value) {
  if (value === undefined || value === null) return undefined
  const label = name[0].toUpperCase() + name.slice(1)
  return html`<div><dt>${label}</dt><dd>${meter(label, value)} ${decimals(value, 2)}</dd></div>
`
}

function sectionTable({ sections }) {
  return html`<table>
<thead><tr><th scope="col" class="number">#</th><th scope="col" class="number">from</th>
<th scope="col" class="number">length</th><th scope="col" class="number">loudness</th>
<th scope="col" class="number">tempo</th><th scope="col">key</th>
<th scope="col" class="number">time</th><th scope="col" class="number">confidence</th></tr></thead>
<tbody>${sections.map(
    (
      s,
      i,
    ) => html`<tr><th scope="row" class="number">${i + 1}</th><td class="number">${clock(s.start)}</td>
<td class="number">${decimals(s.duration)} s</td><td class="number">${decimals(s.loudness)} dB</td>
<td class="number">${decimals(s.tempo)} BPM <small>${percent(s.tempo_confidence)}</small></td>
<td class="whole">${keyName(s.key, s.mode)} <small>${percent(s.key_confidence)}</small></td>
<td class="number">${s.time_signature}/4 <small>${percent(s.time_signature_confidence)}</small></td>
<td class="number">${percent(s.confidence)}</td></tr>
`,
  )}</tbody></table>`
}

function beatTable({ beats, bars }) {
  let bar = 0
  return html`<table>
<thead><tr><th scope="col" class="number">beat</th><th scope="col" class="number">bar begins</th>
<th scope="col" class="number">at, s</th><th scope="col" class="number">length, s</th>
<th scope="col" class="number">confidence</th></tr></thead>
<tbody>${beats.map((beat, i) => {
    const begins = bars[bar] && bars[bar].start < beat.start + beat.duration / 2
    if (begins) bar++
    return html`<tr><th scope="row" class="number">${i + 1}</th><td class="number">${begins && bar}</td>
<td class="number">${beat.start.toFixed(3)}</td><td class="number">${beat.duration.toFixed(3)}</td>
<td class="number">${percent(beat.confidence)}</td></tr>
`
  })}</tbody></table>`
}

function segmentTable({ segments }) {
  const list = (values, digits) => values.map((v) => decimals(v, digits)).join(' ')
  return html`<table>
<thead><tr><th scope="col" class="number">at, s</th><th scope="col" class="number">length, s</th>
<th scope="col" class="number">confidence</th><th scope="col" class="number">loudest, dB</th>
<th scope="col">pitches from C</th><th scope="col">timbre</th></tr></thead>
<tbody>${segments.map(
    (
      s,
    ) => html`<tr><th scope="row" class="number">${s.start.toFixed(3)}</th><td class="number">${s.duration.toFixed(3)}</td>
<td class="number">${percent(s.confidence)}</td><td class="number">${decimals(s.loudness_max)}</td>
<td class="whole">${list(s.pitches, 2)}</td><td class="whole">${list(s.timbre, 0)}</td></tr>
`,
  )}</tbody></table>`
}

/** What the cursor tells; lists are kept short: a long piece has thousands of segments. */
function cursorData({ track, beats, bars, sections, segments }) {
  const starts = (list) => list.map(({ start }) => Number(start.toFixed(3)))
  return {
    duration: track.duration,
    beats: starts(beats),
    bars: starts(bars),
    sections: sections.map(({ start, key, mode }) => ({ start, key: keyName(key, mode) })),
    segments: segments.map(({ start, loudness_max, pitches }) => [
      Number(start.toFixed(3)),
      Number(loudness_max.toFixed(1)),
      strongest(pitches),
    ]),
  }
}

function strongest(pitches) {
  return pitches
    .map((strength, pitch) => ({ strength, pitch }))
    .filter(({ strength }) => strength >= 0.5)
    .sort((a, b) => b.strength - a.strength)
    .slice(0, 3)
    .map(({ pitch }) => pitchName(pitch))
    .join(' ')
}
