import { createHash } from 'node:crypto'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { AnalysisStream } from '../../../src/analysis/analysis-stream.ts'
import { decodeFile } from '../../../src/audio/decode.ts'
import { type ChromaSegment, isSounding, shapeOf } from '../../../src/recognition/systems/chroma.ts'
import { seeded } from '../../support/music.ts'

/**
 * Makes src/fingerprint/chroma-book.ts: the 1,024 shapes of pitches that system A's symbols stand
 * for. A new book makes new codes: never run it after a release without a new family in version.ts.
 *
 *   npx tsx test/programs/trainers/chroma-book.ts FOLDER…
 *
 * It learns from the audio files below the folders, forty seconds from each, in all twelve
 * transpositions, and from chords made in code, by k-means (Lloyd's algorithm, seeded as k-means++).
 *
 * The book that is shipped was learnt from the music of the Debian packages wesnoth-1.16-music,
 * hyperrogue-music, asc-music, planetblupi-music-ogg, freedroidrpg-data, megaglest-data,
 * widelands-data and unknown-horizons: 160 pieces, free by the GPL or CC-BY-SA as the packages'
 * copyright files say. All that is left of them is the averages of thousands of segments.
 */
const BOOK = 1024
const PITCHES = 12
/** Seconds of each file. */
const EXCERPT = 40
/** Smaller files are sound effects. */
const LEAST_BYTES = 300_000
/** Shapes that are learnt from at most; drawn evenly. */
const MOST = 60_000
const ROUNDS = 12
const SEED = 20261121
const AUDIO = /\.(ogg|mp3|opus|flac|wav)$/i

export async function main(folders: readonly string[]): Promise<void> {
  const shapes: Float64Array[] = chords()
  for (const path of folders.flatMap(audioBelow)) {
    const found = await shapesOf(path).catch((error: Error) => {
      console.log(`${path}: ${error.message}`)
      return []
    })
    shapes.push(...found.flatMap(transpositions))
  }
  const drawn = draw(shapes, MOST)
  console.log(`${shapes.length} shapes, learning from ${drawn.length}`)
  const book = learn(drawn, BOOK, ROUNDS, (round, error) => {
    console.log(`round ${round}: mean squared distance ${error.toFixed(4)}`)
  })
  const out = fileURLToPath(
    new URL('../../../src/recognition/systems/chroma-book.ts', import.meta.url),
  )
  writeFileSync(out, source(book))
}

/** Shapes to `size` centres, sorted so that the same shapes give the same book. */
export function learn(
  shapes: readonly Float64Array[],
  size: number,
  rounds: number,
  onRound: (round: number, error: number) => void = () => {},
): Float64Array[] {
  const centres = seedCentres(shapes, size)
  for (let round = 0; round < rounds; round++) {
    const sums = centres.map(() => new Float64Array(PITCHES))
    const counts = new Uint32Array(size)
    let error = 0
    for (const shape of shapes) {
      const { at, distance } = nearest(centres, shape)
      counts[at] = counts[at]! + 1
      error += distance
      const sum = sums[at]!
      for (let i = 0; i < PITCHES; i++) sum[i] = sum[i]! + shape[i]!
    }
    for (const [c, sum] of sums.entries()) {
      if (counts[c]! > 0) centres[c] = sum.map((x) => x / counts[c]!)
    }
    onRound(round + 1, error / shapes.length)
  }
  return centres.sort((a, b) => {
    for (let i = 0; i < PITCHES; i++) if (a[i] !== b[i]) return a[i]! - b[i]!
    return 0
  })
}

/** Centres far from each other: each is drawn by its squared distance to those before it. */
function seedCentres(shapes: readonly Float64Array[], size: number): Float64Array[] {
  const random = seeded(SEED)
  const centres = [shapes[Math.floor(random() * shapes.length)]!]
  const distances = Float64Array.from(shapes, () => Number.POSITIVE_INFINITY)
  while (centres.length < size) {
    const last = centres.at(-1)!
    let total = 0
    for (const [i, shape] of shapes.entries()) {
      distances[i] = Math.min(distances[i]!, squared(shape, last))
      total += distances[i]!
    }
    let left = random() * total
    let at = 0
    while (at < shapes.length - 1 && left > distances[at]!) left -= distances[at++]!
    centres.push(shapes[at]!)
  }
  return centres.map((centre) => centre.slice())
}

