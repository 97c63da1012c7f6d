import type { Measures } from './measures.ts'

/**
 * What is usual: each measure's median over the reference pieces, and half of the distance from its
 * 16 to its 84 %. They are audile's analyses of 90 to 180 s of 215 freely licensed pieces of music of
 * games (Debian packages), most of them produced recordings. They are quieter than published records,
 * so their loudness stands in the order of theirs, at the quantiles of 9,779 published tracks.
 */
export const REFERENCE: Readonly<
  Record<keyof Measures, { readonly middle: number; readonly deviation: number }>
> = Object.freeze({
  loudness: { middle: -7.9, deviation: 3.8 },
  range: { middle: 6.3, deviation: 2.8 },
  brightness: { middle: 24, deviation: 73 },
  entropy: { middle: 2.04, deviation: 0.18 },
  tonality: { middle: -1.84, deviation: 0.8 },
  flatnessSpread: { middle: 29, deviation: 12 },
  rate: { middle: 4.5, deviation: 1.1 },
  accent: { middle: 3.5, deviation: 1.8 },
  attack: { middle: -3.22, deviation: 0.34 },
  // It has two values only.
  mode: { middle: 0, deviation: 1 },
  tempoDistance: { middle: 0.26, deviation: 0.25 },
  unevenness: { middle: -4.26, deviation: 0.76 },
})
