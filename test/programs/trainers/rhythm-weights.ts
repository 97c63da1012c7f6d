import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { calibrated } from '../../../src/analysis/statistics.ts'
import { type Random, seeded } from '../../support/music.ts'
import { Hearings } from './hearings.ts'
import { type Case, calibrationTable, printReliability } from './isotonic.ts'
import { Band, type Ensemble } from './rhythm-band.ts'
import { type Example, exampleOf, labelledClips, type Scorer } from './rhythm-examples.ts'
import { groovePieces } from './rhythm-grooves.ts'
import { makePiece, type Planned } from './rhythm-pieces.ts'
import { STYLES } from './rhythm-styles.ts'
import {
  CLIP_SHARE,
  fitModels,
  type Models,
  shareOf,
  summary,
  type Trial,
  tryModels,
} from './rhythm-trial.ts'
import { SoundfontBand } from './soundfont-band.ts'

/**
 * Fits the models that choose the beat and the metre, with the tables that say what their
 * certainties are worth, and writes src/analysis/beat-path-weights.ts, metrical-level-weights.ts
 * and metre-weights.ts.
 *
 *   npx tsx test/programs/trainers/rhythm-weights.ts --data DIR --grooves DIR --soundfonts DIR [--keep DIR] [--try]
 *
 * It learns from the labelled clips of DIR/eval/dev/manifest.json, from pieces made in code and, if
 * `--grooves` says where MMA 21.09 keeps its own (`lib/stdlib`), from pieces over those; and, if
 * `--soundfonts` names a folder of them, from as many other pieces that fluidsynth plays. It prints
 * how models do on clips that they have not seen, and fits the tables on those trials. What is
 * shipped was learnt with Debian's FluidR3, TimGM6mb, MuseScore, OPL-3 and Csound soundfonts.
 *
 * It takes some 15 minutes, and 20 to play the pieces, which `--keep` saves the next time. `--try`
 * makes a sixth of the pieces and writes nothing.
 */

/** Pieces of a style of weight 1. */
const PIECES = 6
const GROOVE_PIECES = 2
/** Seeds that one band's pieces may have. */
const SEEDS = 1_000_000
const FOLDS = 5
/** Generated pieces are many; three folds leave enough to learn from. */
const STYLE_FOLDS = 3
/** Ways to deal the clips to folds. */
const DEALS = [1, 2]

export async function main(argv: readonly string[]): Promise<void> {
  const option = (name: string): string | undefined => {
    const at = argv.indexOf(name)
    return at < 0 ? undefined : argv[at + 1]
  }
  const data = option('--data')
  if (data === undefined) throw new Error('--data DIR: where are the labelled clips?')
  const scorer = (await import(pathToFileURL(join(data, 'eval', 'score.mjs')).href)) as Scorer
  const clips: Example[] = []
  for await (const clip of labelledClips(data, scorer)) clips.push(clip)
  const trying = argv.includes('--try')
  const hearings = new Hearings(option('--keep'))
  const pieces: Example[] = []
  for (const piece of planned(option('--grooves'), option('--soundfonts'), trying)) {
    const heard = hearings.of(piece)
    const example = heard && exampleOf(heard, scorer)
    if (example) pieces.push(example)
  }
  console.log(`${clips.length} labelled clips, ${pieces.length} pieces`)

  const known = new Set(clips)
  const everything = [...clips, ...pieces]
  /** Trials of the examples of each fold by models fitted to all but them. */
  const heldOut = (folds: readonly Example[][]): Trial[] =>
    folds.flatMap((fold) => {
      const unseen = new Set(fold)
      const alike = new Set(fold.map(({ truth }) => truth.music))
      const models = fitModels(
        everything.filter(
          (example) =>
            !unseen.has(example) && (known.has(example) || !alike.has(example.truth.music)),
        ),
        known,
      )
      return fold.map((example) => tryModels(models, example, shareOf(example, known), scorer))
    })

  const byClip = heldOut(DEALS.flatMap((deal) => dealt(clips, FOLDS, seeded(deal))))
  console.log(`clips in ${FOLDS} folds:     ${summary(byClip)}`)
  const byFamily = heldOut(grouped(clips))
  console.log(`families left out:   ${summary(byFamily)}`)
  const byStyle = heldOut(
    dealt(grouped(pieces), STYLE_FOLDS, seeded(3)).map((styles) => styles.flat()),
  )
  console.log(`generated styles:    ${summary(byStyle)}`)

  const tables = calibrate(byClip, byStyle)
  const models = fitModels(everything, known)
  const fitted = clips.map((clip) => tryModels(models, clip, 1, scorer))
  console.log(`clips, all learnt:   ${summary(fitted)}`)
  console.log('confidence → share right, on families left out, of which the tables know nothing:')
  reliability(byFamily, tables)
  if (trying) return
  const counts = `${clips.length} labelled clips and ${pieces.length} generated pieces`
  write('beat-path-weights.ts', pathSource(models, tables, { counts, byClip, byFamily }))
  write('metrical-level-weights.ts', levelSource(models, counts))
  write('metre-weights.ts', metreSource(models, tables, counts))
}