function nearest(centres: readonly Float64Array[], shape: Float64Array) {
  let at = 0
  let distance = Number.POSITIVE_INFINITY
  for (let c = 0; c < centres.length; c++) {
    const d = squared(centres[c]!, shape)
    if (d < distance) {
      distance = d
      at = c
    }
  }
  return { at, distance }
}

function squared(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < PITCHES; i++) {
    const d = a[i]! - b[i]!
    sum += d * d
  }
  return sum
}

async function shapesOf(path: string): Promise<Float64Array[]> {
  let analyzer: AnalysisStream | undefined
  const blocks: Float32Array[][] = []
  let rate = 0
  let held = 0
  for await (const { channels, sampleRate } of decodeFile(path)) {
    rate = sampleRate
    blocks.push(channels.map((samples) => samples.slice()))
    held += channels[0]!.length
    // Twice the excerpt is enough to have its middle.
    if (held > 2 * EXCERPT * rate) break
  }
  let left = Math.max(0, (held - EXCERPT * rate) / 2)
  for (const channels of blocks) {
    left -= channels[0]!.length
    if (left > 0) continue
    analyzer ??= new AnalysisStream({ sampleRate: rate, channels: channels.length })
    analyzer.push(channels)
  }
  const segments: readonly ChromaSegment[] = analyzer?.finish().document.segments ?? []
  return segments.filter(isSounding).map(({ pitches }) => shapeOf(pitches))
}

/** Keys must not matter: what is learnt in one is learnt in all. */
function transpositions(shape: Float64Array): Float64Array[] {
  return [...Array(PITCHES).keys()].map((by) =>
    Float64Array.from({ length: PITCHES }, (_, i) => shape[(i + by) % PITCHES]!),
  )
}

/** One to four pitches of decreasing strength over a soft floor. */
function chords(): Float64Array[] {
  const random = seeded(SEED + 1)
  return Array.from({ length: 3_000 }, () => {
    const floor = 0.02 + 0.2 * random()
    const pitches = Array.from({ length: PITCHES }, () => floor * random() + 0.001)
    const root = Math.floor(PITCHES * random())
    const steps = [0, random() < 0.5 ? 4 : 3, 7, random() < 0.5 ? 10 : 11]
    const count = 1 + Math.floor(4 * random())
    for (let i = 0; i < count; i++) {
      pitches[(root + steps[i]!) % PITCHES] = i === 0 ? 1 : 0.3 + 0.7 * random()
    }
    return shapeOf(pitches)
  })
}

function draw(shapes: readonly Float64Array[], most: number): Float64Array[] {
  if (shapes.length <= most) return [...shapes]
  const random = seeded(SEED + 2)
  return shapes.filter(() => random() < most / shapes.length)
}

function audioBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => AUDIO.test(name))
    .sort()
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).size >= LEAST_BYTES)
}

function source(book: readonly Float64Array[]): string {
  const bytes = Uint8Array.from(
    book.flatMap((centre) => [...centre].map((x) => Math.round(255 * x))),
  )
  const text = Buffer.from(bytes).toString('base64')
  const hash = createHash('sha256').update(bytes).digest('hex')
  return `// Made by test/programs/trainers/chroma-book.ts; run it again instead of editing this.

/** The SHA-256 of the book's bytes: another book makes other codes. */
export const CHROMA_BOOK_SHA256 = '${hash}'

/** 1,024 shapes of twelve pitches, each pitch a byte of 0…255 for 0…1; base64. */
export const CHROMA_BOOK =
  '${text}'
`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(process.argv.slice(2))
