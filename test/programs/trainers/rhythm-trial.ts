import { chooseMetre, layBars, type MetreModel } from '../../../src/analysis/bars.ts'
import { type BeatModels, chooseBeatPath } from '../../../src/analysis/beat-path-choice.ts'
import type { Case } from './isotonic.ts'
import { fitLevelModels } from './level-model.ts'
import { fitMetreModel } from './metre-model.ts'
import { fitPathModel } from './path-model.ts'
import { accentsAt, type Example, type Scorer } from './rhythm-examples.ts'

export interface Models {
  beat: BeatModels
  metre: MetreModel
}

/** A labelled clip counts as much as so many generated pieces. */
export const CLIP_SHARE = 12

export function shareOf(example: Example, clips: ReadonlySet<Example>): number {
  return clips.has(example) ? CLIP_SHARE : 1
}

export function fitModels(examples: readonly Example[], clips: ReadonlySet<Example>): Models {
  const known = examples.flatMap(({ metre }, i) => (metre ? [{ metre, at: examples[i]! }] : []))
  const shares = examples.map((example) => shareOf(example, clips))
  const path = fitPathModel(examples, shares)
  return {
    beat: { path, levels: fitLevelModels(examples, shares, path) },
    metre: fitMetreModel(
      known.map(({ metre }) => metre),
      known.map(({ at }) => shareOf(at, clips)),
    ),
  }
}

/** How models do on a piece of music that they have not seen. */
export interface Trial {
  example: Example
  measures: {
    f: number
    cmlt: number
    amlt: number
    acc1: number
    acc2: number
    downbeatF?: number
    timeSignature?: number
  }
  tempo: Case
  beat: Case
  bars: Case[]
  metre?: Case
}

export function tryModels(
  { beat, metre: metreModel }: Models,
  example: Example,
  share: number,
  scorer: Scorer,
): Trial {
  const { truth, material } = example
  const choice = chooseBeatPath(example.traits, example.agreement, beat)
  const { beats, f, cmlt, amlt, acc1, acc2 } = example.verdicts[choice.index]!
  const trial: Trial = {
    example,
    measures: { f, cmlt, amlt, acc1, acc2 },
    tempo: { raw: choice.tempoProbability, right: acc1, share },
    beat: { raw: choice.expected, right: f, share },
    bars: [],
  }
  if (!example.metre || beats.length < 9) return trial
  const { accents, bpm } = accentsAt(beats, material)
  const { metre, confidence } = chooseMetre(accents, bpm, metreModel)
  const { size, first: phase, lead } = layBars(accents, metre, metreModel)
  const first = beats.map((_, b) => b).filter((b) => b >= phase && (b - phase) % size === 0)
  const starts = first.map((b) => beats[b]!)
  trial.measures.downbeatF = scorer.beatF(truth.downbeats, starts)
  trial.measures.timeSignature = truth.accepted.includes(metre === 2 ? 6 : metre) ? 1 : 0
  trial.metre = { raw: confidence, right: trial.measures.timeSignature, share }
  trial.bars = first.map((b, i) => ({
    raw: lead[b]!,
    right: truth.downbeats.some((beat) => Math.abs(beat - starts[i]!) <= 0.07) ? 1 : 0,
    share: share / first.length,
  }))
  return trial
}

/** Mean of each measure over the trials that have it, as one line. */
export function summary(trials: readonly Trial[]): string {
  const mean = (name: keyof Trial['measures']): string => {
    const values = trials.flatMap(({ measures }) => measures[name] ?? [])
    return (values.reduce((sum, value) => sum + value, 0) / (values.length || 1)).toFixed(3)
  }
  return [
    `beat F ${mean('f')}, CMLt ${mean('cmlt')}, AMLt ${mean('amlt')}`,
    `tempo Acc1 ${mean('acc1')}, Acc2 ${mean('acc2')}`,
    `downbeat F ${mean('downbeatF')}, time signature ${mean('timeSignature')}`,
  ].join('; ')
}
