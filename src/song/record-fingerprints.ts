import { invalidParameter } from '../errors.ts'
import { decodeCode } from '../fingerprint/decode-code.ts'
import { md5 } from '../md5.ts'
import { type Fingerprints, ingest } from '../recording/store.ts'
import type { CheckedSong } from './record.ts'
import type { SongRoom } from './room.ts'

/** A fingerprint of a record, decoded. */
export interface Print {
  version: string
  /** Of the code string. Equal code strings are one recording. */
  md5: string
  fingerprints: Fingerprints
}

/** @throws {ParameterError} `invalid_parameter` on a code string that cannot be decoded */
export function printsOfRecord({ fingerprints = [] }: CheckedSong): Print[] {
  return fingerprints.map(printOf)
}

function printOf({ version, code }: { version: string | number; code: string }): Print {
  const decoded = decodeCode(code, version)
  if (decoded.codes === undefined) {
    throw invalidParameter('fingerprints', decoded.message)
  }
  const { family, codes } = decoded
  return { version: String(version), md5: md5(code), fingerprints: { [family]: codes } }
}

/** Adds the recordings of a song that it does not have yet. */
export function addPrints(
  { recordings }: SongRoom,
  songId: string,
  prints: readonly Print[],
  duration: number | null,
): void {
  for (const { version, md5, fingerprints } of prints) {
    if (recordings.holds(songId, md5)) continue
    const recording = {
      songId,
      trackId: null,
      duration,
      fingerprintVersion: version,
      codeMd5: md5,
    }
    ingest(recordings, recording, fingerprints)
  }
}
