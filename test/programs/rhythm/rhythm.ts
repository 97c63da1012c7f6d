import { type Salience, salience } from '../../../src/analysis/beat-evidence.ts'
import { exactTime, exactTimeBefore } from '../../../src/analysis/intervals.ts'
import { LATENESS, type Novelty, peakFrame, refinedPeak } from '../../../src/analysis/novelty.ts'
import { ANALYSIS_RATE } from '../../../src/analysis/spectra.ts'
import { medianOf } from '../../../src/analysis/statistics.ts'
import { type BarPath, type BeatOdds, followBars } from './bar-pointer.ts'
import { type Network, SCORES } from './network.ts'
import { beatOdds, LEAST, levelLead, phaseLeads } from './rhythm-sureness.ts'
import { heardIn, type RhythmSpectrum, SPECTRUM } from './spectrum.ts'

const RHYTHM = {
  /** Slowest and fastest beats, BPM. */
  tempo: { slowest: 54, fastest: 232 },
  /** Metres that are followed at all tempi, and those that are only at the tempi of these. */
  usual: [4, 3],
  rare: [5, 6, 7],
  /** By how much longer or shorter, as a share, the beats of a rare metre may be. */
  spread: 0.12,
  /** Nats by which bars of a metre are likelier than those of four: once, and for each beat. */
  prior: {
    3: { once: -2, beat: 0 },
    4: { once: 0, beat: 0 },
    5: { once: -12, beat: -0.15 },
    6: { once: -8, beat: -0.15 },
    7: { once: -12, beat: -0.15 },
  } as Readonly<Record<number, { once: number; beat: number }>>,
  /**
   * Odds, in nats, that the likeliest frames of a piece have at least, and the share of frames that they
   * are: where the network is sure of nothing, beats are what stands out, not what it is sure of. Without,
   * the path of the fewest beats would be the likeliest.
   */
  peak: { odds: 1, share: 0.05 },
  /** Seconds by which a beat may move to the strongest novelty. */
  snap: 0.03,
  /** The last beat is left out if the end of the track cuts it shorter than this share of a beat. */
  leastOfLast: 0.5,
  /** Fewer beats are no rhythm. */
  fewest: 3,
}

/** The odds that the network gives to each frame. */
interface Heard extends BeatOdds {
  fps: number
}

/** A rhythm, and by how much it is likelier than others, in nats. */
interface Found {
  /** When beats begin, in seconds. */
  starts: number[]
  /** The same, and when the last one ends; of the bars likewise. */
  beats: number[]
  bars: number[]
  /** Beats in a bar. */
  metre: number
  sureness: { tempo: number; metre: number; beats: number[]; bars: number[] }
}

/**
 * The beats, bars and metre of mono samples at 22,050 Hz: the network says of each frame how likely a beat
 * and a downbeat are, and the bar pointer finds the likeliest bars of each metre through all of them. The
 * metre whose bars are likeliest over the whole piece is taken, and with it its tempo and phase.
 *
 * @returns undefined where there is nothing to hear, or not beats enough
 */
export function findRhythm(samples: Float32Array, network: Network): Found | undefined {
  const { spectrum: whole, novelty } = heardIn(samples)
  const duration = samples.length / ANALYSIS_RATE
  const sounding = (frame: number): boolean =>
    whole.levels.subarray(frame * whole.bands, (frame + 1) * whole.bands).some((level) => level > 0)
  let first = 0
  let last = whole.frames
  while (first < last && !sounding(first)) first++
  while (last > first && !sounding(last - 1)) last--
  if (first === last) return undefined
  const spectrum = excerptOf(whole, first, last)
  const heard = oddsOf(spectrum, network)
  const { path, metre, lead } = likeliestPath(heard)
  const { starts, kept } = timesOf(path.frames, { first, novelty, duration, fps: whole.fps })
  if (starts.length < RHYTHM.fewest) return undefined
  const frames = kept.map((i) => path.frames[i]!)
  const beats = [...starts, ...endOfLast(starts, duration)]
  const phase = kept.findIndex((i) => path.places[i] === 0)
  const count = phase < 0 ? 0 : Math.floor((beats.length - 1 - phase) / metre)
  const firsts = Array.from({ length: count > 0 ? count + 1 : 0 }, (_, bar) => phase + bar * metre)
  const leads = phaseLeads(frames, { heard, metre, phase })
  return {
    starts,
    beats,
    bars: firsts.map((i) => beats[i]!),
    metre,
    sureness: {
      tempo: levelLead(frames, heard),
      metre: lead,
      beats: beatOdds(frames, heard),
      bars: firsts.map((i) => leads[i] ?? 0),
    },
  }
}

