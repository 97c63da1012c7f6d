import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BAND_LEVELS, LEVEL_BANDS, LevelFront } from '../../../src/analysis/levels.ts'
import { windowOf } from '../../../src/analysis/meyda.ts'
import { NOVELTY_BANDS, NoveltyFront } from '../../../src/analysis/novelty.ts'
import { findSegmentCuts, pickOnsets } from '../../../src/analysis/segments.ts'
import { ANALYSIS_RATE, SPECTRA } from '../../../src/analysis/spectra.ts'
import { TIMBRE, writeSurface } from '../../../src/analysis/timbre.ts'
import { TIMBRE_COLUMNS } from '../../../src/analysis/timbre-basis.ts'
import { decodeFile } from '../../../src/audio/decode.ts'
import { Resampler } from '../../../src/audio/resample.ts'
import {
  type SpectrumListener,
  SpectrumStream,
} from '../../../src/audio/spectra/spectrum-stream.ts'
import { addDrum, addTone, type Random, seeded, song, VOICES } from '../../support/music.ts'

/**
 * Makes src/analysis/timbre-basis.ts: eleven surfaces over 24 Bark bands × 10 moments, on which a
 * segment's surface is projected to give timbre c2…c12.
 *
 *   npx tsx test/programs/trainers/timbre-basis.ts [--data DIR]
 *
 * It learns from music made in code and, if DIR is given, from those clips of
 * DIR/eval/dev/manifest.json that are CC0 or in the public domain.
 *
 * c2 is the tilt over the bands (brightness), c3 the direction that best tells how flat the
 * spectrum is, c4 earlier less later moments (attack), each without what the ones before it tell;
 * c5…c12 are the principal components of what is left. Each row is scaled so that its standard
 * deviation within a track is, on average, that of the published documents; the average is over
 * made songs and recordings in equal parts, by their geometric mean.
 */

const BANDS = BAND_LEVELS.bands
const SIZE = BANDS * TIMBRE_COLUMNS
/** Standard deviations of c2…c12 in three published documents, their geometric means. */
const SPREAD = [54, 36, 30, 25, 19, 23, 17, 20, 14, 11, 16]
/** Tracks of single sounds, which come first. */
const SINGLES = 10
const COMPONENTS = SPREAD.length - 3

type Track = Float64Array[]

export async function main(argv: readonly string[]): Promise<void> {
  const at = argv.indexOf('--data')
  const tracks = generated()
  const songs = tracks.length
  if (at >= 0) tracks.push(...(await freeClips(argv[at + 1] ?? '')))
  const count = tracks.reduce((sum, track) => sum + track.length, 0)
  console.log(`${tracks.length} tracks, ${count} segments`)
  const basis = learn(tracks, [tracks.slice(SINGLES, songs), tracks.slice(songs)])
  const out = fileURLToPath(new URL('../../../src/analysis/timbre-basis.ts', import.meta.url))
  writeFileSync(out, source(basis))
  report(basis, tracks)
}

/** Songs of many sounds and mixes, and single sounds. */
function generated(): Track[] {
  const random = seeded(20261121)
  const names = Object.keys(VOICES)
  const any = () => names[Math.floor(random() * names.length)]!
  const tracks: Track[] = []
  for (let i = 0; i < SINGLES; i++) tracks.push(surfacesOf(mastered(singleSounds(random), random)))
  for (let i = 0; i < 70; i++) {
    const plan = {
      seconds: 30,
      tempo: 60 + 110 * random(),
      key: Math.floor(12 * random()),
      mode: random() < 0.6 ? (1 as const) : (0 as const),
      beatsPerBar: random() < 0.25 ? 3 : 4,
      drums: random() < 0.6,
      chords: any(),
      lead: any(),
    }
    tracks.push(surfacesOf(mastered(song(plan, random).samples, random)))
  }
  return tracks
}

/** Tones and strokes one at a time, with rests. */
function singleSounds(random: Random): Float32Array {
  const samples = new Float32Array(30 * ANALYSIS_RATE)
  const voices = Object.values(VOICES)
  const drums = ['kick', 'snare', 'hat', 'crash'] as const
  for (let start = 0; start < 29; ) {
    const duration = 0.1 + random() ** 2
    const gain = 0.05 + 0.3 * random()
    if (random() < 0.25) {
      const drum = drums[Math.floor(4 * random())]!
      addDrum(samples, ANALYSIS_RATE, { start, gain }, drum, random)
    } else {
      const pitch = 36 + Math.floor(60 * random())
      const voice = voices[Math.floor(voices.length * random())]!
      addTone(samples, ANALYSIS_RATE, { start, duration, pitch, gain }, voice, random)
    }
    start += duration * (1 + 0.2 * random())
  }
  return samples
}

