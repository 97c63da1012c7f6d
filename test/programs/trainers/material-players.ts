import { gaussian, pick } from '../../support/chance.ts'
import type { Random } from '../../support/music.ts'
import { type DrumRoom, type Kit, madeKit } from './material-kits.ts'
import { isStroke, type Production, type Score } from './material-score.ts'
import { addStem, amplify, duck, echo, reverberate } from './material-studio.ts'
import { isSynthetic, SynthRack } from './material-synths.ts'
import { beatTimesOf, timeAt } from './material-tempo.ts'
import { type Ensemble, SAMPLE_RATE, type Sound } from './rhythm-band.ts'

/** What a piece is made with. */
export interface Studio {
  /** Instruments that are no synthesisers; without them, synthesisers play all. */
  band?: Ensemble
  /** Recorded drums, if there are any. */
  drums?: DrumRoom
}

/** A piece as it is played, before it is recorded; times in seconds. */
export interface Performance {
  samples: Float32Array
  beats: number[]
  downbeats: number[]
  sections: number[]
}

/** How each kind of music is produced: shares of pieces. */
const PRODUCTIONS: Readonly<
  Record<Production, { synths: number; kits: number; ducked: number; machines: number }>
> = {
  solo: { synths: 0, kits: 0.5, ducked: 0, machines: 0 },
  band: { synths: 0.1, kits: 0.7, ducked: 0, machines: 0.1 },
  rock: { synths: 0.05, kits: 0.85, ducked: 0, machines: 0.05 },
  electronic: { synths: 0.9, kits: 0.95, ducked: 0.6, machines: 0.6 },
  mixed: { synths: 0.5, kits: 0.85, ducked: 0.25, machines: 0.35 },
}

/** Seconds by which players are apart from each other, standard deviation. */
const LOOSENESS = { machine: [0, 0, 0.002], band: [0.003, 0.006, 0.01], free: [0.004, 0.01, 0.015] }

/** Shares of pieces. */
const BEGUN_LATE = 0.08
const ENDED_EARLY = 0.1
/** How far voices and strokes are from what their style wants, in decades of amplitude. */
const BALANCE = 0.15

/** Plays music: each voice by who may play it, mixed. */
export function performed(
  score: Score,
  seconds: number,
  { band, drums }: Studio,
  random: Random,
): Performance {
  const { beatsPerBar, manner, sounds, beats, from } = score
  const times = beatTimesOf(score, random)
  // Some recordings begin before their music, some last longer.
  const silent = random() < BEGUN_LATE
  const began = silent ? -4 * random() : timeAt(times, from)
  const last = random() < ENDED_EARLY ? endOf(times, { began, seconds, beatsPerBar }) : beats - 1
  if (last < beats - 1 && manner !== 'machine') slowDown(times, last, 0.5 * random())
  const at = (beat: number) => timeAt(times, beat) - began
  const looseness = pick(random, LOOSENESS[manner])
  const ahead = leads(sounds, manner === 'free', random)
  const balance = new Map<string, number>()
  const heard = sounds.flatMap((sound): Sound[] => {
    const { voice } = sound
    if (!balance.has(voice)) balance.set(voice, 10 ** (BALANCE * gaussian(random)))
    const start = at(sound.start) + looseness * gaussian(random) - (ahead.get(voice) ?? 0)
    if (start < -0.01 || start >= seconds || sound.start > last) return []
    const end = at(sound.start + sound.duration)
    const gain = sound.gain * balance.get(voice)!
    return [{ ...sound, gain, start, duration: Math.max(0.03, end - start) }]
  })
  const samples = mixed(
    heard,
    seconds,
    { score, ...(band && { band }), ...(drums && { drums }) },
    random,
  )
  const inside = (time: number) => time >= 0 && time < seconds
  const labelled = Array.from({ length: last + 1 }, (_, b) => ({
    time: at(b),
    first: b % beatsPerBar === 0,
  })).filter(({ time }) => inside(time))
  return {
    samples,
    beats: labelled.map(({ time }) => time),
    downbeats: labelled.filter(({ first }) => first).map(({ time }) => time),
    sections: (score.sections ?? [])
      .filter((beat) => beat <= last)
      .map(at)
      .filter(inside),
  }
}

/** The downbeat on which a recording's music ends, some seconds before the recording. */
function endOf(
  times: Float64Array,
  { began, seconds, beatsPerBar }: { began: number; seconds: number; beatsPerBar: number },
): number {
  const until = times.findIndex((time) => time - began > seconds - 5)
  const beat = until < 0 ? times.length - 2 : until
  return beat - (beat % beatsPerBar)
}

