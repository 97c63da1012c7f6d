// Draws a track along one line of time: sections, cues, waveform, bars and beats, loudness, heat maps.
import { cueFlags, cueList } from './cues.mjs'
import { heatMap, SCALE_STOPS } from './heat.mjs'
import { html } from './html.mjs'
import { clock, decimals, pitchName } from './words.mjs'

/** Pictures are this wide and high in units of their own, and stretched to their place. */
const WIDE = 10_000
const HIGH = 100
const FLOOR = -60
/** Seconds of a column of the heat maps, and the most columns there are. */
const COLUMN = 0.05
const COLUMNS = 6000
const TIMBRE = ['loudness', 'brightness', 'flatness', 'attack']
/** Steps of labels, each a multiple of the one before. */
const TIME_STEPS = [1, 5, 10, 30, 60, 300, 600, 1800, 3600]
/** Pixels: what names take on the left, and the widest picture that gets labels of its own. */
const GUTTER = 88
const WIDEST = 16 * 1600
const BAR_STEPS = [1, 2, 4, 8, 16, 32, 64, 128, 256]

/**
 * @param {import('audile').AnalysisDocument} analysis
 * @param {import('audile').Waveform} waveform
 * @param {import('audile').Cues} cues
 * @param {import('audile').SoundStretch[]} voice
 * @returns the picture, and rules for what is shown at which width
 */
