import type { GridAnchor } from '../analysis/correction/grid-anchors.ts'
import { gridMarkers } from '../analysis/grid-markers.ts'
import { viewOf } from '../audio/bytes.ts'

/** Seconds; positions are whole frames. */
const BEAT_TOLERANCE = 5e-4
/** More than the beats of a day. */
const MAX_BEATS = 500_000

/**
 * Protocol buffers of one tempo (`BeatGrid`) or of all beats (`BeatMap`); positions count frames.
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
      const fields = [...protocolFields(bytes)]
      const tempo = messageIn(fields, 1)?.find(([field]) => field === 1)?.[1]
      const frame = messageIn(fields, 2)?.find(([field]) => field === 1)?.[1]
      if (typeof tempo !== 'number') return 'beats have no tempo'
      const time = typeof frame === 'bigint' ? Number(frame) / sampleRate : 0
      return [{ time, tempo, place: 1 }]
    }
    return gridOfTimes(beatTimesOf(bytes, sampleRate))
  } catch {
    return 'beats are damaged'
  }
}

function gridOfTimes(times: readonly number[]): GridAnchor[] | string {
  if (times.length < 2) return 'beats are fewer than two'
  if (times.length > MAX_BEATS) return `beats are more than ${MAX_BEATS}`
  return gridMarkers(times, { tolerance: BEAT_TOLERANCE }).map(({ time, bpm }, i) => ({
    time,
    tempo: bpm,
    ...(i === 0 && { place: 1 }),
  }))
}

/** Ascending, of beats that are enabled. */
function beatTimesOf(bytes: Uint8Array, sampleRate: number): number[] {
  const times: number[] = []
  for (const [field, beat] of protocolFields(bytes)) {
    if (field !== 1 || !(beat instanceof Uint8Array)) continue
    const fields = [...protocolFields(beat)]
    const isDisabled = fields.some(([name, value]) => name === 2 && value === 0n)
    const frame = fields.find(([name]) => name === 1)?.[1] ?? 0n
    const time = typeof frame === 'bigint' ? Number(frame) / sampleRate : Number.NaN
    if (!isDisabled && time >= 0) times.push(time)
    if (times.length > MAX_BEATS) break
  }
  const sorted = times.sort((a, b) => a - b)
  return sorted.filter((time, i) => i === 0 || time - sorted[i - 1]! >= 0.01)
}

type ProtocolField = [field: number, value: bigint | number | Uint8Array]

function messageIn(
  fields: readonly ProtocolField[],
  wantedField: number,
): ProtocolField[] | undefined {
  const value = fields.find(([field]) => field === wantedField)?.[1]
  return value instanceof Uint8Array ? [...protocolFields(value)] : undefined
}

/** @throws {RangeError} when the fields do not fill the bytes */
function* protocolFields(bytes: Uint8Array): Generator<ProtocolField, void> {
  const view = viewOf(bytes)
  let position = 0
  const readVarint = () => {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = view.getUint8(position++)
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return BigInt.asIntN(64, value)
    }
    throw new RangeError('a number without end')
  }
  while (position < bytes.length) {
    const key = Number(readVarint())
    const [field, kind] = [key >> 3, key & 7]
    if (kind === 0) yield [field, readVarint()]
    else if (kind === 1 || kind === 5) {
      yield [field, kind === 1 ? view.getFloat64(position, true) : view.getFloat32(position, true)]
      position += kind === 1 ? 8 : 4
    } else if (kind === 2) {
      const length = Number(readVarint())
      if (length < 0 || position + length > bytes.length) throw new RangeError('a field is cut off')
      yield [field, bytes.subarray(position, position + length)]
      position += length
    } else throw new RangeError(`a field of kind ${kind}`)
  }
}
