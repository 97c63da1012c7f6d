import { Network, SCORES } from './activation/network.ts'
import { ACTIVATION } from './activation/network-weights.ts'
import type { BarPath, BeatOdds } from './bar-pointer.ts'
import type { Chroma } from './chroma.ts'
import { evened } from './evened.ts'
import { harmonicChanges } from './harmonic-change.ts'
import { between, exactTime, exactTimeBefore, type Interval } from './intervals.ts'
import { downbeatGains, likeliestBars } from './metre-choice.ts'
import { type RhythmSpectrum, SPECTRUM } from './novelty.ts'
import { RHYTHM_CONFIDENCE } from './rhythm-confidence.ts'
import { beatOdds, LEAST, levelLead, meanOf, phaseLeads } from './rhythm-sureness.ts'
import { calibrated } from './statistics.ts'
import { paceAtEnd, steadiness, tempoOfBeats } from './tempo.ts'

const RHYTHM = {
  /** Seconds by which an attack may begin before the first sound. */
  attack: 0.1,
  /** Share of a beat by which the first may be before the sound begins. */
  early: 0.1,
  /** Beats that tell where those before the first that is heard are. */
  pacing: 8,
  /** Frames on either side of a beat's own in which it may be. */
  near: 2,
  /** What a change of the beat's length costs, beside moving a sure beat by as much. */
  evenness: 0.3,
  /** The last beat is left out if the end of the track cuts it shorter than this share of a beat. */
  leastOfLast: 0.5,
  /** Fewer beats are no rhythm. */
  fewest: 3,
}

/** What a rhythm is found in. */
export interface Listened {
  spectrum: RhythmSpectrum
  chroma: Chroma
}

export interface Rhythm {
  /** Gap-free: each starts exactly where the one before ends. */
  beats: Interval[]
  /**
   * Gap-free, each of `timeSignature` beats. Beats before the first downbeat (a pickup) and after the
   * last whole bar belong to none.
   */
  bars: Interval[]
  /** BPM; 0 when there are no beats. */
  tempo: number
  tempoConfidence: number
  /** 3 to 7; music in bars of two beats is written in bars of four. */
  timeSignature: number
  timeSignatureConfidence: number
}

const NONE: Rhythm = {
  beats: [],
  bars: [],
  tempo: 0,
  tempoConfidence: 0,
  timeSignature: 4,
  timeSignatureConfidence: 0,
}

/**
 * The beats, bars, tempo and metre of a track: the network says of each frame how likely a beat and
 * a downbeat are, and the bar pointer finds the likeliest bars of each metre through all of them. The
 * likeliest metre is taken, and the phase of its bars by the network's downbeats and by where the
 * harmony changes.
 *
 * Only from the first to the last sound: in silence a tracker goes on counting. The last beat is as
 * long as the tempo there, but does not pass the end of the track.
 *
 * @param duration  of the track, in seconds
 * @param sound  where it is not silent, in seconds
 */
export function trackRhythm(
  music: Listened,
  duration: number,
  sound: { start: number; end: number } = { start: 0, end: duration },
): Rhythm {
  network ??= new Network(ACTIVATION.form, ACTIVATION.weights)
  const found = findRhythm(music, { duration, sound, network })
  if (found === undefined) return NONE
  const { beats, bars, metre, sureness } = found
  const { tempo: ofTempo, beat, bar, metre: ofMetre } = RHYTHM_CONFIDENCE
  const ofBeats = sureness.beats.map((odds) => calibrated(odds, beat))
  const tempo = tempoOfBeats(found.starts)
  return {
    beats: between(beats, (i) => ofBeats[i]!),
    bars: between(bars, (i) => calibrated(sureness.bars[i]!, bar)),
    tempo,
    // Noise may lead to one tempo as well, and music may have two: none is surer than its beats, nor
    // than the share of them that keep it.
    tempoConfidence: Math.min(
      calibrated(sureness.tempo, ofTempo),
      meanOf(ofBeats),
      steadiness(found.starts, tempo),
    ),
    timeSignature: metre,
    timeSignatureConfidence: calibrated(sureness.metre, ofMetre),
  }
}

let network: Network | undefined

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

