import { ParameterError } from '../errors.ts'
import type { Codes } from '../fingerprint/codes.ts'
import { PostingsReader, PostingsWriter } from '../fingerprint/postings.ts'
import { ECHOPRINT, FAMILIES, type Family } from '../fingerprint/version.ts'
import { MOST_RECORDINGS, slotOf } from './index-layout.ts'
import type { RecordingRow, RecordingStore } from './store.ts'

/** A recording's fingerprints, by family. */
export type Fingerprints = Partial<Record<Family, Codes>>

/**
 * Adds a recording and its codes to the index. To be called inside a transaction.
 *
 * @returns its number
 * @throws {ParameterError} `limit_exceeded` when all numbers have been used
 */
export function ingest(
  store: RecordingStore,
  recording: Omit<RecordingRow, 'id'>,
  fingerprints: Fingerprints,
): number {
  if (store.lastUsed() >= MOST_RECORDINGS - 1) {
    const most = (MOST_RECORDINGS - 1).toLocaleString('en')
    throw new ParameterError(
      'limit_exceeded',
      `The index of fingerprints is full: a database has room for ${most} recordings, those that were removed among them. Open another one for more.`,
    )
  }
  const id = store.add(recording)
  for (const [name, codes] of Object.entries(fingerprints) as [Family, Codes][]) {
    if (codes.codes.length === 0) continue
    store.index.addCodes({ recordingId: id, family: FAMILIES[name], codes: sorted(name, codes) })
  }
  return id
}

/** Every song has them, so they tell nothing. */
const STOP_CODES = new Set(ECHOPRINT.stopCodes)
const TIMES = 2 ** 32

/** The codes as one run of slots with their times, in which a postings row has songs. */
function sorted(family: Family, { codes, times }: Codes): Buffer {
  const all = new Float64Array(codes.length)
  let count = 0
  for (let i = 0; i < codes.length; i++) {
    if (STOP_CODES.has(codes[i]!) && family.startsWith('echoprint')) continue
    all[count++] = slotOf(family, codes[i]!) * TIMES + times[i]!
  }
  const keys = all.subarray(0, count).sort()
  const writer = new PostingsWriter()
  writer.begin()
  for (const key of keys) {
    const slot = Math.floor(key / TIMES)
    writer.add(slot, key - slot * TIMES)
  }
  return Buffer.from(writer.end())
}

/** Reads the codes of one family that {@link ingest} stored: ascending slots, and their times. */
export function slotsOf(blob: Uint8Array): { slots: Uint32Array; times: Uint32Array } {
  const reader = new PostingsReader()
  reader.unpack(blob, 0)
  return {
    slots: reader.songs.slice(0, reader.length),
    times: reader.times.slice(0, reader.length),
  }
}
