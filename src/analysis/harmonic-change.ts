import type { Chroma } from './chroma.ts'
import { SPECTRUM } from './novelty.ts'
import { meanGap } from './rhythm-sureness.ts'

/** Beats before and after a moment whose harmonies are compared. */
const BEATS = 2

/**
 * For each beat how much the harmony changes there, 0…1: the pitch classes of two beats after it are
 * compared with those of two beats before.
 *
 * @param beats  frames of an excerpt
 * @param excerpt  its frames a second, and the frame of the whole track with which it begins
 */
export function harmonicChanges(
  chroma: Chroma,
  beats: Int32Array,
  { fps, first }: { fps: number; first: number },
): Float64Array {
  if (beats.length < 2) return new Float64Array(beats.length)
  const changeAt = harmonicChange(chroma, (BEATS * meanGap(beats)) / fps)
  return Float64Array.from(beats, (frame) => changeAt((first + frame) / fps + SPECTRUM.late))
}

/**
 * How different the pitch classes are in the `reach` seconds before and after a moment: 1 less the cosine of
 * their sums, 0…1, and 0 where one of them is silent or not of the track.
 */
export function harmonicChange(
  { fps, start, frames, classes, top }: Chroma,
  reach: number,
): (seconds: number) => number {
  const sums = new Float64Array(12 * (frames + 1))
  for (let i = 0; i < 12 * frames; i++)
    sums[i + 12] = sums[i]! + classes[i]! * top[Math.floor(i / 12)]!
  const sumUntil = (seconds: number): ((c: number) => number) => {
    const place = Math.min(frames, Math.max(0, (seconds - start) * fps + 0.5))
    const frame = Math.min(frames - 1, Math.floor(place))
    const part = place - frame
    return (c) => sums[12 * frame + c]! * (1 - part) + sums[12 * frame + 12 + c]! * part
  }
  return (seconds) => {
    if (frames === 0) return 0
    const [from, at, to] = [seconds - reach, seconds, seconds + reach].map(sumUntil)
    let [both, before, after] = [0, 0, 0]
    for (let c = 0; c < 12; c++) {
      const middle = at!(c)
      const left = middle - from!(c)
      const right = to!(c) - middle
      both += left * right
      before += left * left
      after += right * right
    }
    const size = Math.sqrt(before * after)
    return size > 0 ? Math.max(0, 1 - both / size) : 0
  }
}
