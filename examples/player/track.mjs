// One track, as the bar shows it: its waveform, its beats, sections and cues, and what was corrected.
import { transition } from 'audile/analysis'

/** Pixels of a waveform, at least: as many as a wide screen has. */
const PIXELS = 2000
/** Samples of a second, at most, for the zoom; finer than this nothing is stored. */
const [RATE, FINEST] = [44_100, 256]
/** Cues in the order of the track, with the names that people give them. */
const CUES = {
  musicStart: 'Music starts',
  mixIn: 'Mix in',
  introEnd: 'Intro ends',
  loudest: 'Loudest part',
  highlight: 'Highlight',
  mixOut: 'Mix out',
  outroStart: 'Outro starts',
}

export async function detailOf(music, id) {
  const track = await music.tracks.get(id)
  const { corrections, heard } = track.answer
  const document = await track.analysis()
  const { duration, tempo, time_signature: metre } = document.track
  const samplesPerPixel = Math.max(FINEST, Math.floor((duration * RATE) / PIXELS))
  const [cues, voices, waveform] = await Promise.all([
    track.cues(),
    voicesOf(track),
    // An imported track has none.
    track.waveform({ samplesPerPixel }).catch(() => undefined),
  ])
  const starts = (events) => events.map(({ start }) => start)
  return {
    ...{ id, duration, tempo, metre, corrections, heard },
    beats: document.beats.map(({ start, duration }) => ({ start, duration })),
    bars: starts(document.bars),
    sections: starts(document.sections),
    voices,
    cues: Object.entries(CUES).flatMap(([name, label]) =>
      cues[name] ? { label, time: cues[name].time } : [],
    ),
    // The lowest and the highest sample of each pixel in turn.
    waveform: waveform && { data: Array.from(waveform.data), bits: waveform.bits },
  }
}

/** Where someone sings, if a sound model heard the track. */
async function voicesOf(track) {
  const { voice } = await track.sounds({ hear: 'known' }).catch(() => ({ voice: [] }))
  return voice
}

/** Corrects tempo or downbeat; `null` takes a correction back. */
export async function correct(music, { id, tempo, downbeat }) {
  const track = await music.tracks.get(id)
  await track.correct({
    ...(tempo !== undefined && { tempo }),
    ...(downbeat !== undefined && { downbeat }),
  })
  return detailOf(music, id)
}

/** How to go from one track to another; see `transition` of `audile/analysis`. */
export async function transitionOf(music, { from, to }) {
  const tracks = await Promise.all([from, to].map((id) => music.tracks.get(id)))
  const [one, other] = await Promise.all(tracks.map((track) => track.analysis()))
  const [playing, coming] = await Promise.all(tracks.map(voicesOf))
  return transition(one, other, { from: playing, to: coming })
}
