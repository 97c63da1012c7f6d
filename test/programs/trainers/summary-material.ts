import { statSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { type Measures, measuresOf } from '../../../src/analysis/summary/measures.ts'
import { analyze } from '../../../src/analysis-entry.ts'
import { gaussian, seeded, seedOf, shuffled } from '../../support/chance.ts'
import { recordingsIn, samplesOf } from './material-files.ts'
import { SAMPLE_RATE } from './rhythm-band.ts'

/** What was measured of a recording. */
export interface Heard {
  /** The package of a piece of music, the speaker of speech: what belongs together. */
  group: string
  measures: Measures
}

const MUSIC = {
  /** Smaller files are sound effects, and these are of wind, beasts and machines. */
  leastBytes: 300_000,
  noises: /ambient|atmo\.|environment|\/tilesets\/|\/wav\/misc\/|\/wind|lumberjack/i,
  /** Seconds: what is left out at the start, what is heard then, and the least that must be there. */
  from: 20,
  seconds: 60,
  least: 35,
  /** Of a package, so that none sets the tone. */
  most: 6,
}

const SPEECH = {
  recordings: 1,
  seconds: 30,
  /** Of a speaker; a line may be heard three times. */
  fewestLines: 8,
  repeats: 3,
  /** Seconds of a line that are heard; shorter lines are left out. */
  line: 15,
  shortest: 0.15,
  /** Seconds between two lines, and the deviation of the noise there. */
  pause: [0.1, 0.6],
  noise: 3e-5,
  /** The root mean square of each line. A recording is louder or softer by up to so many dB. */
  level: 0.07,
  spread: 6,
  /** What is softer at the ends of a line is cut, but for a margin in samples. */
  silence: 0.01,
  margin: 800,
} as const

/**
 * Who speaks in a file: the package and, in brackets, what tells its speakers apart. In the game
 * fillets two fishes talk, m and v, and others; the children's games have a speaker for each language.
 */
const SPEAKERS = [
  /(fillets-ng-data-\w+)\/.*-([mv])-[^/]*$/,
  /(fillets-ng-data-\w+)\/.*\/sound\//,
  /(ktuberling-data)\/.*\/sounds\/(\w+)\//,
  /(klettres-data)\/.*\/klettres\/(\w+)\/syllab\//,
  /(asterisk-core-sounds-\w+)-\w+\/(?!.*\/silence\/)/,
  /(asterisk-prompt-[\w-]+)\//,
  /(gcin-voice)\//,
]

/** Pieces of music below folders that have a folder for each package. */
export function* musicIn(folders: readonly string[]): Generator<Heard> {
  for (const folder of folders)
    for (const [group, files] of grouped(recordingsIn([folder]), (file) =>
      packageOf(folder, file),
    )) {
      let kept = 0
      for (const file of shuffled(files, seeded(seedOf(group)))) {
        if (kept === MUSIC.most) break
        if (statSync(file).size < MUSIC.leastBytes || MUSIC.noises.test(file)) continue
        const heard = samplesOf(file, MUSIC.from + MUSIC.seconds) ?? new Float32Array()
        const start = Math.min(MUSIC.from, Math.max(0, heard.length / SAMPLE_RATE - MUSIC.seconds))
        const measures =
          heard.length < MUSIC.least * SAMPLE_RATE
            ? undefined
            : measured(heard.subarray(start * SAMPLE_RATE))
        if (measures === undefined) continue
        kept++
        yield { group, measures }
      }
    }
}

/** Recordings of the speakers in the packages of {@link SPEAKERS}: lines in an order by chance. */
export function* speechIn(folders: readonly string[]): Generator<Heard> {
  for (const [group, files] of grouped(recordingsIn(folders), speakerOf)) {
    if (files.length < SPEECH.fewestLines) continue
    const random = seeded(seedOf(group))
    const order = shuffled(files, random)
    const lines = Array.from({ length: SPEECH.repeats }, () => order).flat()
    for (let i = 0; i < SPEECH.recordings; i++) {
      const spoken = joined(lines, random)
      const measures = spoken && measured(spoken)
      if (measures) yield { group, measures }
    }
  }
}

function packageOf(folder: string, file: string): string {
  return relative(folder, file).split(sep)[0]!
}

function speakerOf(file: string): string | undefined {
  for (const pattern of SPEAKERS) {
    const found = pattern.exec(file)
    if (found) return found.slice(1).join(' ')
  }
  return undefined
}

function grouped(
  files: readonly string[],
  groupOf: (file: string) => string | undefined,
): [group: string, files: string[]][] {
  const groups = new Map<string, string[]>()
  for (const file of files) {
    const group = groupOf(file)
    if (group !== undefined) groups.set(group, [...(groups.get(group) ?? []), file])
  }
  return [...groups]
}

/** Takes lines from the front of the list until they are long enough; undefined when they never are. */
function joined(lines: string[], random: () => number): Float32Array | undefined {
  const spoken = new Float32Array(SPEECH.seconds * SAMPLE_RATE)
  let at = 0
  while (at < spoken.length) {
    const file = lines.shift()
    if (file === undefined) return undefined
    const line = trimmed(samplesOf(file, SPEECH.line) ?? new Float32Array())
    if (line.length < SPEECH.shortest * SAMPLE_RATE) continue
    spoken.set(line.subarray(0, spoken.length - at), at)
    at += line.length
    const [shortest, longest] = SPEECH.pause
    const pause = (shortest + (longest - shortest) * random()) * SAMPLE_RATE
    for (const end = Math.min(spoken.length, at + pause); at < end; at++) {
      spoken[at] = SPEECH.noise * gaussian(random)
    }
  }
  const gain = 10 ** ((SPEECH.spread * (2 * random() - 1)) / 20)
  return spoken.map((x) => Math.max(-1, Math.min(1, gain * x)))
}

/** A line at the level of all lines, without the silence around it. */
function trimmed(line: Float32Array): Float32Array {
  const power = line.reduce((sum, x) => sum + x * x, 0) / line.length
  if (!(power > 0)) return new Float32Array()
  const even = line.map((x) => (x * SPEECH.level) / Math.sqrt(power))
  const isHeard = (x: number) => Math.abs(x) > SPEECH.silence
  const [first, last] = [even.findIndex(isHeard), even.findLastIndex(isHeard)]
  return even.subarray(Math.max(0, first - SPEECH.margin), last + SPEECH.margin)
}

function measured(samples: Float32Array): Measures | undefined {
  return measuresOf(analyze({ samples: [samples], sampleRate: SAMPLE_RATE }))
}