export function timeline(analysis, waveform, cues, voice) {
  const { track, beats, bars, sections, segments } = analysis
  const { duration } = track
  const x = (seconds) => ((WIDE * seconds) / duration).toFixed(0)
  const part = (seconds) => `${((100 * seconds) / duration).toFixed(3)}%`
  const blocks = (list, says) =>
    html`<div class="blocks">${list.map(
      (one, i) => html`<span style="left:${part(one.start ?? one.time)};width:${part(one.duration)}"
><b class="block-number">${i + 1}</b><i class="block-says">${says(one)}</i></span>`,
    )}</div>`
  // Strokes that would run together are left out.
  const rules = [
    `@container lanes (max-width: ${beats.length * 3}px) { .grid .beat { display: none } }`,
    `@container lanes (max-width: ${bars.length * 2}px) { .grid .first { display: none } }`,
  ]
  const levels = segments.flatMap((s) => [
    [s.start, s.loudness_start],
    [s.start + s.loudness_max_time, s.loudness_max],
    ...(s.loudness_end === undefined ? [] : [[duration, s.loudness_end]]),
  ])
  const loudest = segments.reduce((a, b) => (b.loudness_max > a.loudness_max ? b : a))
  const quietest = Math.min(...segments.map((s) => s.loudness_max))
  const most = waveform.data.reduce((max, value) => Math.max(max, Math.abs(value)), 1)
  const columns = Math.min(COLUMNS, Math.ceil(duration / COLUMN))
  const at = columnsOf(segments, columns, duration)
  const spans = timbreSpans(segments)
  const image = (value) =>
    svg(html`<image href="${heatMap(columns, 12, value)}" width="${WIDE}" height="${HIGH}"
 preserveAspectRatio="none"/>`)

  const lanes = [
    {
      name: 'Sections',
      kind: 'sections',
      high: 2.25,
      says: `${sections.length} sections; the table below lists them`,
      content: blocks(sections, (s) => shortKey(s.key, s.mode)),
    },
    cues.phrases.length > 0 && {
      name: 'Phrases',
      kind: 'phrases',
      high: 1.5,
      says: `${cues.phrases.length} phrases of 8 or 16 bars`,
      content: blocks(cues.phrases, ({ bars }) => `${bars} bars`),
    },
    voice.length > 0 && {
      name: 'Voice',
      kind: 'phrases',
      high: 1.5,
      says: `${voice.length} stretches in which someone sings or speaks`,
      content: blocks(voice, () => ''),
    },
    {
      name: 'Cues',
      kind: 'cues',
      says: 'Cues; the table below lists them',
      content: cueFlags(cueList(cues), duration),
    },
    {
      name: 'Waveform',
      kind: 'waveform',
      high: 6.5,
      says: 'Waveform: the peaks of the samples, and their root mean square inside',
      content: svg(html`<path class="peaks" d="${peaks(waveform, duration, most)}"/>
<path class="area" d="${squares(waveform, duration, most)}"/>`),
    },
    {
      name: 'Bars, beats',
      kind: 'grid',
      high: 3,
      says: `${bars.length} bars and ${beats.length} beats, the surer the higher; a table below lists them`,
      content: html`${svg(html`<path class="beat" d="${strokes(beats, 45, x)}"/>
<path class="first" d="${strokes(bars, 65, x)}"/>`)}${labels(
        bars.map(({ start }) => start),
        {
          kind: 'number',
          steps: BAR_STEPS,
          room: 26,
          // What stood later would be cut off.
          last: 0.94,
          text: (i) => i + 1,
          duration,
          rules,
        },
      )}`,
    },
    {
      name: 'Loudness',
      kind: 'loudness',
      high: 7,
      rows: ['0', '−20', '−40', '−60'],
      caption: html`dB; <i class="dashed"></i> the whole, ${decimals(track.loudness)} LUFS`,
      says: `Loudness of segments from ${decimals(quietest)} to ${decimals(loudest.loudness_max)} dB, loudest at ${clock(loudest.start)}; ${decimals(track.loudness)} LUFS in all`,
      content: svg(html`<path class="rule" d="M0 0H${WIDE}M0 33.3H${WIDE}M0 66.7H${WIDE}"/>
<path class="area" d="${curve(levels, x)}V100H0Z"/><path class="line" d="${curve(levels, x)}"/>
${track.loudness === null ? '' : html`<path class="whole" d="M0 ${y(track.loudness)}H${WIDE}"/>`}`),
    },
    {
      name: 'Pitches',
      kind: 'pitches',
      high: 10.5,
      rows: Array.from({ length: 12 }, (_, i) => pitchName(11 - i)),
      caption: html`strength, 0 <i class="scale" style="background:linear-gradient(90deg, ${SCALE_STOPS})"></i> 1`,
      says: 'Strength of the twelve pitch classes in each segment; a table below lists them',
      content: image((column, row) => at(column).pitches[11 - row]),
    },
    {
      name: 'Timbre',
      kind: 'timbre',
      high: 10.5,
      rows: Array.from({ length: 12 }, (_, i) => TIMBRE[i] ?? i + 1),
      caption: 'each coefficient from its lowest to its highest',
      says: 'The twelve timbre coefficients of each segment; a table below lists them',
      content: image((column, row) => (at(column).timbre[row] - spans[row].low) / spans[row].size),
    },
  ]
  const picture = html`<section class="timeline">
<div class="bar">
<h2>Along the piece</h2>
<p id="readout" role="status">Point at the picture, or focus it and use the arrow keys.</p>
<div class="zoom" role="group" aria-label="Zoom">
<button type="button" id="out" aria-label="Zoom out">−</button><output id="zoom">1×</output><button
 type="button" id="in" aria-label="Zoom in">+</button>
</div>
</div>
<div class="window" id="window">
<div class="lanes" id="lanes">
${lanes.filter(Boolean).map(lane)}
<div class="lane axis" aria-hidden="true"><span class="name"></span><div class="body"><div class="plot" style="--high:1.75rem">${labels(
    Array.from({ length: Math.ceil(duration) }, (_, i) => i),
    { kind: 'time', steps: TIME_STEPS, room: 52, last: 0.9, text: clock, duration, rules },
  )}</div></div></div>
<div class="reach"><div id="cursor" role="slider" tabindex="0" aria-label="Time" aria-valuemin="0"
 aria-valuemax="${duration.toFixed(1)}" aria-valuenow="0" aria-valuetext="0:00"><i></i></div></div>
</div>
</div>
<p class="note">Bars and beats: the surer, the higher. Waveform: peaks, and inside the root mean square. Loudness: that
of the segments, at the start, the loudest moment and the end of each.</p>
</section>`
  return { picture, style: `${rules.join('\n')}\n` }
}

