// The page's own part: loads the audio, feeds the deck ahead of time, and shows what is heard.
import { createDeck } from './deck.mjs'
import { createWalk, seeded } from './walk.mjs'

/** Seconds planned ahead: pages in the background are woken once a second. */
const AHEAD = 2.5
const TICK = 100
/** A jump by hand waits for the end of a beat that is at least this far away. */
const NOTICE = 0.05

const piece = JSON.parse(document.getElementById('data').textContent)
const { beats, last, metre } = piece
const $ = (id) => document.getElementById(id)
const wheel = $('wheel')
const strokes = beats.map((_, i) => $(`b${i}`))
const arcs = new Map()
for (const path of wheel.querySelectorAll('.arcs path')) {
  for (const beat of [path.dataset.a, path.dataset.b]) {
    arcs.set(Number(beat), [...(arcs.get(Number(beat)) ?? []), path])
  }
}
const twins = new Set([...piece.branches.map(({ beat }) => beat), last.beat])

const seed = Number(new URLSearchParams(location.search).get('seed'))
const walk = createWalk(piece, seed ? seeded(seed) : Math.random)
let context
let deck
let shown
let jumps = 0
let heard = 0

load().then(ready, (error) => {
  const why =
    location.protocol === 'file:' ? 'A page that is opened as a file may not read it.' : ''
  tell(`The audio could not be loaded (${error.message}). ${why}`)
  $('ask').hidden = false
})

async function load() {
  const response = await fetch(piece.url)
  if (!response.ok) throw new Error(`status ${response.status}`)
  return response.arrayBuffer()
}

async function ready(bytes) {
  // In the rate of the file no sample is made anew.
  context = new AudioContext({ sampleRate: piece.sampleRate, latencyHint: 'playback' })
  let buffer
  try {
    buffer = await context.decodeAudioData(bytes)
  } catch {
    tell('This browser cannot decode this kind of audio.')
    return
  }
  await context.suspend()
  deck = createDeck(context, buffer, beats)
  $('ask').hidden = true
  $('play').disabled = false
  name('Play')
  tell('Ready.')
  setInterval(feed, TICK)
  requestAnimationFrame(show)
}

$('ask').addEventListener('change', async ({ target }) => {
  if (target.files[0]) await ready(await target.files[0].arrayBuffer())
})
$('play').addEventListener('click', toggle)

async function toggle() {
  if (!deck) return
  if (context.state === 'running') {
    await context.suspend()
    name('Play')
    tell('Paused.')
  } else {
    await context.resume()
    name('Pause')
    tell('Playing.')
    feed()
  }
}

/** Plans until enough lies ahead. */
function feed() {
  if (context.state !== 'running') return
  deck.forget(context.currentTime - 1)
  if (deck.end === undefined || deck.end < context.currentTime) {
    deck.stop()
    deck.add(walk.next(-1), context.currentTime + 0.1)
  }
  while (deck.end < context.currentTime + AHEAD) deck.add(walk.next(deck.last.beat))
}

/** Goes to a beat when the one that sounds is over. */
function go(to) {
  if (!deck) return
  const now = context.currentTime
  const current = deck.at(now + NOTICE)
  if (current) {
    deck.cut(current.end)
    deck.add({ beat: to, ...(to !== current.beat + 1 && { from: current.beat + 1 }) })
  } else {
    deck.stop()
    deck.add({ beat: to }, now + NOTICE)
  }
  if (context.state === 'running') feed()
  else toggle()
}

/** Jumps at the next beat that has twins. */
function branch() {
  const current = deck?.at(context.currentTime + NOTICE)
  if (!current) return
  let due = current.beat + 1
  while (due < beats.length && !twins.has(due)) due++
  const choices = piece.branches.filter(({ beat }) => beat === due).map(({ twin }) => twin)
  if (choices.length === 0) choices.push(last.twin)
  deck.cut(current.end)
  for (let beat = current.beat + 1; beat < due; beat++) deck.add({ beat })
  deck.add({ beat: choices[Math.floor(Math.random() * choices.length)], from: due })
  feed()
}

