import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beatCandidates } from '../../../src/analysis/beat-candidates.ts'
import {
  type Accents,
  accentsOfBeats,
  type RhythmMaterial,
  rhythmMaterial,
  salience,
} from '../../../src/analysis/beat-evidence.ts'
import { pathAgreement } from '../../../src/analysis/beat-path-choice.ts'
import { beatTraits } from '../../../src/analysis/beat-traits.ts'
import { beatTimes, tempoOfBeats } from '../../../src/analysis/beats.ts'
import { FrontEnd } from '../../../src/analysis/front-end.ts'
import { windowOf } from '../../../src/analysis/meyda.ts'
import { type Novelty, NoveltyFront, peakFrame } from '../../../src/analysis/novelty.ts'
import { SPECTRA, SpectrumStream } from '../../../src/analysis/spectra.ts'
import { medianOf } from '../../../src/analysis/statistics.ts'
import { decode } from '../../../src/audio/decode.ts'
import type { MetreExample } from './metre-model.ts'
import type { PathExample } from './path-model.ts'
import type { Piece } from './rhythm-pieces.ts'

/** What is known about a piece of music. Times are in seconds. */
export interface Truth {
  /** Clips of one family, or pieces of one style, are alike. */
  group: string
  /** A clip and a piece of the same name may be of the same patterns. */
  music: string
  beats: number[]
  downbeats: number[]
  tempo: number
  beatsPerBar?: number
  /** Time signatures that are right. */
  accepted: number[]
}

/** The measures of the data's own scorer. */
export interface Scorer {
  beatF(truth: readonly number[], found: readonly number[]): number
  continuity(truth: readonly number[], found: readonly number[]): [number, number, number, number]
  tempoAcc1(truth: number, found: number): number
  tempoAcc2(truth: number, found: number): number
}

/** How one candidate compares with the truth. */
export interface Verdict {
  beats: number[]
  tempo: number
  f: number
  cmlt: number
  amlt: number
  acc1: number
  acc2: number
}

/** All that training needs of a piece of music; its samples are not among it. */
export interface Example extends PathExample {
  truth: Truth
  agreement: Float64Array
  verdicts: Verdict[]
  material: RhythmMaterial
  /** Undefined where bars are not known. */
  metre?: MetreExample
}

/** The labelled clips of DIR/eval/dev, those with beats. */
export async function* labelledClips(data: string, scorer: Scorer): AsyncGenerator<Example> {
  const folder = join(data, 'eval', 'dev')
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
    id: string
    file: string
    source: string
    tempo: number
    beats?: number[]
    downbeats?: number[]
    beats_per_bar?: number
    time_signature_accept?: number[]
  }[]
  for (const clip of manifest) {
    if (clip.beats === undefined) continue
    const { novelty } = await featuresOf(join(folder, clip.file))
    const truth: Truth = {
      group: /^[a-z]+\d+-([a-z]+\d*)-/.exec(clip.id)?.[1] ?? clip.source,
      music: musicOf(clip.id.split('-').at(-1)!),
      beats: clip.beats,
      downbeats: clip.downbeats ?? [],
      tempo: clip.tempo,
      accepted: clip.time_signature_accept ?? [],
    }
    if (clip.beats_per_bar) truth.beatsPerBar = clip.beats_per_bar
    const example = exampleOf({ truth, novelty }, scorer)
    if (example) yield example
  }
}

/** What the analyser's one pass over the samples of a file gives. */
export async function featuresOf(file: string): Promise<ReturnType<FrontEnd['finish']>> {
  let front: FrontEnd | undefined
  for await (const { channels, sampleRate } of decode(file)) {
    front ??= new FrontEnd(sampleRate, channels.length)
    front.push(channels)
  }
  if (front === undefined) throw new Error(`${file}: has no sound.`)
  return front.finish()
}

/** What remains of a piece of music when it has been listened to. */
export interface Hearing {
  truth: Truth
  novelty: Novelty
}

/** Listens to a generated piece. */
export function hearingOf(piece: Piece): Hearing {
  const novelty = new NoveltyFront()
  const spectra = new SpectrumStream(windowOf('hanning', SPECTRA.size), SPECTRA.hop, (magnitudes) =>
    novelty.push(magnitudes),
  )
  spectra.push(piece.samples)
  spectra.finish()
  const { style, beats, downbeats, tempo, beatsPerBar, accepted } = piece
  return {
    truth: { group: style, music: musicOf(style), beats, downbeats, tempo, beatsPerBar, accepted },
    novelty: novelty.finish(),
  }
}

/** A name without what writers differ in. */
function musicOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** What is to be learnt from music; undefined when nothing is found in it. */
export function exampleOf({ truth, novelty }: Hearing, scorer: Scorer): Example | undefined {
  const { candidates, odds } = beatCandidates(novelty)
  if (candidates.length === 0) return
  const agreement = pathAgreement(candidates, novelty.fps)
  const standing = salience(novelty.broad, novelty.fps)
  const material = rhythmMaterial(novelty)
  const verdicts = candidates.map(({ at }) => {
    const beats = beatTimes(at, standing, novelty.fps).filter((beat) => beat >= 0)
    const tempo = tempoOfBeats(beats)
    const [, cmlt, , amlt] = scorer.continuity(truth.beats, beats)
    return {
      beats,
      tempo,
      f: scorer.beatF(truth.beats, beats),
      cmlt,
      amlt,
      acc1: scorer.tempoAcc1(truth.tempo, tempo),
      acc2: scorer.tempoAcc2(truth.tempo, tempo),
    }
  })
  const example: Example = {
    truth,
    agreement,
    traits: beatTraits(candidates, odds, agreement, novelty),
    verdicts,
    utility: verdicts.map(({ f, cmlt, amlt, acc1 }) => 0.4 * f + 0.4 * cmlt + 0.1 * (amlt + acc1)),
    material,
  }
  const metre = metreExampleOf(truth, material)
  return metre ? { ...example, metre } : example
}

function metreExampleOf(truth: Truth, material: RhythmMaterial): MetreExample | undefined {
  const { beats, downbeats, beatsPerBar, accepted } = truth
  if (beatsPerBar === undefined || downbeats.length < 3) return
  const downbeat = beats.reduce(
    (best, beat, b) =>
      Math.abs(beat - downbeats[0]!) < Math.abs(beats[best]! - downbeats[0]!) ? b : best,
    0,
  )
  const twoFour = beatsPerBar === 2 && !accepted.includes(6)
  return {
    ...accentsAt(beats, material),
    beatsPerBar,
    metre: twoFour ? 4 : beatsPerBar === 6 ? 3 : beatsPerBar,
    downbeat,
  }
}

/** The accents of beats at some times, the last of which only ends the one before. */
export function accentsAt(
  beats: readonly number[],
  material: RhythmMaterial,
): { accents: Accents; bpm: number } {
  const frames = Float64Array.from(beats, (time) => peakFrame(time, material.fps))
  const intervals = beats.slice(1).map((beat, i) => beat - beats[i]!)
  return { accents: accentsOfBeats(frames, material), bpm: 60 / medianOf(intervals) }
}
