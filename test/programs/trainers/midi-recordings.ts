/**
 * Makes labelled music from MIDI files that people wrote: their beats are known, and which level is the
 * beat is what the composer wrote.
 *
 *     npx tsx test/programs/trainers/midi-recordings.ts --from DIR --soundfonts DIR --out DIR
 *       [--each 6] [--seed S] [--tell]
 *
 * `--from` has a folder for each package, with its MIDI files anywhere below. Up to `--each` excerpts of a
 * file are played by fluidsynth with any of the soundfonts, faster or slower, higher or lower, and
 * recorded as rhythm-material.ts records its own; `ID.raw` and `ID.json` are as it writes them. Files
 * whose notes do not begin on the grid of their beats, and those that are there twice, are left out.
 * `--tell` prints the files that are kept and makes nothing.
 */
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { medianOf } from '../../../src/analysis/statistics.ts'
import { seeded, seedOf, whole } from '../../support/chance.ts'
import { asStored, bytesOf, record, taped } from './material-recording.ts'
import { type MidiScore, midiScore } from './midi-score.ts'
import { SAMPLE_RATE } from './rhythm-band.ts'
import type { Labels } from './rhythm-material.ts'
import { playedBy, soundfontsIn } from './soundfont-band.ts'

/** Seconds of an excerpt. */
const SHORTEST = 30
const LONGEST = 60
/** Least share of notes on the grid. */
const EVEN = 0.75
/** Slowest and fastest beats that are kept, BPM, and how much faster or slower a file is played. */
const TEMPI = [50, 215] as const
const SPEEDS = [0.8, 1.25] as const
const SEMITONES = 4

interface File {
  name: string
  score: MidiScore
}

function* filesOf(folder: string): Generator<File> {
  const known = new Set<string>()
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(midi?|kar)$/i.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
  for (const path of paths) {
    const bytes = readFileSync(path)
    const sum = createHash('md5').update(bytes).digest('hex')
    const score = midiScore(bytes)
    if (known.has(sum) || !score || score.even < EVEN) continue
    known.add(sum)
    const name = `${path.slice(folder.length).split('/').find(Boolean)}/${basename(path)}`
    if (score.beats.length > 0 && score.onsets.at(-1)! > SHORTEST) yield { name, score }
  }
}

/** An excerpt of a file, undefined where the one that was drawn is silent or has no beats. */
function excerpt(
  { name, score }: File,
  id: string,
  fonts: readonly string[],
): { samples: Int16Array; labels: Labels } | undefined {
  const random = seeded(seedOf(id))
  const speed = score.speedNear(SPEEDS[0] * (SPEEDS[1] / SPEEDS[0]) ** random())
  const end = score.onsets.at(-1)! / speed + 1
  const seconds = Math.min(end, SHORTEST + (LONGEST - SHORTEST) * random())
  const from = (end - seconds) * random()
  const within = (at: number): boolean => at >= from && at < from + seconds
  const beats = score.beats
    .map((beat) => ({ ...beat, at: beat.at / speed }))
    .filter(({ at }) => within(at))
  const onsets = score.onsets.filter((at) => within(at / speed)).length
  const metres = new Set(beats.map(({ beatsPerBar }) => beatsPerBar))
  const gap = medianOf(beats.slice(1).map(({ at }, i) => at - beats[i]!.at))
  const bpm = 60 / gap
  if (beats.length < 16 || onsets < seconds || metres.size > 1) return
  if (bpm < TEMPI[0] || bpm > TEMPI[1] || beats.length * gap < 0.9 * seconds) return
  const midi = score.played(speed, whole(random, -SEMITONES, SEMITONES + 1))
  const mix = playedBy(fonts, midi, Math.round(end * SAMPLE_RATE), random)
  const part = mix.slice(Math.round(from * SAMPLE_RATE), Math.round((from + seconds) * SAMPLE_RATE))
  const { samples, at: placeOf } = taped(part, random)
  record(samples, undefined, random)
  const length = samples.length / SAMPLE_RATE
  const labelled = (list: readonly { at: number }[]): number[] =>
    list
      .map(({ at }) => placeOf(at - from))
      .filter((at) => at >= 0 && at < length)
      .map((at) => Math.round(1e5 * at) / 1e5)
  const times = labelled(beats)
  const beatsPerBar = beats[0]!.beatsPerBar
  const labels: Labels = {
    id,
    family: `midi ${name}`,
    music: `midi ${name}`,
    source: 'midi',
    style: 'midi',
    beats: times,
    downbeats: labelled(beats.filter(({ down }) => down)),
    beatsPerBar,
    accepted:
      beatsPerBar % 2 === 0 ? [beatsPerBar, beatsPerBar / 2, 2 * beatsPerBar] : [beatsPerBar],
    tempo: Math.round(60_000 / medianOf(times.slice(1).map((at, i) => at - times[i]!))) / 1000,
  }
  return { samples: asStored(samples, random), labels }
}

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    soundfonts: { type: 'string' },
    out: { type: 'string' },
    each: { type: 'string', default: '6' },
    seed: { type: 'string', default: '1' },
    tell: { type: 'boolean', default: false },
  },
})
const { from, soundfonts, out } = values
if (from === undefined) throw new Error('--from DIR is missing.')
const files = [...filesOf(from)]
if (values.tell)
  for (const { name, score } of files) {
    const gap = medianOf(score.beats.slice(1).map(({ at }, i) => at - score.beats[i]!.at))
    const metres = [...new Set(score.beats.map(({ beatsPerBar }) => beatsPerBar))]
    console.log(`${name}: ${(60 / gap).toFixed(0)} BPM, ${metres} beats, ${score.even.toFixed(2)}`)
  }
else {
  if (out === undefined || soundfonts === undefined)
    throw new Error('--out DIR or --soundfonts DIR is missing.')
  mkdirSync(out, { recursive: true })
  const fonts = soundfontsIn(soundfonts)
  for (let i = 0; i < Number(values.each); i++)
    for (const file of files) {
      const id = `m${values.seed}-${seedOf(file.name).toString(16)}-${i}`
      const [raw, json] = [join(out, `${id}.raw`), join(out, `${id}.json`)]
      if (existsSync(json)) continue
      const piece = excerpt(file, id, fonts)
      if (!piece) continue
      writeFileSync(raw, bytesOf(piece.samples))
      writeFileSync(`${json}.part`, JSON.stringify(piece.labels))
      renameSync(`${json}.part`, json)
    }
}
