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
  const draw = () => played(models[whole(random, 0, models.length)]!, random)
  const low = draw()
  const apart = ({ length }: Played) => Math.abs(length - low.length)
  const high = Array.from({ length: COMPARED }, draw).reduce((best, next) =>
    apart(next) < apart(best) ? next : best,
  )
  const below = marksOf(low, { from: lowest, to: split, end: Infinity }, random)
  const above = marksOf(high, { from: split, to: highest, end: low.length }, random)
  const marks = inOrder(below, above)
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

/** A model, and how it is played in a made song. */
interface Played {
  model: Landmarks
  /** Factors of its frequencies and of its times. */
  pitch: number
  slower: number
  /** In frames. */
  length: number
}

function played(model: Landmarks, random: Random): Played {
  const pitch = 2 ** (whole(random, -TRANSPOSED, TRANSPOSED + 1) / 12)
  const factor = TEMPO.least + (TEMPO.most - TEMPO.least) * random()
  const slower = random() < 0.5 ? factor : 1 / factor
  return { model, pitch, slower, length: slower * (model.times.at(-1) ?? 0) }
}

/** Landmarks from one frequency up to another and before some time, by time. */
function marksOf(
  { model, pitch, slower }: Played,
  { from, to, end: until }: { from: number; to: number; end: number },
  random: Random,
): Mark[] {
  const { times, frequencies, saliences } = model
  const marks: Mark[] = []
  let start = 0
  for (const [first, end] of shuffled(passagesOf(times, random), random)) {
    if (start >= until) break
    const begin = times[first]!
    for (let i = first; i < end; i++) {
      const frequency = frequencies[i]! * pitch
      if (frequency < from || frequency >= to) continue
      const time = start + slower * (times[i]! - begin)
      if (time < until) marks.push({ time, frequency, salience: saliences[i]! })
    }
    const last = end < times.length ? times[end]! : times[end - 1]! + LANDMARK_UNITS.second / 2
    start += slower * (last - begin)
  }
  return marks
}

/** Two lists, each in the order of time, as one. */
function inOrder(one: readonly Mark[], other: readonly Mark[]): Mark[] {
  const all: Mark[] = []
  let at = 0
  for (const mark of one) {
    while (at < other.length && other[at]!.time < mark.time) all.push(other[at++]!)
    all.push(mark)
  }
  return [...all, ...other.slice(at)]
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