/** `undefined` where there is nothing to hear, or not beats enough. */
export function findRhythm(
  { spectrum: whole, chroma }: Listened,
  {
    duration,
    sound,
    network,
  }: { duration: number; sound: { start: number; end: number }; network: Network },
): Found | undefined {
  const { fps } = whole
  const first = Math.max(0, Math.floor((sound.start - RHYTHM.attack) * fps))
  const last = Math.min(whole.frames, Math.ceil(sound.end * fps))
  const spectrum = excerptOf(whole, first, last)
  if (spectrum.levels.every((level) => level === 0)) return undefined
  const heard = oddsOf(spectrum, network)
  const changesAt = (beats: Int32Array) => harmonicChanges(chroma, beats, { fps, first })
  const inBars = { ...heard, changesAt }
  const { path: found, metre, lead } = likeliestBars(inBars)
  if (found.frames.length < RHYTHM.fewest) return undefined
  const path = fromStart(found, metre, sound.start * fps - first)
  const { starts, kept } = timesOf(path.frames, heard, { first, duration })
  extrapolateFirst(starts, kept.filter((i) => path.frames[i]! < found.frames[0]!).length)
  if (starts.length < RHYTHM.fewest) return undefined
  const frames = Int32Array.from(kept, (i) => path.frames[i]!)
  const beats = [...starts, ...endOfLast(starts, duration)]
  if (beats.length <= RHYTHM.fewest) return undefined
  const phase = kept.findIndex((i) => path.places[i] === 0)
  const count = phase < 0 ? 0 : Math.floor((beats.length - 1 - phase) / metre)
  const firsts = Array.from({ length: count > 0 ? count + 1 : 0 }, (_, bar) => phase + bar * metre)
  const leads = phaseLeads(downbeatGains(frames, inBars), { metre, phase })
  return {
    // One that the end of the track cuts short is only an end, and its place is uncertain.
    starts: beats.slice(0, -1),
    beats,
    bars: firsts.map((i) => beats[i]!),
    metre,
    sureness: {
      tempo: levelLead(found.frames, heard),
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

/** The path with the beats that begin with the sound, or soon after: they have nothing before to be heard by. */
function fromStart({ frames, places, score }: BarPath, metre: number, start: number): BarPath {
  const gap = frames[1]! - frames[0]!
  const missing = Math.max(0, Math.floor((frames[0]! - start) / gap + RHYTHM.early))
  const first = (places[0]! + missing * (metre - 1)) % metre
  return {
    frames: Int32Array.from({ length: missing + frames.length }, (_, i) =>
      i < missing ? frames[0]! - (missing - i) * gap : frames[i - missing]!,
    ),
    places: Uint8Array.from({ length: missing + places.length }, (_, i) => (first + i) % metre),
    score,
  }
}

/** Moves the first beats, which are not heard, to where those after them say; never before 0. */
function extrapolateFirst(starts: number[], count: number): void {
  const after = starts.slice(count, count + RHYTHM.pacing + 1)
  if (after.length < 2) return
  const pace = (after.at(-1)! - after[0]!) / (after.length - 1)
  for (let i = 0; i < count; i++) starts[i] = Math.max(0, exactTime(after[0]! - (count - i) * pace))
}

/** The odds that a network gives to each frame. */
export function oddsOf({ fps, frames, ...spectrum }: RhythmSpectrum, network: Network): BeatOdds {
  const scores = network.hear({ fps, frames, ...spectrum })
  const beat = new Float32Array(frames)
  const down = new Float32Array(frames)
  for (let frame = 0; frame < frames; frame++) {
    const at = frame * SCORES.count
    const none = scores[at + SCORES.none]!
    beat[frame] = Math.max(LEAST, scores[at + SCORES.beat]! - none)
    down[frame] = Math.max(LEAST, scores[at + SCORES.down]! - none)
  }
  return { fps, beat, down }
}

/**
 * When beats begin, in seconds, the more even the less sure each is. Those outside of the track or not
 * after the one before are left out; `kept` are the others.
 */
function timesOf(
  frames: Int32Array,
  heard: BeatOdds,
  { first, duration }: { first: number; duration: number },
): { starts: number[]; kept: number[] } {
  const places = Array.from(frames, (frame) => placeOf(heard, frame))
  const even = evened(
    places.map(({ place }) => place),
    places.map(({ chance }) => chance),
    RHYTHM.evenness,
  )
  const starts: number[] = []
  const kept: number[] = []
  even.forEach((place, i) => {
    const time = exactTime((first + place) / heard.fps + SPECTRUM.late)
    if (time < 0 || time > duration || time <= (starts.at(-1) ?? -1)) return
    starts.push(time)
    kept.push(i)
  })
  return { starts, kept }
}

/** The place between frames where a beat is likeliest near the frame that its path has, and its highest probability there. */
function placeOf({ beat, down }: BeatOdds, frame: number): { place: number; chance: number } {
  let sum = 0
  let weights = 0
  let highest = 0
  for (let step = -RHYTHM.near; step <= RHYTHM.near; step++) {
    const odds = Math.max(beat[frame + step] ?? LEAST, down[frame + step] ?? LEAST)
    const chance = 1 / (1 + Math.exp(-odds))
    sum += step * chance
    weights += chance
    highest = Math.max(highest, chance)
  }
  return { place: frame + sum / weights, chance: highest }
}

/** When the last beat ends; nothing where the track ends first, and the last start is only an end. */
function endOfLast(starts: readonly number[], duration: number): [] | [number] {
  const pace = paceAtEnd(starts)
  const last = starts.at(-1)!
  const end = Math.min(exactTime(last + pace), exactTimeBefore(duration))
  return end - last < RHYTHM.leastOfLast * pace ? [] : [end]
}
