// The page: takes a file, has it decoded and analysed, and shows what was found.
import { moodsOf, stringifyAnalysis, summarize } from 'audile/analysis'
import { clock, decimals, keyName, percent, pitchName } from '../../report/words.mjs'
import { clicksOn } from './clicks.mjs'
import { drawBeats, drawPitches, drawTempo, drawWaveform, outlineOf } from './draw.mjs'
import { analyse, decoded, takeFiles } from './take.mjs'

const $ = (id) => document.getElementById(id)
/** Seconds from one time below the picture to the next: the first that leaves room for six. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600]

/** The analysis that is on the page, and the outline of its samples. */
let shown
/** Ends what is at work. */
let cancel = () => {}

takeFiles(take)
$('cancel').addEventListener('click', () => {
  cancel()
  rest('Cancelled.')
})
$('rows').append(
  ...Array.from({ length: 12 }, (_, i) => {
    const name = document.createElement('span')
    name.textContent = pitchName(11 - i)
    return name
  }),
)
new ResizeObserver(draw).observe($('lanes'))
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw)

async function take(file) {
  if (!file) return
  cancel()
  const work = new AbortController()
  cancel = () => work.abort()
  $('problem').textContent = ''
  $('result').hidden = true
  $('audio').pause()
  $('work').hidden = false
  $('progress').removeAttribute('value')
  $('status').textContent = `Decoding ${file.name} …`
  try {
    const audio = await decoded(file)
    if (work.signal.aborted) return
    const outline = outlineOf(audio.samples)
    $('status').textContent = `Analysing ${file.name} …`
    const channels = audio.samples.length
    const began = performance.now()
    const worker = new Worker(new URL('./worker.mjs', import.meta.url), { type: 'module' })
    const analysis = await analyse(worker, audio, work.signal)
    const seconds = (performance.now() - began) / 1_000
    show(file, { ...audio, channels, analysis, outline })
    rest(`Analysed in ${decimals(seconds)} s.`)
  } catch (error) {
    if (work.signal.aborted) return
    rest('')
    $('problem').textContent = error.message
  }
}

function rest(words) {
  $('work').hidden = true
  $('status').textContent = words
}

// ---- what was found

function show(file, { analysis, outline, sampleRate, ownRate, channels }) {
  const { track, sections, bars, beats, segments } = analysis
  shown = { analysis, outline }
  $('result').hidden = false
  $('name').textContent = file.name
  $('facts').replaceChildren(
    fact(
      'Tempo',
      track.tempo > 0 ? `${decimals(track.tempo)} BPM` : 'none',
      track.tempo_confidence,
    ),
    fact(
      'Key',
      keyName(track.key, track.mode),
      Math.min(track.key_confidence, track.mode_confidence),
    ),
    fact('Metre', `${track.time_signature} beats a bar`, track.time_signature_confidence),
    fact('Loudness', `${decimals(track.loudness)} LUFS`),
    fact('Length', clock(track.duration)),
  )
  $('feel').replaceChildren(...feelOf(analysis))
  $('tempo').ariaLabel = tempoWords(beats)
  $('waveform').ariaLabel = `Waveform of ${clock(track.duration)}`
  $('beats').ariaLabel = `${bars.length} bars and ${beats.length} beats`
  $('pitches').ariaLabel = `Strength of the twelve pitch classes in ${segments.length} segments`
  $('blocks').replaceChildren(
    ...sections.map((section, i) => {
      const block = at('span', section.start / track.duration)
      block.style.width = `${(100 * section.duration) / track.duration}%`
      const minor = section.mode === 1 ? '' : 'm'
      block.textContent = `${i + 1} ${pitchName(section.key, section.mode)}${minor}`
      return block
    }),
  )
  $('sections').replaceChildren(
    ...sections.map((section, i) =>
      row([
        i + 1,
        clock(section.start),
        clock(section.duration),
        keyName(section.key, section.mode),
        decimals(section.tempo),
        `${decimals(section.loudness)} dB`,
      ]),
    ),
  )
  const rate = `${sampleRate.toLocaleString('en')} Hz`
  const sound = `${channels} ${channels === 1 ? 'channel' : 'channels'} at ${rate}`
  $('decoded').textContent =
    ownRate === sampleRate
      ? `Decoded by the browser to ${sound}, the file’s own rate.`
      : `Decoded by the browser to ${sound}, which may not be the file’s own rate.`
  replaceUrl($('audio'), 'src', file)
  const json = new Blob([stringifyAnalysis(analysis)], { type: 'application/json' })
  replaceUrl($('save'), 'href', json)
  $('save').download = `${file.name}.json`
  draw()
}

