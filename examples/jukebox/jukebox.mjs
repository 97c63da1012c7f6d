// Makes a page that plays a file for ever: it jumps between beats that sound alike.
import { readFileSync } from 'node:fs'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Audile } from 'audile'
import { html, json, markup } from '../report/html.mjs'
import { clock, decimals, keyName, percent } from '../report/words.mjs'
import { branchesOf } from './branches.mjs'
import { circle } from './circle.mjs'

const HELP = `usage: node examples/jukebox/jukebox.mjs FILE [--out jukebox.html] [--beside]
  --beside  the audio lies beside the page instead of inside it: smaller, but the page then needs
            a web server, or asks for the file`
const TYPES = {
  '.flac': 'audio/flac',
  '.m4a': 'audio/mp4',
  '.mp3': 'audio/mpeg',
  '.oga': 'audio/ogg',
  '.ogg': 'audio/ogg',
  '.opus': 'audio/ogg',
  '.wav': 'audio/wav',
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      out: { type: 'string', default: 'jukebox.html' },
      beside: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) console.log(HELP)
  else if (positionals.length !== 1) throw new Error(HELP)
  else await make(resolve(positionals[0]), resolve(values.out), values.beside)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}

async function make(file, out, beside) {
  const type = TYPES[extname(file).toLowerCase()]
  if (!type) {
    const known = Object.keys(TYPES).join(' ')
    throw new Error(`${basename(file)} - browsers do not play this kind of file, but ${known}`)
  }
  const analysis = await analysisOf(file)
  const piece = branchesOf(analysis)
  if (beside && dirname(out) !== dirname(file)) {
    await copyFile(file, join(dirname(out), basename(file)))
  }
  const url = beside
    ? encodeURIComponent(basename(file))
    : `data:${type};base64,${(await readFile(file)).toString('base64')}`
  await writeFile(out, String(page(analysis, piece, url, basename(file))))
  const share = new Set(piece.branches.map(({ beat }) => beat)).size / piece.beats.length
  console.log(
    `${out}: ${piece.beats.length} beats, ${percent(share)} of them with twins. Open it in a browser.`,
  )
}

async function analysisOf(file) {
  const music = await Audile.open({ database: ':memory:', keepAudio: false })
  try {
    const track = await music.tracks.upload({ file })
    await track.analyzed()
    return await track.analysis()
  } finally {
    await music.close()
  }
}

function page({ meta, track }, piece, url, file) {
  const title = meta.title ?? file
  const own = (name) => readFileSync(new URL(name, import.meta.url), 'utf8')
  // One file: the modules are put one after another, without what ties them together.
  const script = ['walk.mjs', 'deck.mjs', 'player.mjs']
    .map((name) =>
      own(name)
        .replace(/^import .*\n/gm, '')
        .replace(/^export /gm, ''),
    )
    .join('\n')
  const twins = new Set(piece.branches.map(({ beat }) => beat)).size
  const data = {
    beats: piece.beats.map(({ start, end, bar, section }) => ({ start, end, bar, section })),
    branches: piece.branches.map(({ beat, twin }) => ({ beat, twin })),
    last: { beat: piece.last.beat, twin: piece.last.twin },
    metre: Math.max(1, track.time_signature),
    sampleRate: meta.sample_rate,
    url,
  }
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – jukebox</title>
<link rel="icon" href="data:,">
<style>
${markup(own('../report/ground.css'))}${markup(own('jukebox.css'))}</style>
</head>
<body>
<main>
<header>
<h1>${title}</h1>
<p class="by">${meta.artist}</p>
<p class="facts">${[
    track.tempo > 0 && html`<span>${decimals(track.tempo)} BPM</span> `,
    html`<span>${track.time_signature}/4</span> <span>${keyName(track.key, track.mode)}</span> `,
    html`<span>${clock(track.duration)}</span>`,
  ]}</p>
</header>
<div class="wheel">
${circle(piece, track.duration)}
<button id="play" type="button" disabled>Loading</button>
</div>
<div class="deck">
<p id="told" role="status">Loading the audio …</p>
<label id="ask" hidden>The audio of this page: <input type="file" accept="audio/*"></label>
</div>
<dl class="counts">
<div><dt>beat</dt><dd><span id="beat">–</span> <small>of ${piece.beats.length}</small></dd></div>
<div><dt>bar</dt><dd id="bar">–</dd></div>
<div><dt>jumps</dt><dd id="jumps">0</dd></div>
<div><dt>heard</dt><dd id="heard">0:00</dd></div>
</dl>
<p class="legend">Around the circle runs the piece, beat by beat: the longer a stroke, the louder. Arcs
join the ${twins} beats that have twins: beats at the same place of a bar that sound alike, and so
do those around them. When one is due, a twin may be played instead. The heavy arc is always taken,
so it never ends.</p>
<p class="keys"><span><kbd>Space</kbd> play, pause</span> <span><kbd>←</kbd> <kbd>→</kbd> a bar back,
on</span> <span><kbd>↑</kbd> jump as soon as may be</span> <span><kbd>Home</kbd> from the start</span>
<span>or press on a beat</span></p>
<details>
<summary>All twins as a table</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Twins">
<table>
<thead><tr><th scope="col">beat</th><th scope="col">at</th><th scope="col">twins, and how far from it
they sound (1 is usual)</th></tr></thead>
<tbody>${twinRows(piece)}</tbody>
</table>
</div>
</details>
</main>
<script type="application/json" id="data">${json(data)}</script>
<script type="module">${markup(script)}</script>
</body>
</html>
`
}

function twinRows({ beats, branches }) {
  const rows = new Map()
  for (const branch of branches) rows.set(branch.beat, [...(rows.get(branch.beat) ?? []), branch])
  return [...rows].map(
    ([beat, twins]) => html`<tr><th scope="row">${beat + 1}</th><td>${clock(beats[beat].start)}</td>
<td>${twins.map(({ twin, distance }) => `${twin + 1} (${decimals(distance, 2)})`).join(', ')}</td></tr>
`,
  )
}
