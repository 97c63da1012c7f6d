/**
 * Makes labelled music to train a model of rhythm on: songs of POP909 scored anew, styles composed
 * in code, grooves of MMA and scores of music21's corpus, played by soundfonts, recorded drums and
 * synthesisers, mixed and recorded in many ways.
 *
 *     npx tsx test/programs/trainers/rhythm-material.ts --out DIR --hours N [--seed S] [--part I/N]
 *       [--midi DIR] [--grooves DIR] [--scores FILE] [--soundfonts DIR] [--samples DIR …] [--speech DIR …]
 *       [--composed WEIGHT] [--levels WEIGHT] [--tempo 165-220]
 *
 * `--midi` is a folder of POP909's files, `--grooves` MMA's `lib/stdlib`, `--scores` what
 * `scores-of-music21.py` wrote, `--composed` the weight of composed music, 0 for none, beside 3 of
 * POP909's, 2 of grooves and 3 of scores, `--levels` that of styles whose level is hard to hear; `--tempo` takes composed music of these BPM alone; `--samples` folders of recorded strokes, a kit a folder,
 * `--speech` folders of spoken lines (without, espeak-ng's where it
 * is installed); what is not given is left out. Each piece is `ID.raw` (mono, 16 bits,
 * little-endian, 22,050 Hz, 30 to 60 s) and `ID.json` (`Labels`). A piece that is there is not made again,
 * the labels are written last. The same seed makes the same pieces, in however many parts.
 *
 * A beat is the quarter note as the style's players count it, and a dotted quarter in compound
 * metres: where drums play half or double time, the beat stays that of the harmony and the hats. Drum and
 * bass is counted at 160 to 178, trap at 130 to 150 (its snare on three), swing up to 215.
 */
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { medianOf } from '../../../src/analysis/statistics.ts'
import { pick, seeded, seedOf } from '../../support/chance.ts'
import type { Random } from '../../support/music.ts'
import { composedScore, levelScore } from './material-composed.ts'
import { Speakers } from './material-files.ts'
import { grooveScore } from './material-grooves.ts'
import { DrumRoom } from './material-kits.ts'
import { piecesOf } from './material-piece.ts'
import { performed, type Studio } from './material-players.ts'
import { popScore, popSongs } from './material-pop909.ts'
import { asStored, bytesOf, record, taped } from './material-recording.ts'
import type { Score } from './material-score.ts'
import { bookOf } from './material-scores.ts'
import { SAMPLE_RATE } from './rhythm-band.ts'
import { grooveFiles } from './rhythm-grooves.ts'
import { SoundfontBand } from './soundfont-band.ts'

/** Seconds of a piece; their mean tells how many pieces an hour has. */
const SHORTEST = 30
const LONGEST = 60

/** What is known about a piece; times in seconds. */
export interface Labels
  extends Pick<
    Score,
    'family' | 'music' | 'source' | 'style' | 'beatsPerBar' | 'accepted' | 'key' | 'division'
  > {
  id: string
  beats: number[]
  downbeats: number[]
  /** BPM, of the median interval. */
  tempo: number
  sections?: number[]
}

/** Where scores come from, and how many of all pieces it makes, as a weight. */
export interface Source {
  /** A whole number. */
  weight: number
  score(seconds: number, random: Random): Score | undefined
}

/** One piece of a seed, its samples and labels; undefined where it comes to nothing. */
export function materialPiece(
  id: string,
  sources: readonly Source[],
  studio: Studio & { speakers?: Speakers },
): { samples: Int16Array; labels: Labels } | undefined {
  const random = seeded(seedOf(id))
  const seconds = SHORTEST + (LONGEST - SHORTEST) * random()
  const source = pick(
    random,
    sources.flatMap((one) => Array<Source>(one.weight).fill(one)),
  )
  const score = source.score(seconds, random)
  if (score === undefined || score.sounds.length < seconds / 2) return
  const { samples: mix, beats, downbeats, sections } = performed(score, seconds, studio, random)
  const { samples, at } = taped(mix, random)
  record(samples, studio.speakers, random)
  const end = samples.length / SAMPLE_RATE
  const labelled = (times: readonly number[]) =>
    times
      .map(at)
      .filter((time) => time < end)
      .map((time) => Math.round(1e5 * time) / 1e5)
  const beatTimes = labelled(beats)
  const tempo = 60 / medianOf(beatTimes.slice(1).map((beat, i) => beat - beatTimes[i]!))
  const { family, music, style, beatsPerBar, accepted, key, division } = score
  const labels: Labels = {
    id,
    family,
    music,
    source: score.source,
    beats: beatTimes,
    downbeats: labelled(downbeats),
    beatsPerBar,
    accepted,
    tempo: Math.round(1000 * tempo) / 1000,
    ...(key && { key }),
    ...(division && { division }),
    ...(sections.length > 0 && { sections: labelled(sections) }),
    style,
  }
  return { samples: asStored(samples, random), labels }
}

