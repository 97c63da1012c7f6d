import type { Codes } from './codes.ts'

/** The part of an analysis segment that this needs. */
export interface ChromaSegment {
  readonly start: number
  readonly duration: number
  readonly loudness_max: number
  readonly pitches: readonly number[]
}

/** Provisional: the two strongest pitch classes and the weakest. */
export function chromaCodes(segments: readonly ChromaSegment[]): Codes {
  const kept = segments.filter(({ loudness_max }) => loudness_max > -50)
  const symbols = kept.map(({ pitches }) => {
    const order = pitches.map((_, i) => i).sort((a, b) => pitches[b]! - pitches[a]!)
    return (order[0]! * 12 + order[1]!) * 7 + (order[11]! % 7)
  })
  const codes: number[] = []
  const times: number[] = []
  for (let i = 2; i < symbols.length; i++) {
    codes.push(
      (2 ** 30 +
        ((symbols[i]! & 1023) << 20) +
        ((symbols[i - 1]! & 1023) << 10) +
        (symbols[i - 2]! & 1023)) >>>
        0,
    )
    times.push(Math.floor((kept[i]!.start * 1000) / 32) * 32)
  }
  return { codes: Uint32Array.from(codes), times: Uint32Array.from(times) }
}