function draw() {
  if (!shown || $('result').hidden) return
  const { analysis, outline } = shown
  const { duration } = analysis.track
  drawWaveform($('waveform'), outline)
  drawBeats($('beats'), analysis)
  drawTempo($('tempo'), analysis)
  drawPitches($('pitches'), analysis)
  const room = $('times').clientWidth / 60
  const step = STEPS.find((seconds) => duration / seconds <= room) ?? STEPS.at(-1)
  const count = Math.ceil((0.97 * duration) / step)
  $('times').replaceChildren(
    ...Array.from({ length: count }, (_, i) => {
      const time = at('span', (i * step) / duration)
      time.textContent = clock(i * step)
      return time
    }),
  )
}

/** How the music feels: a meter for each impression, and the moods that follow from them. */
function feelOf(analysis) {
  const summary = summarize(analysis)
  const names = ['energy', 'danceability', 'valence', 'acousticness', 'speechiness']
  const parts = names
    .filter((name) => typeof summary[name] === 'number')
    .map((name) => meter(name, summary[name]))
  const moods = moodsOf(summary).map(({ name }) => name)
  return [...parts, fact('Moods', moods.join(', ') || 'none stands out')]
}

function meter(name, value) {
  const part = fact(name[0].toUpperCase() + name.slice(1), value.toFixed(2))
  const bar = document.createElement('meter')
  bar.value = value
  bar.ariaLabel = `${name}, 0 to 1`
  part.querySelector('dd').append(bar)
  return part
}

function tempoWords(beats) {
  if (beats.length === 0) return 'No beats, so no tempo'
  const tempi = beats.map(({ duration }) => 60 / duration)
  return `Tempo from ${decimals(Math.min(...tempi))} to ${decimals(Math.max(...tempi))} BPM`
}

function fact(name, value, confidence) {
  const part = document.createElement('div')
  const term = document.createElement('dt')
  const words = document.createElement('dd')
  term.textContent = name
  words.textContent = value
  if (confidence !== undefined) {
    const sure = document.createElement('small')
    sure.textContent = ` ${percent(confidence)} sure`
    words.append(sure)
  }
  part.append(term, words)
  return part
}

function row([number, ...values]) {
  const made = document.createElement('tr')
  const head = document.createElement('th')
  head.scope = 'row'
  head.textContent = number
  made.append(head)
  for (const [i, value] of values.entries()) {
    const cell = made.insertCell()
    cell.textContent = value
    cell.className = i === 2 ? 'key' : 'number'
  }
  return made
}

function at(name, share) {
  const made = document.createElement(name)
  made.style.left = `${100 * share}%`
  return made
}

function replaceUrl(element, name, blob) {
  if (element[name].startsWith('blob:')) URL.revokeObjectURL(element[name])
  element[name] = URL.createObjectURL(blob)
}

// ---- playing

function follow() {
  const { currentTime, duration, paused } = $('audio')
  $('cursor').style.setProperty('--at', duration > 0 ? currentTime / duration : 0)
  if (!paused) requestAnimationFrame(follow)
}
for (const name of ['play', 'seeked', 'loadedmetadata']) $('audio').addEventListener(name, follow)

for (const id of ['waveform', 'beats', 'tempo', 'pitches']) {
  $(id).addEventListener('click', ({ offsetX, currentTarget }) => {
    const { duration } = $('audio')
    if (duration > 0) $('audio').currentTime = (duration * offsetX) / currentTarget.clientWidth
  })
}

const click = clicksOn($('audio'), () => {
  const { beats, bars } = shown.analysis
  const firsts = new Set(bars.map(({ start }) => start))
  return beats.map(({ start }) => ({ time: start, first: firsts.has(start) }))
})
$('clicks').addEventListener('change', ({ target }) => click(target.checked))

// Only a page that comes by https, or from this machine, may keep itself for later.
if (isSecureContext) navigator.serviceWorker?.register('service-worker.js')