function lane({ name, kind, high, says, caption, rows = [], content }) {
  return html`<div class="lane ${kind}"><span class="name" aria-hidden="true"><b>${name}</b>${
    rows.length > 0 && html`<span class="rows">${rows.map((row) => html`<i>${row}</i>`)}</span>`
  }</span><div class="body">${caption && html`<p class="caption" aria-hidden="true">${caption}</p>`}
<div class="plot" role="img" aria-label="${says}" style="${high && `--high:${high}rem`}">${content}</div></div></div>
`
}

function svg(content) {
  return html`<svg viewBox="0 0 ${WIDE} ${HIGH}" preserveAspectRatio="none" aria-hidden="true">${content}</svg>`
}

/** Labels of moments; those of a step are shown where there is room for all of them. */
function labels(moments, { kind, steps, room, last, text, duration, rules }) {
  const shares = moments.map((moment) => moment / duration).filter((share) => share <= last)
  let smallest = steps.length
  for (let k = steps.length - 1; k >= 0; k--) {
    const shown = shares.filter((_, i) => i % steps[k] === 0)
    const gap = Math.min(1, ...shown.slice(1).map((share, i) => share - shown[i]))
    const width = Math.ceil(room / gap) + GUTTER
    if (width > WIDEST) break
    smallest = k
    rules.push(`@container lanes (min-width: ${width}px) { .${kind}${k} { display: block } }`)
  }
  return shares.map((share, i) => {
    const k = steps.findLastIndex((step) => i % step === 0)
    if (k < smallest) return undefined
    const left = (100 * share).toFixed(3)
    return html`<span class="tick ${kind}${k}" style="left:${left}%">${text(i)}</span>`
  })
}

/** Strokes from the ground up, so high where the confidence is 1. */
function strokes(intervals, high, x) {
  const top = (confidence) => (HIGH - 10 - (high - 10) * confidence).toFixed(0)
  return intervals
    .map(({ start, confidence }) => `M${x(start)} ${top(confidence)}V${HIGH}`)
    .join('')
}

/** C, Cm: short enough for a short section. */
function shortKey(key, mode) {
  return key >= 0 && `${pitchName(key, mode)}${mode === 1 ? '' : 'm'}`
}

function y(level) {
  return ((HIGH * Math.min(0, Math.max(FLOOR, level))) / FLOOR).toFixed(1)
}

function curve(levels, x) {
  return levels.map(([time, level], i) => `${i === 0 ? 'M' : 'L'}${x(time)} ${y(level)}`).join('')
}

/** The area between the lowest and the highest sample of each pixel; the highest peak fills the lane. */
function peaks({ data, ...waveform }, duration, most) {
  return area(waveform, duration, (i) => [data[2 * i] / most, data[2 * i + 1] / most])
}

/** The area of the root mean square, above and below the middle line. */
function squares({ rms, ...waveform }, duration, most) {
  return area(waveform, duration, (i) => [-rms[i] / 2 / most, rms[i] / 2 / most])
}

function area({ length, samplesPerPixel, sampleRate }, duration, span) {
  const width = (WIDE * samplesPerPixel) / sampleRate / duration
  const pixels = Array.from({ length }, (_, i) => [((i + 0.5) * width).toFixed(0), ...span(i)])
  const line = (pixels, k) => pixels.map((p) => `${p[0]} ${(50 - 50 * p[k]).toFixed(1)}`)
  return `M${[...line(pixels, 2), ...line(pixels.toReversed(), 1)].join('L')}Z`
}

/** Which segment sounds in the middle of a column. */
function columnsOf(segments, columns, duration) {
  const indices = new Uint32Array(columns)
  let i = 0
  for (let column = 0; column < columns; column++) {
    const time = ((column + 0.5) * duration) / columns
    while (i + 1 < segments.length && segments[i + 1].start <= time) i++
    indices[column] = i
  }
  return (column) => segments[indices[column]]
}

/** For each coefficient its span, but for the outermost twentieths. */
function timbreSpans(segments) {
  return Array.from({ length: 12 }, (_, k) => {
    const sorted = Float64Array.from(segments, (s) => s.timbre[k]).sort()
    const low = sorted[Math.floor(sorted.length * 0.05)]
    const high = sorted[Math.floor((sorted.length - 1) * 0.95)]
    return { low, size: Math.max(1, high - low) }
  })
}
