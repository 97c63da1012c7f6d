// The page's own part: a line through all lanes that tells what is at a moment, and the zoom.
const data = JSON.parse(document.getElementById('data').textContent)
const { duration, beats, bars, sections, segments } = data
const cursor = document.getElementById('cursor')
const view = document.getElementById('window')
const lanes = document.getElementById('lanes')
const readout = document.getElementById('readout')
let time = 0
let zoom = 1

function move(to) {
  time = Math.min(duration, Math.max(0, to))
  cursor.style.setProperty('--at', time / duration)
  cursor.classList.add('set')
  const words = describe(time)
  readout.textContent = words
  cursor.setAttribute('aria-valuenow', time.toFixed(1))
  cursor.setAttribute('aria-valuetext', words)
}

function describe(t) {
  const beat = last(beats, (start) => start <= t)
  const bar = last(bars, (start) => start <= t + 0.01)
  const section = last(sections, ({ start }) => start <= t)
  const [, loudness, pitches] =
    segments[
      Math.max(
        0,
        last(segments, ([start]) => start <= t),
      )
    ]
  return [
    clock(t),
    bar >= 0 && `bar ${bar + 1}`,
    beat >= 0 && `beat ${beat + 1}`,
    section >= 0 && `section ${section + 1}, ${sections[section].key}`,
    `${String(loudness).replace('-', '−')} dB`,
    pitches,
  ]
    .filter(Boolean)
    .join(' · ')
}

for (const event of ['pointermove', 'pointerdown']) {
  cursor.addEventListener(event, ({ clientX }) => {
    const box = cursor.getBoundingClientRect()
    move((duration * (clientX - box.left)) / box.width)
  })
}
cursor.addEventListener('focus', () => move(time))
cursor.addEventListener('keydown', (event) => {
  const steps = {
    ArrowRight: () => next(beats) ?? time + 1,
    ArrowLeft: () => previous(beats) ?? time - 1,
    ArrowUp: () => next(bars) ?? time + 5,
    ArrowDown: () => previous(bars) ?? time - 5,
    PageUp: () => next(sections.map(({ start }) => start)) ?? time + 30,
    PageDown: () => previous(sections.map(({ start }) => start)) ?? time - 30,
    Home: () => 0,
    End: () => duration,
  }
  const step = steps[event.key]
  if (!step || event.altKey || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  move(step())
  follow()
})

function next(starts) {
  return starts.find((start) => start > time + 0.001)
}

function previous(starts) {
  return starts.findLast((start) => start < time - 0.001)
}

/** Scrolls so far that the cursor is seen. */
function follow() {
  const box = cursor.getBoundingClientRect()
  const outer = view.getBoundingClientRect()
  const gutter = box.left + view.scrollLeft - outer.left
  const x = box.left + (box.width * time) / duration - outer.left
  if (x < gutter || x > outer.width - 20) view.scrollLeft += x - (outer.width + gutter) / 2
}

for (const [id, factor] of [
  ['in', 2],
  ['out', 1 / 2],
]) {
  document.getElementById(id).addEventListener('click', () => {
    zoom = Math.min(16, Math.max(1, zoom * factor))
    lanes.style.setProperty('--zoom', zoom)
    document.getElementById('zoom').textContent = `${zoom}×`
    if (cursor.classList.contains('set')) follow()
  })
}

function last(list, holds) {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(list[middle])) low = middle + 1
    else high = middle
  }
  return low - 1
}

function clock(t) {
  const tenths = Math.floor(t * 10)
  return `${Math.floor(tenths / 600)}:${String(Math.floor(tenths / 10) % 60).padStart(2, '0')}.${tenths % 10}`
}