function main(): void {
  const { values } = parseArgs({
    options: {
      out: { type: 'string' },
      hours: { type: 'string', default: '1' },
      seed: { type: 'string', default: '1' },
      part: { type: 'string', default: '1/1' },
      midi: { type: 'string' },
      grooves: { type: 'string' },
      scores: { type: 'string' },
      composed: { type: 'string', default: '5' },
      levels: { type: 'string', default: '0' },
      tempo: { type: 'string', default: '0-1000' },
      soundfonts: { type: 'string' },
      samples: { type: 'string', multiple: true, default: [] },
      speech: { type: 'string', multiple: true, default: [] },
    },
  })
  const { out } = values
  if (out === undefined) throw new Error('--out DIR is missing.')
  const [part, parts] = values.part.split('/').map(Number) as [number, number]
  mkdirSync(out, { recursive: true })
  const songs = values.midi === undefined ? [] : popSongs(values.midi)
  console.log(`${songs.length} songs of POP909`)
  const grooves = values.grooves === undefined ? [] : grooveFiles(values.grooves)
  const tempo = /^(\d+)-(\d+)$/.exec(values.tempo)
  if (!tempo) throw new Error(`--tempo ${values.tempo} is not of the form 165-220 (BPM).`)
  const within = [Number(tempo[1]), Number(tempo[2])] as const
  const sources: Source[] = [
    {
      weight: Number(values.composed),
      score: (seconds, random) => composedScore(seconds, random, within),
    },
  ]
  if (values.levels !== '0') sources.push({ weight: Number(values.levels), score: levelScore })
  if (songs.length > 0)
    sources.push({
      weight: 3,
      score: (seconds, random) => popScore(pick(random, songs), seconds, random),
    })
  if (grooves.length > 0)
    sources.push({
      weight: 2,
      score: (seconds, random) => grooveScore(pick(random, grooves), seconds, random),
    })
  if (values.scores !== undefined)
    sources.push({ weight: 3, score: bookOf(piecesOf(values.scores)) })
  const studio = {
    ...(values.soundfonts !== undefined && { band: new SoundfontBand(values.soundfonts) }),
    drums: new DrumRoom(values.samples),
    speakers: new Speakers(values.speech),
  }
  const pieces = Math.ceil((3600 * Number(values.hours)) / ((SHORTEST + LONGEST) / 2))
  let [made, seconds] = [0, 0]
  const began = Date.now()
  for (let i = part - 1; i < pieces; i += parts) {
    const id = `s${values.seed}-${String(i).padStart(5, '0')}`
    const [raw, json] = [join(out, `${id}.raw`), join(out, `${id}.json`)]
    if (existsSync(json)) continue
    const piece = materialPiece(id, sources, studio)
    if (piece === undefined) continue
    writeWhole(raw, bytesOf(piece.samples))
    writeWhole(json, JSON.stringify(piece.labels))
    made++
    seconds += piece.samples.length / SAMPLE_RATE
    if (made % 20 === 0) {
      const speed = seconds / ((Date.now() - began) / 1000)
      console.log(
        `${made} pieces, ${(seconds / 3600).toFixed(2)} h, ${speed.toFixed(1)} x real time`,
      )
    }
  }
}

function writeWhole(file: string, content: string | Buffer): void {
  writeFileSync(`${file}.part`, content)
  renameSync(`${file}.part`, file)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
