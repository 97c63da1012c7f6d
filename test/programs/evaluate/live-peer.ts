import { Resampler } from '../../../src/audio/resample.ts'

/** The plainest published live tracker; Hz, and samples of a frame. */
const PEER = {
  rate: 11_025,
  hop: 110,
  memory: 6,
  slowest: 55,
  fastest: 215,
  tightness: 100,
  decay: 0.9,
}

/**
 * Beats by the rise of energy, its autocorrelation over the last 6 s and the causal dynamic program of Ellis
 * (2007) as Stark, Davies & Plumbley run it on a stream ("Real-time beat-synchronous analysis of musical
 * audio", DAFx 2009): each beat is predicted half a beat before. It never judges whether there is music.
 */
export function plainestBeats(samples: Float32Array, sampleRate: number): number[] {
  const mono = new Resampler(sampleRate, PEER.rate).push(samples).slice()
  const fps = PEER.rate / PEER.hop
  const frames = Math.floor(mono.length / PEER.hop)
  const rise = new Float64Array(frames)
  let before = 0
  for (let frame = 0; frame < frames; frame++) {
    let energy = 1e-9
    for (let i = 0; i < PEER.hop; i++) energy += mono[frame * PEER.hop + i]! ** 2
    const level = Math.log10(energy)
    rise[frame] = Math.max(0, level - before)
    before = level
  }
  const [shortest, longest] = [PEER.fastest, PEER.slowest].map((bpm) =>
    Math.round((60 * fps) / bpm),
  )
  const scores = new Float64Array(frames)
  const beats: number[] = []
  let period = Math.round(fps / 2)
  let due = Number.POSITIVE_INFINITY
  for (let frame = 0; frame < frames; frame++) {
    scores[frame] = (1 - PEER.decay) * rise[frame]! + PEER.decay * bestBefore(scores, frame, period)
    if (frame % Math.round(fps / 2) === 0 && frame > 2 * longest!)
      period = periodOf(rise, frame, { shortest: shortest!, longest: longest!, fps })
    if (frame === longest!) due = frame
    if (frame < due) continue
    // The score goes on without new energy for one beat: its top is the next beat.
    let best = { at: frame + 1, score: Number.NEGATIVE_INFINITY }
    const future = scores.slice(0, frame + 1 + period)
    for (let ahead = 1; ahead < period; ahead++) {
      future[frame + ahead] = bestBefore(future, frame + ahead, period)
      const weight = Math.exp(-((ahead - period / 2) ** 2) / (2 * (period / 4) ** 2))
      if (weight * future[frame + ahead]! > best.score)
        best = { at: frame + ahead, score: weight * future[frame + ahead]! }
    }
    beats.push(best.at / fps)
    due = best.at + Math.round(period / 2)
  }
  return beats
}

function bestBefore(scores: Float64Array, frame: number, period: number): number {
  let best = 0
  for (let back = Math.round(period / 2); back <= 2 * period && back <= frame; back++) {
    const weight = Math.exp(-0.5 * (PEER.tightness / 20) ** 2 * Math.log(back / period) ** 2)
    best = Math.max(best, weight * scores[frame - back]!)
  }
  return best
}

/** The lag at which the rises of the last seconds are most alike, weighted towards 120 BPM. */
function periodOf(
  rise: Float64Array,
  frame: number,
  { shortest, longest, fps }: { shortest: number; longest: number; fps: number },
): number {
  const from = Math.max(0, frame - Math.round(PEER.memory * fps))
  let best = { lag: shortest, value: 0 }
  for (let lag = shortest; lag <= longest; lag++) {
    let sum = 0
    for (let t = from + lag; t < frame; t++) sum += rise[t]! * rise[t - lag]!
    const value = (sum / (frame - from - lag)) * Math.exp(-0.5 * Math.log2((2 * lag) / fps) ** 2)
    if (value > best.value) best = { lag, value }
  }
  return best.lag
}
