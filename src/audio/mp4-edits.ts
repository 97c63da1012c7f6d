import { byteAt, entries, longAt } from './mp4-atoms.ts'

/** A part of the medium that an edit list presents. */
export interface Edit {
  /** Units of the movie's time scale; 0: up to the end of the medium. */
  duration: number
  /** Units of the medium's time scale. */
  start: number
}

/** The parts of the medium that an edit list (elst) presents, pauses left out. */
export function editsOf(body: DataView): Edit[] {
  const long = byteAt(body, 0) === 1
  const width = long ? 20 : 12
  const count = entries('elst', body, 4, 8, width)
  const edits: Edit[] = []
  for (let i = 0; i < count; i++) {
    const at = 8 + i * width
    const duration = long ? longAt(body, at) : body.getUint32(at)
    const start = long ? Number(body.getBigInt64(at + 8)) : body.getInt32(at + 4)
    // −1: a pause of this duration.
    if (start >= 0) edits.push({ duration, start })
  }
  return edits
}

/**
 * The edits as one; undefined unless they follow each other in the medium.
 *
 * @param toMedia units of the medium in a unit of the movie
 */
export function joinedEdit(edits: readonly Edit[], toMedia: number): Edit | undefined {
  const [first, ...rest] = edits
  if (!first) return undefined
  let { duration } = first
  for (const { start, duration: more } of rest) {
    // Writers round to units of the movie.
    const end = first.start + duration * toMedia
    if (duration === 0 || Math.abs(start - end) > 2 * toMedia + 1) return undefined
    duration = more === 0 ? 0 : duration + more
  }
  return { start: first.start, duration }
}
