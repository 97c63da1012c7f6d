import type { Database } from 'better-sqlite3'
import type { Job } from '../../src/kernel/jobs/store.ts'
import { packJob } from '../../src/recognition/index/pack-job.ts'
import {
  type Fingerprints,
  indexRecording,
  type RecordingStore,
} from '../../src/recognition/recording-store.ts'
import { SongStore } from '../../src/song/store.ts'

/** A song of which nothing is known but its title. */
export const UNKNOWN_FACTS = {
  artist: null,
  credit: null,
  release: null,
  duration: null,
  year: null,
  hotttnesss: null,
  songType: null,
} as const

/** The song of made recordings that need no other. */
const SONG = 'SO'

/** Adds the song that {@link addRecording} takes when none is given. */
export function addSong(db: Database, id = SONG): void {
  new SongStore(db).addSong(id, { title: id, ...UNKNOWN_FACTS }, 1, 0)
}

/** Adds the codes of a recording, and returns its number. */
export function addRecording(
  store: RecordingStore,
  codes: Fingerprints,
  about: { songId?: string; duration?: number | null; fingerprintVersion?: string } = {},
): number {
  const recording = { songId: SONG, duration: 1, fingerprintVersion: '1', ...about }
  return store.atomically(() =>
    indexRecording(store, { ...recording, trackId: null, codeMd5: null }, codes),
  )
}

/** Runs the packing of an index as the job loop does, until there is nothing to do. */
export async function pack(
  store: RecordingStore,
  signal = new AbortController().signal,
  turn?: Parameters<typeof packJob>[1],
): Promise<void> {
  const job = packJob(store, turn)
  const commit = await job.run({} as Job, { signal, suspect: false, progressed() {} })
  commit()
}
