import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pick } from '../../support/chance.ts'
import { seeded } from '../../support/music.ts'
import { PROGRESSIONS } from './rhythm-composer.ts'
import { accompany, CHORDS, type GrooveFile, grooveFiles, SEVENTHS } from './rhythm-grooves.ts'
import { soundfontsIn } from './soundfont-band.ts'

/** Music whose sections are known. */
export interface SectionedPiece {
  name: string
  file: string
  /** Where sections begin, in seconds; the first is 0. */
  sections: number[]
}

interface Part {
  groove: string
  progression: readonly number[]
  bars: number
  semitones: number
}

/** Letters are sections; of the same letter they are the same music. */
const FORMS = ['ABAB', 'AABA', 'ABCB', 'ABAC', 'ABC', 'AABB', 'IABAB']
const BARS = [8, 8, 8, 16, 4, 12]
/** Seconds that a section lasts, at least and at most, and a piece at most. */
const SHORTEST = 7.5
const LONGEST = 34
const LENGTH = 90
/** No section begins so near the end. */
const LAST = 2

/**
 * Makes one piece of each of MMA's files of grooves: sections differ in groove and harmony, some in
 * key. The programs `mma` and `fluidsynth` are run.
 *
 * @param folder  where the audio is written
 */
export function* sectionedPieces(
  { grooves: library, soundfonts }: { grooves: string; soundfonts: string },
  seed: number,
  folder: string,
): Generator<SectionedPiece> {
  const fonts = soundfontsIn(soundfonts)
  for (const [f, file] of grooveFiles(library).entries()) {
    if (file.grooves.length === 0) continue
    const random = seeded(1_000 * seed + f)
    const bpm = Math.round(file.tempo[0] + random() * (file.tempo[1] - file.tempo[0]))
    const { lines, sections, seconds } = plan(file, bpm, random)
    const path = (extension: string): string => join(folder, `${file.name}.${extension}`)
    writeFileSync(path('mma'), `${lines.join('\n')}\n`)
    if (!accompany(path('mma'), path('mid'))) continue
    const whole = path('whole.wav')
    const play = ['-q', '-ni', '-g', '0.5', '-r', '44100', '-F', whole, pick(random, fonts)]
    execFileSync('fluidsynth', [...play, path('mid')], { stdio: 'ignore' })
    execFileSync('ffmpeg', ['-y', '-v', 'error', '-t', `${seconds}`, '-i', whole, path('wav')])
    rmSync(whole)
    yield { name: file.name, file: path('wav'), sections }
  }
}

function plan(
  { grooves, beatsPerBar }: GrooveFile,
  bpm: number,
  random: () => number,
): { lines: string[]; sections: number[]; seconds: number } {
  const secondsPerBar = (beatsPerBar * 60) / bpm
  const chords = pick(random, [CHORDS, SEVENTHS])
  const lines = ['RndSeed 1', `Tempo ${bpm}`]
  const sections: number[] = []
  const parts = new Map<string, Part>()
  let bar = 0
  for (const letter of pick(random, FORMS)) {
    if (bar * secondsPerBar > LENGTH - LAST) break
    const part =
      parts.get(letter) ?? partOf(letter, [...parts.values()], secondsPerBar, grooves, random)
    parts.set(letter, part)
    sections.push(bar * secondsPerBar)
    lines.push(`Transpose ${part.semitones}`, `Groove ${part.groove}`)
    for (let b = 0; b < part.bars; b++)
      lines.push(`${++bar} ${chords[part.progression[b % part.progression.length]!]}`)
  }
  return { lines, sections, seconds: Math.min(LENGTH, bar * secondsPerBar) }
}

function partOf(
  letter: string,
  before: readonly Part[],
  secondsPerBar: number,
  grooves: readonly string[],
  random: () => number,
): Part {
  let bars = letter === 'I' ? 4 : pick(random, BARS)
  while (bars * secondsPerBar < SHORTEST && letter !== 'I') bars *= 2
  while (bars * secondsPerBar > LONGEST) bars /= 2
  const first = before[0]?.groove
  return {
    groove: first !== undefined && random() < 0.25 ? first : pick(random, grooves),
    progression: pick(random, PROGRESSIONS),
    bars,
    semitones: random() < 0.3 ? pick(random, [-3, 0, 2, 5]) : 0,
  }
}
