import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromaOf } from '../../../src/analysis/chroma.ts'
import { FrontEnd } from '../../../src/analysis/front-end.ts'
import { trackRhythm } from '../../../src/analysis/rhythm.ts'
import { findSections, SECTIONS } from '../../../src/analysis/sections.ts'
import {
  STRUCTURE,
  type StructureCurves,
  structureCurves,
  weighCurves,
} from '../../../src/analysis/structure.ts'
import { decode } from '../../../src/audio/decode.ts'
import { type Random, seeded } from '../../support/music.ts'
import { sectionedPieces } from './sectioned-pieces.ts'

/**
 * Searches for the constants of sections, STRUCTURE.weights and what SECTIONS says of lengths, and
 * prints what it finds, how the shipped ones do, and how such a search does on what it has not seen.
 * What is shipped was rounded by hand between several finds.
 *
 *   npx tsx test/programs/trainers/section-constants.ts --data DIR --grooves DIR --soundfonts DIR [--seed N]
 *
 * It learns from pieces made of MMA's grooves (`lib/stdlib`) and played by fluidsynth, and measures by
 * DIR/eval/score.mjs. About half an hour.
 */

/** What is searched for. */
const USUAL = ['cost', 'length', 'lengthWeight', 'fourWeight', 'eightWeight'] as const
const WEIGHTS = Object.keys(STRUCTURE.weights) as (keyof typeof STRUCTURE.weights)[]
const SHIPPED: Setting = [
  ...WEIGHTS.map((name) => STRUCTURE.weights[name]),
  ...USUAL.map((name) => SECTIONS[name]),
]
type Setting = readonly number[]

const STEPS = 160
const FOLDS = 5
/** A setting is also tried with each number up to so much off, as a share. */
const NEARBY = 0.15
/** How much F within 0.5 s counts, against F within 3 s. */
const CLOSE = 0.7

interface Music {
  truth: number[]
  duration: number
  curves: StructureCurves
}

type SectionF = (
  truth: readonly number[],
  found: readonly number[],
  seconds: number,
  duration: number,
) => number

export async function main(argv: readonly string[]): Promise<void> {
  const option = (name: string): string => {
    const at = argv.indexOf(name)
    const value = at < 0 ? undefined : argv[at + 1]
    if (value === undefined) throw new Error(`${name}: missing; see the head of this file.`)
    return value
  }
  const data = option('--data')
  const score = pathToFileURL(join(data, 'eval', 'score.mjs')).href
  const { sectionF } = (await import(score)) as { sectionF: SectionF }
  const seed = argv.includes('--seed') ? Number(option('--seed')) : 1
  const music: Music[] = []
  const folder = mkdtempSync(join(tmpdir(), 'audile-sections-'))
  try {
    const made = { grooves: option('--grooves'), soundfonts: option('--soundfonts') }
    for (const { file, sections } of sectionedPieces(made, seed, folder)) {
      music.push(await musicOf(file, sections))
      rmSync(file)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }

  const tried = (setting: Setting, some: readonly Music[]) =>
    some.map((one) => ({ one, ...measure(setting, one, sectionF) }))
  console.log(`shipped            ${summary(tried(SHIPPED, music))}`)
  const unseen = Array.from({ length: FOLDS }, (_, fold) => {
    const inFold = (_: Music, i: number): boolean => i % FOLDS === fold
    const found = search(
      music.filter((one, i) => !inFold(one, i)),
      sectionF,
      seeded(10 + fold),
    )
    return tried(found, music.filter(inFold))
  })
  console.log(`not learnt from    ${summary(unseen.flat())}`)
  for (const number of [1, 2]) {
    const found = search(music, sectionF, seeded(number))
    console.log(`search ${number}           ${summary(tried(found, music))}`)
    const names = [...WEIGHTS, ...USUAL]
    console.log(`  ${found.map((value, i) => `${names[i]} ${value.toFixed(2)}`).join(', ')}`)
  }
}

async function musicOf(file: string, truth: number[]): Promise<Music> {
  let front: FrontEnd | undefined
  for await (const { channels, sampleRate } of decode(file)) {
    front ??= new FrontEnd(sampleRate, channels.length)
    front.push(channels)
  }
  if (front === undefined) throw new Error(`${file}: has no sound.`)
  const { levels, novelty, peaks, duration, lead } = front.finish()
  const end = duration + lead
  const chroma = chromaOf(peaks)
  const { beats, bars } = trackRhythm({ spectrum: novelty.spectrum, chroma }, end)
  const curves = structureCurves(beats, bars, levels, chroma, end)
  return { truth: truth.map((time) => time + lead), duration: end, curves }
}

interface Measure {
  f3: number
  f05: number
}

function measure(
  setting: Setting,
  { truth, duration, curves }: Music,
  sectionF: SectionF,
): Measure {
  const named = <T extends string>(names: readonly T[], from: number) =>
    Object.fromEntries(names.map((name, i) => [name, setting[from + i]!])) as Record<T, number>
  const structure = weighCurves(curves, named(WEIGHTS, 0))
  const found = findSections(structure, named(USUAL, WEIGHTS.length)).map(({ start }) => start)
  return {
    f3: sectionF(truth, found, 3, duration),
    f05: sectionF(truth, found, 0.5, duration),
  }
}

/** Steps at random from the shipped constants, ever smaller, those kept that are better twice. */
function search(music: readonly Music[], sectionF: SectionF, random: Random): Setting {
  const off = (by: number): number => by * (2 * random() - 1)
  const value = (setting: Setting): number => {
    const nearby = setting.map((number) => number * (1 + off(NEARBY)))
    let sum = 0
    for (const one of music)
      for (const tried of [setting, nearby]) {
        const { f3, f05 } = measure(tried, one, sectionF)
        sum += f3 + CLOSE * f05
      }
    return sum
  }
  let best = SHIPPED
  let most = value(best)
  for (let step = 0, stride = 0.7; step < STEPS; step++, stride *= 0.998) {
    const next = best.map((number) =>
      random() < 0.35 ? number * Math.exp(stride * (random() + random() - 1)) : number,
    )
    const first = value(next)
    if (first <= most) continue
    const again = (first + value(next)) / 2
    if (again > most) {
      best = next
      most = again
    }
  }
  return best
}

function summary(tried: readonly (Measure & { one: Music })[]): string {
  const mean = (of: (measure: Measure) => number): string =>
    (tried.reduce((sum, measure) => sum + of(measure), 0) / (tried.length || 1)).toFixed(3)
  return `${tried.length} pieces: F ${mean(({ f3 }) => f3)}, ${mean(({ f05 }) => f05)}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2))