/** The last beats before one get longer, by up to a share. */
function slowDown(times: Float64Array, last: number, share: number): void {
  const from = Math.max(0, last - 6)
  let moved = 0
  for (let b = from, before = times[from]!; b < last; b++) {
    const interval = times[b + 1]! - before
    before = times[b + 1]!
    moved += (interval * share * (b + 1 - from)) / (last - from)
    times[b + 1] = times[b + 1]! + moved
  }
  for (let b = last + 1; b < times.length; b++) times[b] = times[b]! + moved
}

/** Hands that are not together: the seconds by which some voices come early. */
function leads(sounds: readonly Sound[], free: boolean, random: Random): Map<string, number> {
  const voices = new Set(sounds.map(({ voice }) => voice).filter((voice) => !isStroke(voice)))
  return new Map([...voices].map((voice) => [voice, free ? 0.02 * random() : 0]))
}

function mixed(
  sounds: readonly Sound[],
  seconds: number,
  { score, band, drums }: Studio & { score: Score },
  random: Random,
): Float32Array {
  const shares = PRODUCTIONS[score.production]
  const length = Math.round(seconds * SAMPLE_RATE)
  const out = new Float32Array(length)
  const rack = new SynthRack(random)
  const machine = random() < shares.machines || drums === undefined || drums.empty
  const kit =
    random() < shares.kits || band === undefined
      ? machine
        ? madeKit(random)
        : drums.kit(random)
      : undefined
  const synthetic = new Map<string, boolean>()
  for (const { voice } of sounds)
    if (!synthetic.has(voice))
      synthetic.set(voice, voiceIsSynthetic(voice, random() < shares.synths || band === undefined))
  const drumStem = new Float32Array(length)
  const played: Sound[] = []
  const stems = new Map<string, Sound[]>()
  for (const sound of sounds) {
    const { voice } = sound
    if (isStroke(voice) && kit) strike(kit, sound, voice, drumStem)
    else if (!isStroke(voice) && synthetic.get(voice))
      stems.set(voice, [...(stems.get(voice) ?? []), sound])
    else played.push(sound)
  }
  const kicks = sounds.filter(({ voice }) => voice === 'kick').map(({ start }) => start)
  const pumping =
    random() < shares.ducked && kicks.length > 0
      ? { depth: 0.3 + 0.65 * random(), seconds: 0.1 + (40 / score.bpm) * random() }
      : undefined
  const far = random() < 0.15 ? 10 : 0
  if (kit) {
    if (random() < 0.4) reverberate(drumStem, roomOf(0.5, random), random)
    addStem(out, drumStem, 5 * (2 * random() - 1) - far)
  }
  if (band && played.length > 0) addStem(out, band.play(played, seconds, random), -3 + 6 * random())
  for (const [voice, notes] of stems) {
    const stem = new Float32Array(length)
    rack.play(notes, stem)
    if (voice === 'drive') amplify(stem, 3 * 10 ** random())
    if (pumping) duck(stem, kicks, pumping)
    if (voice !== 'bass' && random() < 0.25)
      echo(
        stem,
        (pick(random, [0.5, 0.75, 0.75, 1 / 3, 1]) * 60) / score.bpm,
        0.3 + 0.3 * random(),
        0.5,
      )
    if (voice !== 'bass' && random() < 0.4) reverberate(stem, roomOf(1, random), random)
    addStem(out, stem, (voice === 'bass' ? 1 : -5) + 8 * (random() - 0.5))
  }
  return out
}

/** Whether a voice is a synthesiser's: what soundfonts do not have always is. */
function voiceIsSynthetic(voice: string, chosen: boolean): boolean {
  return voice === 'bass' ? chosen : isSynthetic(voice) || chosen
}

function roomOf(size: number, random: Random): { size: number; seconds: number; level: number } {
  return {
    size: size * (0.5 + random()),
    seconds: 0.3 + 1.8 * size * random() ** 2,
    level: 0.7 * random(),
  }
}

function strike(kit: Kit, { start, gain }: Sound, stroke: keyof Kit, out: Float32Array): void {
  const sound = kit[stroke]
  const from = Math.round(start * SAMPLE_RATE)
  const end = Math.min(sound.length, out.length - from)
  for (let i = Math.max(0, -from); i < end; i++) out[from + i] = out[from + i]! + gain * sound[i]!
}