/** A random tilt of the spectrum, some echo, and noise far below, as mixes have them. */
function mastered(samples: Float32Array, random: Random): Float32Array {
  const dull = 0.7 * random()
  const echo = 0.35 * random()
  const delay = Math.round((0.03 + 0.12 * random()) * ANALYSIS_RATE)
  const noise = 10 ** (-(60 + 35 * random()) / 20)
  let low = 0
  const out = new Float32Array(samples.length)
  for (let i = 0; i < out.length; i++) {
    low += (1 - dull) * (samples[i]! - low)
    out[i] = low + (i >= delay ? echo * out[i - delay]! : 0) + noise * (2 * random() - 1)
  }
  return out
}

async function freeClips(data: string): Promise<Track[]> {
  const folder = join(data, 'eval', 'dev')
  const file = join(folder, 'manifest.json')
  if (!existsSync(file)) throw new Error(`no manifest in ${folder}`)
  const clips = JSON.parse(readFileSync(file, 'utf8')) as { file: string; licence: string }[]
  const tracks: Track[] = []
  for (const clip of clips.filter(({ licence }) => /^(CC0|public domain)/.test(licence))) {
    const parts: Float32Array[] = []
    let resampler: Resampler | undefined
    for await (const { channels, sampleRate } of decodeFile(join(folder, clip.file))) {
      resampler ??= new Resampler(sampleRate, ANALYSIS_RATE)
      const mono = channels[0]!.map(
        (_, i) => channels.reduce((sum, channel) => sum + channel[i]!, 0) / channels.length,
      )
      parts.push(resampler.push(mono).slice())
    }
    tracks.push(surfacesOf(joined(parts)))
  }
  return tracks
}

function joined(parts: Float32Array[]): Float32Array {
  const out = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}

/** The surfaces of a track's segments. */
function surfacesOf(samples: Float32Array): Track {
  const window = windowOf('hanning', SPECTRA.size)
  const noveltyFront = new NoveltyFront()
  const levelFront = new LevelFront()
  const take: SpectrumListener = (_, [bands, powers]) => {
    noveltyFront.push(bands!)
    levelFront.push(powers!)
  }
  const stream = new SpectrumStream(window, SPECTRA.hop, take, [NOVELTY_BANDS, LEVEL_BANDS])
  stream.push(samples)
  stream.finish()
  const novelty = noveltyFront.finish()
  const levels = levelFront.finish()
  const duration = samples.length / ANALYSIS_RATE
  const cuts = findSegmentCuts(pickOnsets(novelty), levels, [], duration)
  return cuts.map(({ time }, i) => {
    const surface = new Float64Array(SIZE)
    writeSurface(levels, time, cuts[i + 1]?.time ?? duration, surface)
    return surface
  })
}

/** @param kinds - of tracks, over which the spread is taken */
function learn(tracks: readonly Track[], kinds: readonly (readonly Track[])[]): Float64Array[] {
  const all = tracks.flat()
  const rows: Float64Array[] = []
  const constant = new Float64Array(SIZE).fill(1 / Math.sqrt(SIZE))
  const add = (row: Float64Array): void => {
    rows.push(orthogonal(row, [constant, ...rows]))
  }
  add(shaped((band) => band - (BANDS - 1) / 2))
  add(flatnessDirection(all))
  add(shaped((_, column) => (TIMBRE_COLUMNS - 1) / 2 - column))
  for (const row of principal(all, [constant, ...rows])) add(row)
  return rows.map((row, k) => {
    // Single sounds differ more than those of any music: they shape the rows, not their scale.
    const spreads = kinds.filter((kind) => kind.length > 0).map((kind) => meanSpread(row, kind))
    const spread = spreads.reduce((product, value) => product * value, 1) ** (1 / spreads.length)
    // Where the sign has no meaning, it is the one that has music nearer zero than silence is.
    const towards = k < 3 ? 1 : -Math.sign(meanOf(row, all) * TIMBRE.silence[k + 1]!)
    return row.map((value) => (value * towards * SPREAD[k]!) / spread)
  })
}

function shaped(value: (band: number, column: number) => number): Float64Array {
  return Float64Array.from({ length: SIZE }, (_, i) => value(i % BANDS, Math.floor(i / BANDS)))
}

/** The weights that best give, by least squares, how much the mean level is below the power's. */
function flatnessDirection(surfaces: readonly Float64Array[]): Float64Array {
  const flatness = surfaces.map((surface) => {
    let power = 0
    for (const level of surface) power += 10 ** (level / 10) / SIZE
    return -10 * Math.log10(power)
  })
  const mean = flatness.reduce((sum, value) => sum + value, 0) / flatness.length
  // The covariance with each cell: a regression without its inverse, so smooth and robust.
  const direction = new Float64Array(SIZE)
  surfaces.forEach((surface, s) => {
    for (let i = 0; i < SIZE; i++)
      direction[i] = direction[i]! + surface[i]! * (flatness[s]! - mean)
  })
  return direction
}

