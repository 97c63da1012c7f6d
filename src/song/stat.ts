import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { pause } from '../kernel/scheduler.ts'
import { type FamilySize, sizesOf } from '../recognition/index/merge.ts'
import { isServed } from '../recognition/references.ts'
import type { ServedReference } from '../recognition/shards/served-reference.ts'
import { DatabaseError } from '../values/errors.ts'
import type { SongRoom } from './room.ts'

/** The size of an index of fingerprints. */
export interface IndexSize {
  /** The name of the reference; absent for the database itself. */
  reference?: string
  /** Recordings with fingerprints. */
  recordings: number
  /** Bytes of the whole file. */
  bytes: number
  /** By system of fingerprints. */
  systems: Partial<Record<string, FamilySize>>
}

/** `song/stat` (ours): the sizes of the indexes of the database and of its references. */
export const stat = method({
  name: 'song/stat',
  parameters: z.strictObject({}),
  async run(room: SongRoom, _given, { signal }): Promise<IndexSize[]> {
    const sizes = [await sizeOf(room, signal)]
    for (const one of room.allReferences) {
      const size = isServed(one) ? await servedSizeOf(one, signal) : await sizeOf(one, signal)
      sizes.push({ reference: one.name, ...size })
    }
    return sizes
  },
})

async function sizeOf(
  { recordings }: Pick<SongRoom, 'recordings'>,
  signal: AbortSignal,
): Promise<IndexSize> {
  const systems = await sizesOf(recordings, () => pause(signal))
  return { recordings: recordings.count(), bytes: recordings.index.fileBytes(), systems }
}

const answer = z.array(
  z.looseObject({
    reference: z.string().optional(),
    recordings: z.number(),
    bytes: z.number(),
    systems: z.record(z.string(), z.unknown()),
  }),
)

/** The size of the database that another process serves, without its own references. */
async function servedSizeOf(served: ServedReference, signal: AbortSignal): Promise<IndexSize> {
  const read = (given: unknown) => answer.parse(given) as IndexSize[]
  const sizes = await served.askServers('song/stat', {}, read, signal)
  const [own] = sizes.filter(({ reference }) => reference === undefined)
  if (own) return own
  throw new DatabaseError(`The reference ${served.name} does not say how large it is.`)
}
