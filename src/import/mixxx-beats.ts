import type { GridAnchor } from '../analysis/correction/grid-anchors.ts'
import { gridMarkers } from '../analysis/grid-markers.ts'
import { viewOf } from '../audio/bytes.ts'

/** Seconds by which a marker may miss a beat: positions are whole frames. */
const TOLERANCE = 5e-4
/** More than the beats of a day. */
const MAX_BEATS = 500_000

/**
 * The grid in the column `beats` of Mixxx: protocol buffers of one tempo (`BeatGrid`) or of all beats
 * (`BeatMap`), whose positions count frames.
 *
 * @returns the fault, in words, where the bytes are something else
 */
export function gridOfBeats(
  bytes: Uint8Array,
  version: string,
  sampleRate: number,
): GridAnchor[] | string {
  const form = /^Beat(Grid-2|Map-1)\.\d{1,3}$/.exec(version)?.[1]
  if (form === undefined) return `beats are of the version ${JSON.stringify(version)}`
  try {
    if (form === 'Grid-2') {
      const fields = [...fieldsOf(bytes)]
      const tempo = messageIn(fields, 1)?.find(([field]) => field === 1)?.[1]
      const frame = messageIn(fields, 2)?.find(([field]) => field === 1)?.[1]
      if (typeof tempo !== 'number') return 'beats have no tempo'
      const time = typeof frame === 'bigint' ? Number(frame) / sampleRate : 0
      return [{ time, tempo, place: 1 }]
    }
    return gridOfTimes(timesOf(bytes, sampleRate))
  } catch {
    return 'beats are damaged'
  }
}

function gridOfTimes(times: readonly number[]): GridAnchor[] | string {
  if (times.length < 2) return 'beats are fewer than two'
  if (times.length > MAX_BEATS) return `beats are more than ${MAX_BEATS}`
  return gridMarkers(times, { tolerance: TOLERANCE }).map(({ time, bpm }, i) => ({
    time,
    tempo: bpm,
    ...(i === 0 && { place: 1 }),
  }))
}

/** The times of the beats that are enabled, ascending. */
function timesOf(bytes: Uint8Array, sampleRate: number): number[] {
  const times: number[] = []
  for (const [field, beat] of fieldsOf(bytes)) {
    if (field !== 1 || !(beat instanceof Uint8Array)) continue
    const fields = [...fieldsOf(beat)]
    const isDisabled = fields.some(([name, value]) => name === 2 && value === 0n)
    const frame = fields.find(([name]) => name === 1)?.[1] ?? 0n
    const time = typeof frame === 'bigint' ? Number(frame) / sampleRate : Number.NaN
    if (!isDisabled && time >= 0) times.push(time)
    if (times.length > MAX_BEATS) break
  }
  const sorted = times.sort((a, b) => a - b)
  return sorted.filter((time, i) => i === 0 || time - sorted[i - 1]! >= 0.01)
}

type Field = [field: number, value: bigint | number | Uint8Array]

function messageIn(fields: readonly Field[], wanted: number): Field[] | undefined {
  const value = fields.find(([field]) => field === wanted)?.[1]
  return value instanceof Uint8Array ? [...fieldsOf(value)] : undefined
}

/** The fields of a protocol buffer. @throws {RangeError} when they do not fill it */
function* fieldsOf(bytes: Uint8Array): Generator<Field, void> {
  const view = viewOf(bytes)
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = view.getUint8(at++)
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return BigInt.asIntN(64, value)
    }
    throw new RangeError('a number without end')
  }
  while (at < bytes.length) {
    const key = Number(varint())
    const [field, kind] = [key >> 3, key & 7]
    if (kind === 0) yield [field, varint()]
    else if (kind === 1 || kind === 5) {
      yield [field, kind === 1 ? view.getFloat64(at, true) : view.getFloat32(at, true)]
      at += kind === 1 ? 8 : 4
    } else if (kind === 2) {
      const length = Number(varint())
      if (length < 0 || at + length > bytes.length) throw new RangeError('a field is cut off')
      yield [field, bytes.subarray(at, at + length)]
      at += length
    } else throw new RangeError(`a field of kind ${kind}`)
  }
}