function excerptOf(spectrum: RhythmSpectrum, first: number, last: number): RhythmSpectrum {
  const { fps, bands, levels } = spectrum
  const frames = Math.max(0, last - first)
  return { fps, frames, bands, levels: levels.subarray(first * bands, (first + frames) * bands) }
}

function oddsOf({ fps, frames, ...spectrum }: RhythmSpectrum, network: Network): Heard {
  const scores = network.hear({ fps, frames, ...spectrum })
  const beat = new Float32Array(frames)
  const down = new Float32Array(frames)
  const likelier = new Float32Array(frames)
  for (let frame = 0; frame < frames; frame++) {
    const at = frame * SCORES.count
    const none = scores[at + SCORES.none]!
    beat[frame] = scores[at + SCORES.beat]! - none
    down[frame] = scores[at + SCORES.down]! - none
    likelier[frame] = Math.max(beat[frame]!, down[frame]!)
  }
  const { odds, share } = RHYTHM.peak
  const peak = likelier.sort()[Math.floor(frames * (1 - share))] ?? odds
  const lift = Math.max(0, odds - peak)
  const lifted = (value: number): number => Math.max(LEAST, value + lift)
  return { fps, beat: beat.map(lifted), down: down.map(lifted) }
}

/** The likeliest bars of any metre, and by how many nats they lead over those of another. */
function likeliestPath(heard: Heard): { path: BarPath; metre: number; lead: number } {
  const { slowest, fastest } = RHYTHM.tempo
  const all = {
    shortest: Math.round((60 / fastest) * heard.fps),
    longest: Math.round((60 / slowest) * heard.fps),
  }
  const found: { path: BarPath; metre: number; score: number }[] = []
  const follow = (metre: number, lengths: { shortest: number; longest: number }) => {
    const path = followBars(heard, { metre, ...lengths })
    const { once, beat } = RHYTHM.prior[metre]!
    found.push({ path, metre, score: path.score + once + beat * path.frames.length })
    found.sort((a, b) => b.score - a.score)
  }
  for (const metre of RHYTHM.usual) follow(metre, all)
  const near = lengthsNear(found[0]!.path.frames, all)
  for (const metre of RHYTHM.rare) follow(metre, near)
  const [best, next] = found
  return { path: best!.path, metre: best!.metre, lead: best!.score - next!.score }
}

/** The lengths that beats have, with some on either side. */
function lengthsNear(
  frames: Int32Array,
  { shortest, longest }: { shortest: number; longest: number },
): { shortest: number; longest: number } {
  let [least, most] = [longest, shortest]
  for (let i = 1; i < frames.length; i++) {
    least = Math.min(least, frames[i]! - frames[i - 1]!)
    most = Math.max(most, frames[i]! - frames[i - 1]!)
  }
  if (least > most) return { shortest, longest }
  return {
    shortest: Math.max(shortest, Math.floor(least * (1 - RHYTHM.spread))),
    longest: Math.min(longest, Math.ceil(most * (1 + RHYTHM.spread))),
  }
}

/**
 * When beats begin, in seconds: each moves to the highest salience near it. Those outside of the track
 * or not after the one before are left out; `kept` are the others.
 */
function timesOf(
  frames: Int32Array,
  {
    first,
    novelty: { fps, broad },
    duration,
    fps: heardFps,
  }: { first: number; novelty: Novelty; duration: number; fps: number },
): { starts: number[]; kept: number[] } {
  const standing = salience(broad, fps)
  const reach = Math.round(RHYTHM.snap * fps)
  const starts: number[] = []
  const kept: number[] = []
  frames.forEach((frame, i) => {
    const seconds = (first + frame) / heardFps + SPECTRUM.late
    const at = highestAbout(standing, Math.round(peakFrame(seconds, fps)), reach)
    const time = exactTime(refinedPeak(standing, at) / fps - LATENESS.beat)
    if (time < 0 || time > duration || time <= (starts.at(-1) ?? -1)) return
    starts.push(time)
    kept.push(i)
  })
  return { starts, kept }
}

function highestAbout(curve: Salience, centre: number, reach: number): number {
  let at = centre
  let best = -1
  const end = Math.min(curve.length - 1, centre + reach)
  for (let frame = Math.max(0, centre - reach); frame <= end; frame++)
    if (curve[frame]! > best) {
      best = curve[frame]!
      at = frame
    }
  return at
}

/** When the last beat ends; nothing where the track ends first, and the last start is only an end. */
function endOfLast(starts: readonly number[], duration: number): [] | [number] {
  const pace = medianOf(
    starts
      .slice(-8)
      .map((start, i, some) => (some[i + 1] ?? start) - start)
      .slice(0, -1),
  )
  const last = starts.at(-1)!
  const end = Math.min(exactTime(last + pace), exactTimeBefore(duration))
  return end - last < RHYTHM.leastOfLast * pace ? [] : [end]
}
