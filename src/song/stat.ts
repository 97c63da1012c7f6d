import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { pause } from '../kernel/scheduler.ts'
import { type FamilySize, sizesOf } from '../recognition/index/merge.ts'
import type { SongRoom } from './room.ts'

/** The size of an index of fingerprints. */
export interface IndexSize {
  /** The reference that it is; absent of the database itself. */
  reference?: string
  /** Recordings with fingerprints. */
  recordings: number
  /** Bytes of the whole file. */
  bytes: number
  /** By system of fingerprints. */
  systems: Partial<Record<string, FamilySize>>
}

/** `song/stat` (ours): what the indexes of the database and of its references hold. */
export const stat = method({
  name: 'song/stat',
  parameters: z.strictObject({}),
  async run(room: SongRoom, _given, { signal }): Promise<IndexSize[]> {
    const sizes: IndexSize[] = []
    const own = { name: undefined, recordings: room.recordings }
    for (const { name, recordings } of [own, ...room.references]) {
      const systems = await sizesOf(recordings, () => pause(signal))
      const bytes = recordings.index.fileBytes()
      const size = { recordings: recordings.count(), bytes, systems }
      sizes.push(name === undefined ? size : { reference: name, ...size })
    }
    return sizes
  },
})
