// Draws an analysis on canvases, in the colours of the style sheet.

/** Strokes closer than this would run together. */
const APART = 3

/**
 * The peaks of the samples in so many columns.
 *
 * @param {Float32Array[]} samples
 * @returns {Float32Array} the lowest and the highest value of each column
 */
export function outlineOf(samples, columns = 2_000) {
  const frames = samples[0].length
  const outline = new Float32Array(2 * columns)
  for (let column = 0; column < columns; column++) {
    const from = Math.floor((column * frames) / columns)
    const to = Math.max(from + 1, Math.floor(((column + 1) * frames) / columns))
    for (const channel of samples)
      for (let i = from; i < to && i < frames; i++) {
        if (channel[i] < outline[2 * column]) outline[2 * column] = channel[i]
        if (channel[i] > outline[2 * column + 1]) outline[2 * column + 1] = channel[i]
      }
  }
  return outline
}

export function drawWaveform(canvas, outline) {
  const { pen, width, height, colour } = start(canvas)
  pen.fillStyle = colour('--mark')
  const columns = outline.length / 2
  const most = outline.reduce((max, value) => Math.max(max, Math.abs(value)), 1e-6)
  const y = (value) => (height / 2) * (1 - (0.96 * value) / most)
  for (let x = 0; x < width; x++) {
    const from = Math.floor((x * columns) / width)
    const to = Math.max(from + 1, Math.floor(((x + 1) * columns) / width))
    let low = 0
    let high = 0
    for (let column = from; column < to; column++) {
      low = Math.min(low, outline[2 * column])
      high = Math.max(high, outline[2 * column + 1])
    }
    pen.fillRect(x, y(high), 1, Math.max(1, y(low) - y(high)))
  }
}

export function drawBeats(canvas, { beats, bars, track }) {
  const { pen, width, height, colour } = start(canvas)
  const strokes = (intervals, name, top, thick) => {
    if (width / intervals.length < APART) return
    pen.fillStyle = colour(name)
    for (const { start: time } of intervals)
      pen.fillRect((width * time) / track.duration, top, thick, height - top)
  }
  strokes(beats, '--quiet', height * 0.45, 1)
  strokes(bars, '--ink', 0, 2)
}

/** The tempo of each beat, as the median of it and its neighbours, over half to one and a half of the usual one. */
export function drawTempo(canvas, { beats, track }) {
  const { pen, width, height, colour } = start(canvas)
  if (beats.length === 0) return
  const usual = track.tempo || 60 / beats[0].duration
  pen.strokeStyle = colour('--mark')
  pen.lineWidth = 2
  pen.beginPath()
  for (const [i, { start: time }] of beats.entries()) {
    const near = beats.slice(Math.max(0, i - 3), i + 4).map(({ duration }) => 60 / duration)
    const tempo = near.sort((a, b) => a - b)[near.length >> 1]
    const share = Math.max(0, Math.min(1, tempo / usual - 0.5))
    pen.lineTo((width * time) / track.duration, (height - 2) * (1 - share) + 1)
  }
  pen.stroke()
}

export function drawPitches(canvas, { segments, track }) {
  const { pen, width, height, colour } = start(canvas)
  const row = height / 12
  pen.fillStyle = colour('--mark')
  for (const { start: time, duration, pitches } of segments) {
    const left = (width * time) / track.duration
    for (const [pitch, strength] of pitches.entries()) {
      pen.globalAlpha = strength ** 2
      // A little wider, or fine lines of the ground would show between them.
      pen.fillRect(left, (11 - pitch) * row, (width * duration) / track.duration + 0.5, row - 1)
    }
  }
}

/** A canvas as fine as the screen, empty, measured in CSS pixels. */
function start(canvas) {
  const { clientWidth: width, clientHeight: height } = canvas
  const scale = window.devicePixelRatio
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  const pen = canvas.getContext('2d')
  pen.scale(scale, scale)
  const style = getComputedStyle(canvas)
  return { pen, width, height, colour: (name) => style.getPropertyValue(name) }
}
