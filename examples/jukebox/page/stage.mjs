// Shows a song as a circle and plays it: feeds the deck ahead of time, and lights what is heard.
import { clock } from '../../report/words.mjs'
import { tuned } from '../branches.mjs'
import { circle, heardBow, turnAt } from './circle.mjs'
import { createDeck } from './deck.mjs'
import { createWalk, seeded } from './walk.mjs'

/** Seconds planned ahead: pages in the background are woken once a second. */
const AHEAD = 2.5
const TICK = 100
/** A jump by hand waits for the end of a beat that is at least this far away. */
const NOTICE = 0.05
/** The part of the circle's size from the middle to the ring that can be pressed. */
const RING = 0.33

const $ = (id) => document.getElementById(id)
const seed = Number(new URLSearchParams(location.search).get('seed'))

/**
 * @param {import('../song.mjs').Song} song
 * @param {(text: string) => void} tell
 */
export function createStage(song, tell) {
  const { beats, candidates, last, duration, metre } = song
  $('place').innerHTML = String(circle(song, duration))
  const wheel = $('wheel')
  const middles = beats.map(({ start, end }) => turnAt((start + end) / 2, duration))
  const strokes = beats.map((_, i) => $(`b${i}`))
  const paths = [...wheel.querySelectorAll('.arcs path')]
  const joined = [...candidates, last].slice(0, paths.length)
  const arcs = new Map()
  for (const [i, { beat, twin }] of joined.entries()) {
    for (const end of [beat, twin]) arcs.set(end, [...(arcs.get(end) ?? []), paths[i]])
  }
  const walk = createWalk(beats.length, seed ? seeded(seed) : Math.random)
  const ended = new AbortController()
  const { signal } = ended
  const heardBeats = new Set()
  let context
  let deck
  let shown
  let over = false
  let jumps = 0
  let heard = 0
  name('Play')
  $('play').disabled = true

  wheel.addEventListener('click', (event) => {
    const beat = beatAt(event)
    if (beat !== undefined) go(beat)
  })
  wheel.addEventListener('pointermove', (event) => near(beatAt(event)))
  wheel.addEventListener('pointerleave', () => near(undefined))
  $('play').addEventListener('click', toggle, { signal })
  addEventListener('keydown', press, { signal })
  const timer = setInterval(feed, TICK)
  requestAnimationFrame(show)

  return {
    /** Decodes the audio; then it can be played. */
    async load(bytes) {
      // In the rate of the file no sample is made anew.
      context = new AudioContext({ sampleRate: song.sampleRate, latencyHint: 'playback' })
      const buffer = await context.decodeAudioData(bytes)
      await context.suspend()
      deck = createDeck(context, buffer, beats)
      $('play').disabled = false
    },

    retune(tune) {
      const open = tuned(song, tune)
      walk.retune(open)
      const both = ({ beat, twin }) => `${Math.max(beat, twin)} ${Math.min(beat, twin)}`
      const now = new Set(open.branches.map(both))
      for (const [i, branch] of joined.entries()) {
        const { classList } = paths[i]
        classList.toggle('open', now.has(both(branch)))
        classList.toggle('last', branch === last && open.last !== undefined)
      }
      // Many arcs are drawn lighter, so that each is still seen.
      wheel.style.setProperty('--arc', Math.max(0.25, Math.min(0.75, 100 / now.size)).toFixed(2))
      const current = deck?.at(context.currentTime + NOTICE)
      if (current) deck.cut(current.end)
      feed()
    },

    close() {
      ended.abort()
      clearInterval(timer)
      deck?.stop()
      context?.close()
    },
  }

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

  /** Plans until enough lies ahead, or the piece is over. */
  function feed() {
    if (context?.state !== 'running' || !deck) return
    deck.forget(context.currentTime - 1)
    if (over && deck.end < context.currentTime) {
      over = false
      deck.stop()
      toggle().then(() => tell('The piece is over: no branch leads back.'))
      return
    }
    over = false
    if (deck.end === undefined || deck.end < context.currentTime) {
      deck.stop()
      deck.add(walk.next(-1), context.currentTime + 0.1)
    }
    while (!over && deck.end < context.currentTime + AHEAD) {
      const step = walk.next(deck.last.beat)
      if (step) deck.add(step)
      else over = true
    }
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
    while (due < beats.length && walk.twinsOf(due).length === 0) due++
    const choices = walk.twinsOf(due)
    if (choices.length === 0) return tell('No branch lies ahead.')
    deck.cut(current.end)
    for (let beat = current.beat + 1; beat < due; beat++) deck.add({ beat })
    deck.add({ beat: choices[Math.floor(Math.random() * choices.length)], from: due })
    feed()
  }

  function press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || !deck) return
    const here = shown?.beat ?? 0
    const steps = {
      ' ': toggle,
      ArrowLeft: () => go(Math.max(0, here + 1 - metre)),
      ArrowRight: () => go(Math.min(beats.length - 1, here + 1 + metre)),
      ArrowUp: branch,
      Home: () => go(0),
    }
    const step = steps[event.key]
    // A button has the space bar for itself; fields and tables have all keys.
    const fields = 'input, select, .scroll'
    const taken = event.key === ' ' ? `button, summary, ${fields}` : fields
    if (!step || event.target.closest?.(taken)) return
    event.preventDefault()
    step()
  }

  /** Lights what sounds now, each time the screen is drawn. */
  function show() {
    if (signal.aborted) return
    requestAnimationFrame(show)
    // What is heard left the deck a little earlier.
    const step = deck?.at(context.currentTime - (context.outputLatency || 0))
    if (!step || step === shown) return
    light(shown?.beat, 'on', false)
    light(step.beat, 'on', true)
    if (step.from !== undefined) {
      jumps++
      leapt(step)
    }
    heard += step.end - step.start
    shown = step
    const beat = beats[step.beat]
    if (!heardBeats.has(step.beat)) {
      heardBeats.add(step.beat)
      const ring = $('heard')
      ring.setAttribute('d', (ring.getAttribute('d') ?? '') + heardBow(beat, duration))
    }
    $('beat').textContent = step.beat + 1
    $('bar').textContent = beat.bar < 0 ? '–' : beat.bar + 1
    $('jumps').textContent = jumps
    $('heard-for').textContent = clock(Math.floor(heard))
    wheel.setAttribute('aria-valuenow', step.beat + 1)
    const words = `beat ${step.beat + 1}, ${clock(Math.floor(beat.start))}, ${jumps} jumps`
    wheel.setAttribute('aria-valuetext', words)
    wheel.dispatchEvent(new CustomEvent('beat', { bubbles: true, detail: step }))
  }

  function light(beat, mark, on) {
    if (beat === undefined) return
    for (const path of [strokes[beat], ...(arcs.get(beat) ?? [])]) path.classList.toggle(mark, on)
  }

  function leapt({ beat, from }) {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    const ends = [beat, from].sort((a, b) => b - a).join()
    const i = joined.findIndex((branch) => `${branch.beat},${branch.twin}` === ends)
    paths[i]?.animate([{ strokeOpacity: 1, strokeWidth: '6px' }, {}], { duration: 1500 })
  }

  function near(beat) {
    for (const path of wheel.querySelectorAll('.near')) path.classList.remove('near')
    light(beat, 'near', true)
  }

  /** The beat under the pointer: of those on the ring, the one in its direction. */
  function beatAt({ clientX, clientY }) {
    const box = wheel.getBoundingClientRect()
    const x = (clientX - box.left) / box.width - 0.5
    const y = (clientY - box.top) / box.height - 0.5
    if (Math.hypot(x, y) < RING) return undefined
    const turn = (Math.atan2(x, -y) / (2 * Math.PI) + 1) % 1
    const away = middles.map((middle) => Math.abs(middle - turn))
    return away.indexOf(Math.min(...away))
  }
}

function name(text) {
  $('play').textContent = text
}
