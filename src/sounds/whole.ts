import { CALIBRATION } from './calibration.ts'
import { type Hearing, probabilityOf } from './hearing.ts'
import { INSTRUMENT_FAMILIES } from './sound-classes.ts'
import { voiceShare } from './timeline.ts'

/** The values of the audio summary that a network hears, 0…1. */
export interface HeardSummary {
  /** How certain it is that nobody sings. */
  instrumentalness: number
  /** How certain it is that there is an audience. */
  liveness: number
  /** Above 0.66 nearly all is spoken, below 0.33 it is music. */
  speechiness: number
  /** The share of the time in which someone sings, raps or speaks. */
  voice: number
}

/** An instrument, or a family of them, that is heard. */
export interface Instrument {
  /** `piano`, `violin` …; `keyboards`, `guitars`, `strings`, `woodwinds`, `brass`, `percussion`. */
  name: string
  /** 0…1: how sure it is. */
  confidence: number
}

/** The least confidence with which an instrument is told. */
const LEAST_CONFIDENCE = 0.5
/** Of nothing that was heard. */
const LEAST_SCORE = -20

/** The values of the whole. @param packed - see {@link packedMoments} */
export function summaryOf({ moments }: Hearing, packed: Uint8Array): HeardSummary {
  const { sung, spoken, audience } = CALIBRATION
  const singing = sung.singing * meanProbability(moments.singing)
  const speaking = sung.speech * meanProbability(moments.speech)
  const over = meanOf(moments.speech) - meanOf(moments.music)
  const clapping = audience.scale * secondHighest(moments.applause) + audience.shift
  return {
    instrumentalness: share(1 - probabilityOf(singing + speaking + sung.shift)),
    liveness: share(probabilityOf(clapping)),
    speechiness: share(probabilityOf(spoken.scale * over + spoken.shift)),
    voice: share(voiceShare(packed)),
  }
}

/** The instruments that are heard in the whole, the surest first. */
export function instrumentsOf({ means }: Pick<Hearing, 'means'>): Instrument[] {
  const { scale, shift } = CALIBRATION.instrument
  const instruments: Instrument[] = []
  const add = (name: string, classes: readonly number[]) => {
    const mean = Math.max(...classes.map((one) => means[one]!))
    const confidence = probabilityOf(scale * Math.log(mean) + shift)
    if (confidence >= LEAST_CONFIDENCE) instruments.push({ name, confidence: share(confidence) })
  }
  for (const [family, { classes, members }] of Object.entries(INSTRUMENT_FAMILIES)) {
    add(family, [...classes, ...Object.values(members).flat()])
    for (const [name, own] of Object.entries(members)) add(name, own)
  }
  return instruments.sort((a, b) => b.confidence - a.confidence)
}

/** The logarithm of the mean of the probabilities. */
function meanProbability(scores: Float32Array): number {
  return Math.max(LEAST_SCORE, Math.log(meanOf(scores, probabilityOf)))
}

/** One patch may be mistaken for applause; of a single one, that one counts. */
function secondHighest(scores: Float32Array): number {
  const sorted = Float32Array.from(scores).sort()
  return sorted.at(-2) ?? sorted.at(-1) ?? LEAST_SCORE
}

function meanOf(scores: Float32Array, value = (score: number) => score): number {
  let sum = 0
  for (const score of scores) sum += value(score)
  return sum / Math.max(1, scores.length)
}

function share(value: number): number {
  return Number(value.toFixed(3))
}