/** Pieces made in code alone, and, where there are soundfonts, as many others played with those. */
export function* planned(
  grooves: string | undefined,
  soundfonts: string | undefined,
  trying: boolean,
): Generator<Planned> {
  const bands: [name: string, band: Ensemble][] = [['code', new Band()]]
  if (soundfonts !== undefined) bands.push(['soundfonts', new SoundfontBand(soundfonts)])
  for (const [b, [name, band]] of bands.entries()) {
    for (const { id, make } of piecesOf(band, b * SEEDS, grooves, trying))
      yield { id: `${name} ${id}`, make }
  }
}

function* piecesOf(
  band: Ensemble,
  seed: number,
  grooves: string | undefined,
  trying: boolean,
): Generator<Planned> {
  for (const [s, style] of STYLES.entries()) {
    const count = (trying ? 1 : PIECES) * (style.weight ?? 1)
    for (let i = 1; i <= count; i++) {
      const number = seed + 1_000 * s + i
      yield {
        id: `${style.name} ${number}`,
        make: () => makePiece(style, band, seeded(number)),
      }
    }
  }
  if (grooves !== undefined)
    yield* groovePieces(grooves, band, {
      pieces: trying ? 1 : GROOVE_PIECES,
      seed: seed + SEEDS / 2,
    })
}

/** Deals a list, shuffled, to folds. */
function dealt<T>(list: readonly T[], folds: number, random: Random): T[][] {
  const order = list.map((item) => ({ item, key: random() })).sort((a, b) => a.key - b.key)
  return Array.from({ length: folds }, (_, k) =>
    order.flatMap(({ item }, i) => (i % folds === k ? [item] : [])),
  )
}

function grouped(examples: readonly Example[]): Example[][] {
  const groups = new Map<string, Example[]>()
  for (const example of examples) {
    const { group } = example.truth
    groups.set(group, [...(groups.get(group) ?? []), example])
  }
  return [...groups.values()]
}

type Tables = Record<'tempo' | 'beat' | 'bar' | 'metre', [number, number][]>

function calibrate(clips: readonly Trial[], pieces: readonly Trial[]): Tables {
  const trials = [...clips, ...pieces]
  return {
    tempo: calibrationTable(
      trials.map(({ tempo }) => tempo),
      { first: [0, 0.1] },
    ),
    beat: calibrationTable(
      trials.map(({ beat }) => beat),
      { first: [0, 0.1], last: [1, 0.98] },
    ),
    bar: calibrationTable(
      // On the clips, bars are right more often than in music that nothing was tuned on.
      pieces.flatMap(({ bars }) => bars),
      { first: [-12, 0.1], last: [40, 0.95] },
    ),
    metre: calibrationTable(
      trials.flatMap(({ metre }) => metre ?? []),
      { first: [0, 0.2] },
    ),
  }
}

function reliability(trials: readonly Trial[], tables: Tables): void {
  const show = (name: keyof Tables, cases: readonly Case[]): void =>
    printReliability(
      name,
      cases.map(({ raw, right, share }) => ({
        confidence: calibrated(raw, tables[name]),
        right,
        share,
      })),
    )
  show(
    'tempo',
    trials.map(({ tempo }) => tempo),
  )
  show(
    'beat',
    trials.map(({ beat }) => beat),
  )
  show(
    'bar',
    trials.flatMap(({ bars }) => bars),
  )
  show(
    'metre',
    trials.flatMap(({ metre }) => metre ?? []),
  )
}

const NOTE = 'Made by test/programs/trainers/rhythm-weights.ts; do not edit.'