/** Leading principal components of the surfaces without `known`, by orthogonal iteration. */
function principal(
  surfaces: readonly Float64Array[],
  known: readonly Float64Array[],
): Float64Array[] {
  const mean = new Float64Array(SIZE)
  for (const surface of surfaces)
    for (let i = 0; i < SIZE; i++) mean[i] = mean[i]! + surface[i]! / surfaces.length
  const covariance = new Float64Array(SIZE * SIZE)
  for (const surface of surfaces) {
    const rest = surface.map((value, i) => value - mean[i]!)
    for (const row of known) remove(rest, row)
    for (let i = 0; i < SIZE; i++)
      for (let j = 0; j < SIZE; j++)
        covariance[i * SIZE + j] = covariance[i * SIZE + j]! + rest[i]! * rest[j]!
  }
  const random = seeded(1)
  let rows: Float64Array[] = Array.from({ length: COMPONENTS }, () =>
    Float64Array.from({ length: SIZE }, () => random() - 0.5),
  )
  for (let round = 0; round < 300; round++) {
    const next: Float64Array[] = []
    for (const row of rows) {
      const product = new Float64Array(SIZE)
      for (let i = 0; i < SIZE; i++)
        for (let j = 0; j < SIZE; j++)
          product[i] = product[i]! + covariance[i * SIZE + j]! * row[j]!
      next.push(orthogonal(product, next))
    }
    rows = next
  }
  return rows
}

/** `row` without its parts along `others`, at length 1. */
function orthogonal(row: Float64Array, others: readonly Float64Array[]): Float64Array {
  const out = row.slice()
  for (const other of others) remove(out, other)
  const length = Math.sqrt(dot(out, out))
  return out.map((value) => value / length)
}

function remove(from: Float64Array, unit: Float64Array): void {
  const share = dot(from, unit)
  for (let i = 0; i < SIZE; i++) from[i] = from[i]! - share * unit[i]!
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

function meanOf(row: Float64Array, surfaces: readonly Float64Array[]): number {
  return surfaces.reduce((sum, surface) => sum + dot(row, surface), 0) / surfaces.length
}

/** Standard deviation of the projections within a track, mean over the tracks. */
function meanSpread(row: Float64Array, tracks: readonly Track[]): number {
  const spreads = tracks
    .filter((track) => track.length > 20)
    .map((track) => {
      const values = track.map((surface) => dot(row, surface))
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length
      return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
    })
  return spreads.reduce((sum, value) => sum + value, 0) / spreads.length
}

/** The module: each row as 16-bit integers with its own unit, base64. */
function source(basis: readonly Float64Array[]): string {
  const units = basis.map((row) => Math.max(...row.map(Math.abs)) / 32_767)
  const bytes = Buffer.alloc(2 * SIZE * basis.length)
  basis.forEach((row, k) => {
    row.forEach((value, i) => {
      bytes.writeInt16LE(Math.round(value / units[k]!), 2 * (k * SIZE + i))
    })
  })
  return `// Made by test/programs/trainers/timbre-basis.ts; run it again instead of editing this.
import { fromBase64 } from '../base64.ts'

/** Moments at which a segment's spectrum is taken. */
export const TIMBRE_COLUMNS = ${TIMBRE_COLUMNS}

const TIMBRE_UNITS = [
${units.map((unit) => `  ${unit.toPrecision(8)},`).join('\n')}
]

const TIMBRE_ROWS =
  '${bytes.toString('base64')}'

/** Weights of timbre c2…c12: 11 rows of moments × bands, moment by moment. */
export const TIMBRE_BASIS: Float32Array = unpackBasis()

function unpackBasis(): Float32Array {
  const bytes = new DataView(fromBase64(TIMBRE_ROWS).buffer)
  const count = bytes.byteLength / 2
  const size = count / TIMBRE_UNITS.length
  return Float32Array.from(
    { length: count },
    (_, i) => bytes.getInt16(2 * i, true) * TIMBRE_UNITS[Math.floor(i / size)]!,
  )
}
`
}

function report(basis: readonly Float64Array[], tracks: readonly Track[]): void {
  const all = tracks.flat()
  basis.forEach((row, k) => {
    const mean = meanOf(row, all) + TIMBRE.silence[k + 1]!
    console.log(
      `c${k + 2}: mean ${mean.toFixed(1)}, spread ${meanSpread(row, tracks.slice(SINGLES)).toFixed(1)}`,
    )
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2))