/** Lights what sounds now, each time the screen is drawn. */
function show() {
  requestAnimationFrame(show)
  // What is heard left the deck a little earlier.
  const step = deck.at(context.currentTime - (context.outputLatency || 0))
  if (!step || step === shown) return
  light(shown?.beat, false)
  light(step.beat, true)
  strokes[step.beat].classList.add('heard')
  if (step.from !== undefined) {
    jumps++
    leapt(step)
  }
  heard += step.end - step.start
  shown = step
  const { bar, start } = beats[step.beat]
  $('beat').textContent = step.beat + 1
  $('bar').textContent = bar < 0 ? '–' : bar + 1
  $('jumps').textContent = jumps
  $('heard').textContent = clock(heard)
  wheel.setAttribute('aria-valuenow', step.beat + 1)
  wheel.setAttribute('aria-valuetext', `beat ${step.beat + 1}, ${clock(start)}, ${jumps} jumps`)
  wheel.dispatchEvent(new CustomEvent('beat', { bubbles: true, detail: step }))
}

function light(beat, on) {
  if (beat === undefined) return
  strokes[beat].classList.toggle('on', on)
  for (const path of arcs.get(beat) ?? []) path.classList.toggle('on', on)
}

function leapt({ beat, from }) {
  const path = (arcs.get(beat) ?? []).find(
    ({ dataset }) => Number(dataset.a) === from || Number(dataset.b) === from,
  )
  path?.animate([{ strokeOpacity: 1, strokeWidth: '5px' }, {}], { duration: 1500 })
  tell(`Jumped from beat ${from} to beat ${beat + 1}.`)
}

wheel.addEventListener('click', (event) => {
  const beat = beatAt(event)
  if (beat !== undefined) go(beat)
})
wheel.addEventListener('pointermove', (event) => {
  const beat = beatAt(event)
  for (const path of wheel.querySelectorAll('.near')) path.classList.remove('near')
  if (beat === undefined) return
  for (const path of [strokes[beat], ...(arcs.get(beat) ?? [])]) path.classList.add('near')
})
wheel.addEventListener('pointerleave', () => {
  for (const path of wheel.querySelectorAll('.near')) path.classList.remove('near')
})

/** The beat under the pointer: of those on the ring, the one in its direction. */
function beatAt({ clientX, clientY }) {
  const box = wheel.getBoundingClientRect()
  const x = (clientX - box.left) / box.width - 0.5
  const y = (clientY - box.top) / box.height - 0.5
  if (Math.hypot(x, y) < 0.33) return undefined
  const angle = (Math.atan2(x, -y) + 2 * Math.PI) % (2 * Math.PI)
  const of = (path) => {
    const { x, y } = path.getPointAtLength(0)
    return (Math.atan2(x, -y) + 2 * Math.PI) % (2 * Math.PI)
  }
  angles ??= strokes.map(of)
  let nearest = 0
  for (const [i, a] of angles.entries()) {
    if (Math.abs(a - angle) < Math.abs(angles[nearest] - angle)) nearest = i
  }
  return nearest
}
let angles

addEventListener('keydown', (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || !deck) return
  const here = shown?.beat ?? 0
  const steps = {
    ' ': () => toggle(),
    ArrowLeft: () => go(Math.max(0, here + 1 - metre)),
    ArrowRight: () => go(Math.min(beats.length - 1, here + 1 + metre)),
    ArrowUp: branch,
    Home: () => go(0),
  }
  const step = steps[event.key]
  // A button has the space bar for itself; fields and tables have all keys.
  const taken = event.key === ' ' ? 'button, input, summary, [role=region]' : 'input, [role=region]'
  if (!step || event.target.closest?.(taken)) return
  event.preventDefault()
  step()
})

function name(text) {
  $('play').textContent = text
  $('play').dataset.state = text
}

function tell(text) {
  $('told').textContent = text
}

function clock(seconds) {
  const s = Math.floor(seconds)
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, '0')}`
}