function pathSource(
  { beat: { path } }: Models,
  tables: Tables,
  trials: { counts: string; byClip: Trial[]; byFamily: Trial[] },
): string {
  return `import type { CalibrationTable } from './statistics.ts'

/**
 * The model of \`beat-path-choice.ts\`: mean and standard deviation of each of its inputs, and the
 * weight of each standardised input. ${NOTE}
 *
 * Fitted on expected utility (0.4 F + 0.4 CMLt + 0.1 AMLt + 0.1 Acc1)
 * over ${trials.counts}, a clip counting as ${CLIP_SHARE} pieces.
 *
 * In five-fold cross-validation over the clips:
${commented(summary(trials.byClip))}
 * With each family of clips left out in turn:
${commented(summary(trials.byFamily))}
 */
export const BEAT_PATH_WEIGHTS = Object.freeze({
  traits: ${wrapped(path.traits)},
  mean: ${numbers(path.mean)},
  deviation: ${numbers(path.deviation)},
  weight: ${numbers(path.weight)},
})

/** What raw certainties are worth: the share right of those no model had seen. */
export const BEAT_CONFIDENCE: Readonly<Record<'tempo' | 'beat', CalibrationTable>> = Object.freeze({
  tempo: ${JSON.stringify(tables.tempo)},
  beat: ${JSON.stringify(tables.beat)},
})
`
}

function levelSource({ beat: { levels } }: Models, counts: string): string {
  const models = levels.map(
    ({ ratio, mean, deviation, weight, bias, trees }) => `{
    ratio: ${ratio},
    traits: TRAITS,
    mean: ${numbers(mean)},
    deviation: ${numbers(deviation)},
    weight: ${numbers(weight)},
    bias: ${bias.toPrecision(4)},
    trees: ${table(trees)},
  },`,
  )
  return `const TRAITS = ${wrapped(levels[0]!.traits)}

/**
 * The models of \`metrical-level.ts\`. ${NOTE}
 *
 * Fitted on pairs of candidates, one of which is the beat,
 * of ${counts}, a clip counting as ${CLIP_SHARE} pieces.
 */
export const METRICAL_LEVEL_WEIGHTS = Object.freeze([
  ${models.join('\n  ')}
])
`
}

function metreSource({ metre }: Models, tables: Tables, counts: string): string {
  const places = Object.entries(metre.places).map(([beats, rows]) => `${beats}: ${table(rows)},`)
  return `import type { CalibrationTable } from './statistics.ts'

/**
 * The logistic models of \`bars.ts\`; each row holds a class's weights and, last, its bias.
 * ${NOTE}
 *
 * Fitted on the true beats of those of ${counts}
 * whose bars are known, a clip counting as ${CLIP_SHARE} pieces.
 */
export const METRE_WEIGHTS = Object.freeze({
  accents: '${metre.accents}',
  /** By metre: for each place in the bar, from a beat's accents. */
  places: {
    ${places.join('\n    ')}
  },
  /** First beat of a bar or another, from a beat's accents. */
  firstBeat: ${table(metre.firstBeat)},
  traits: ${wrapped(metre.traits)},
  /** The classes of the metre model, and the mean and deviation of its inputs. */
  metres: ${JSON.stringify(metre.metres)},
  mean: ${numbers(metre.mean)},
  deviation: ${numbers(metre.deviation)},
  weights: ${table(metre.weights)},
})

/**
 * What raw certainties are worth: the share right of those no model had seen; of bars, in made
 * music only, as on the labelled clips they are right more often than elsewhere.
 */
export const BAR_CONFIDENCE: Readonly<Record<'bar' | 'metre', CalibrationTable>> = Object.freeze({
  bar: ${JSON.stringify(tables.bar)},
  metre: ${JSON.stringify(tables.metre)},
})
`
}

function commented(text: string): string {
  return text
    .split('; ')
    .map((line) => ` * - ${line}`)
    .join('\n')
}

function table(rows: readonly (readonly number[])[]): string {
  return `[${rows.map(numbers).join(', ')}]`
}

/** Words as a template string of lines. */
function wrapped(words: string): string {
  return `\`\n    ${words.replace(/(.{1,90})(?: |$)/g, '$1\n    ').trim()}\n  \``
}

function numbers(values: readonly number[]): string {
  return `[${values.map((value) => Number(value.toPrecision(4))).join(', ')}]`
}

function write(name: string, source: string): void {
  const path = fileURLToPath(new URL(`../../../src/analysis/${name}`, import.meta.url))
  writeFileSync(path, source)
  execFileSync('npx', ['biome', 'check', '--write', path])
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2))
