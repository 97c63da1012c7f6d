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
export const readSizes = method({
  name: 'song/stat',
  parameters: z.strictObject({}),
  async run(room: SongRoom, _given, { signal }): Promise<IndexSize[]> {
    const sizes = [await localSizeOf(room, signal)]
    for (const reference of room.allReferences) {
      const size = isServed(reference)
        ? await servedSizeOf(reference, signal)
        : await localSizeOf(reference, signal)
      sizes.push({ reference: reference.name, ...size })
    }
    return sizes
  },
})

async function localSizeOf(
  { recordings }: Pick<SongRoom, 'recordings'>,
  signal: AbortSignal,
): Promise<IndexSize> {
  const systems = await sizesOf(recordings, () => pause(signal))
  return { recordings: recordings.count(), bytes: recordings.index.fileBytes(), systems }
}

const sizesSchema = z.array(
  z.looseObject({
    reference: z.string().optional(),
    recordings: z.number(),
    bytes: z.number(),
    systems: z.record(z.string(), z.unknown()),
  }),
)

/** Of the served database alone, without its own references. */
async function servedSizeOf(served: ServedReference, signal: AbortSignal): Promise<IndexSize> {
  const parseSizes = (answer: unknown) => sizesSchema.parse(answer) as IndexSize[]
  const sizes = await served.askServers('song/stat', {}, parseSizes, signal)
  const [ownSize] = sizes.filter(({ reference }) => reference === undefined)
  if (ownSize) return ownSize
  throw new DatabaseError(`The reference ${served.name} does not say how large it is.`)
}
