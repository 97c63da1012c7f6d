import { spawnSync } from 'node:child_process'

/** A recording as fpcalc describes it: 32 bits about every 0.124 s. */
export type Bits = Uint32Array

/** Two alignments with a bit error rate below this are the same recording, as AcoustID holds. */
const MOST_ERRORS = 0.35
/** The next song's errors must be this much more, as a share of all bits. */
const LEAD = 0.02
/** To begin with, only every so many frames of a query are compared. */
const STRIDE = 4
/** Fewer frames than these tell nothing. */
const LEAST_FRAMES = 24

/** The fingerprint of a file, by fpcalc, of its whole length. */
export function chromaprintOf(file: string): Bits {
  const run = spawnSync('fpcalc', ['-raw', '-json', '-length', '0', file], {
    maxBuffer: 1 << 28,
  })
  if (run.status !== 0 && run.stdout.length === 0) return new Uint32Array(0)
  const { fingerprint } = JSON.parse(run.stdout.toString()) as { fingerprint: number[] }
  return Uint32Array.from(fingerprint)
}

/**
 * The upper bound of what can be had from Chromaprint: no index, every song at every offset. In the
 * first round with every fourth frame of the query, then exactly about the best offset of each song.
 */
export class ChromaprintIndex {
  readonly #songs: readonly Bits[]

  constructor(songs: readonly Bits[]) {
    this.#songs = songs
  }

  /** The song with the fewest errors, if few enough and clearly fewer than any other's. */
  find(query: Bits): { song: number; score: number } | undefined {
    if (query.length < LEAST_FRAMES) return undefined
    let best = { song: -1, errors: 1 }
    let next = 1
    for (const [song, bits] of this.#songs.entries()) {
      const errors = fewestErrors(query, bits)
      if (errors < best.errors) {
        next = best.errors
        best = { song, errors }
      } else if (errors < next) next = errors
    }
    if (best.errors > MOST_ERRORS || next - best.errors < LEAD) return undefined
    return { song: best.song, score: 1 - best.errors }
  }
}

/** The bit error rate at the best offset; at least half of the shorter one must overlap. */
function fewestErrors(query: Bits, song: Bits): number {
  const least = Math.floor(Math.min(query.length, song.length) / 2)
  let rough = { errors: 1, offset: 0 }
  for (let offset = least - query.length; offset <= song.length - least; offset++) {
    const errors = errorsAt(query, song, offset, STRIDE)
    if (errors < rough.errors) rough = { errors, offset }
  }
  let best = 1
  for (let offset = rough.offset - 2; offset <= rough.offset + 2; offset++) {
    best = Math.min(best, errorsAt(query, song, offset, 1))
  }
  return best
}

function errorsAt(query: Bits, song: Bits, offset: number, stride: number): number {
  const from = Math.max(0, -offset)
  const to = Math.min(query.length, song.length - offset)
  let errors = 0
  let frames = 0
  for (let i = from; i < to; i += stride) {
    errors += ones(query[i]! ^ song[i + offset]!)
    frames++
  }
  return frames === 0 ? 1 : errors / (32 * frames)
}

/** How many bits are set. */
function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
