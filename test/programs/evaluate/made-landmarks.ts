import { type Random, seeded, shuffled, whole } from '../../support/chance.ts'
import { LANDMARK_UNITS, type Landmarks } from './systems.ts'

/** A passage of a model that stays together: seconds, at least and at most. */
const PASSAGE = { least: 6, most: 16 }
/** A tempo is faster or slower than the model's by a factor, at least and at most: none is the model's. */
const TEMPO = { least: 1.1, most: 1.3 }
/** Semitones up or down. Whole ones: most music shares the pitches of one tuning. */
const TRANSPOSED = 3
/** The upper part is of the one of so many models whose length is nearest the lower part's. */
const COMPARED = 4

/**
 * Landmarks of a song that does not exist, for large indexes. Below some frequency they are those
 * of one real song, above it those of another, each transposed and at a tempo of its own, with the
 * passages in another order. What is paired in a song remains what sounds together in music, and what
 * repeats in it repeats; but the song as a whole, and nearly all its keys' places, are new.
 *
 * @param number - the same number makes the same song
 */
export function madeLandmarks(models: readonly Landmarks[], number: number, seed = 1): Landmarks {
  const random = seeded(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b))
  const { lowest, highest } = LANDMARK_UNITS
  // Half of the models' landmarks or so on either side.
  const split = lowest + (highest - lowest) * (0.1 + 0.8 * random())
  const draw = () => models[whole(random, 0, models.length)]!
  const low = moved(draw(), 0, split, random)
  const length = low.at(-1)?.time ?? 0
  const others = Array.from({ length: COMPARED }, () => moved(draw(), split, Infinity, random))
  const apart = (marks: readonly Mark[]) => Math.abs((marks.at(-1)?.time ?? 0) - length)
  const high = others.reduce((best, next) => (apart(next) < apart(best) ? next : best))
  const marks = [...low, ...high.filter(({ time }) => time < length)]
  marks.sort((a, b) => a.time - b.time || a.frequency - b.frequency)
  return {
    times: Float32Array.from(marks, ({ time }) => time),
    frequencies: Float32Array.from(marks, ({ frequency }) => frequency),
    saliences: Float32Array.from(marks, ({ salience }) => salience),
  }
}

interface Mark {
  time: number
  frequency: number
  salience: number
}

/** Landmarks that lie between two frequencies after having been moved, by time. */
function moved(model: Landmarks, from: number, below: number, random: Random): Mark[] {
  const { second, lowest, highest } = LANDMARK_UNITS
  const pitch = 2 ** (whole(random, -TRANSPOSED, TRANSPOSED + 1) / 12)
  const faster = TEMPO.least + (TEMPO.most - TEMPO.least) * random()
  const tempo = random() < 0.5 ? faster : 1 / faster
  const marks: Mark[] = []
  let start = 0
  for (const [first, end] of shuffled(passagesOf(model.times, random), random)) {
    const begin = model.times[first]!
    for (let i = first; i < end; i++) {
      const frequency = model.frequencies[i]! * pitch
      if (frequency < Math.max(from, lowest) || frequency >= Math.min(below, highest)) continue
      const time = start + tempo * (model.times[i]! - begin)
      marks.push({ time, frequency, salience: model.saliences[i]! })
    }
    const last = end < model.times.length ? model.times[end]! : model.times[end - 1]! + second / 2
    start += tempo * (last - begin)
  }
  return marks
}

function passagesOf(times: Float32Array, random: Random): [from: number, to: number][] {
  const passages: [number, number][] = []
  for (let from = 0; from < times.length; ) {
    const seconds = PASSAGE.least + (PASSAGE.most - PASSAGE.least) * random()
    const end = times[from]! + seconds * LANDMARK_UNITS.second
    let to = from + 1
    while (to < times.length && times[to]! < end) to++
    passages.push([from, to])
    from = to
  }
  return passages
}
