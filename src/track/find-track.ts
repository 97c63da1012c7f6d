import { z } from 'zod'
import {
  invalidParameter,
  missingParameter,
  ParameterError,
  unknownIdentifier,
} from '../values/errors.ts'
import { absolutePath } from '../values/file-path.ts'
import { parseForeignId } from '../values/ids.ts'
import type { TrackRow, TrackStore } from './store.ts'

/** The parameters that name a track; exactly one of the three. */
export const trackReference = {
  /** `TR…`, or a foreign id. */
  id: z.string().min(1).optional(),
  /** The MD5 of the file, 32 hexadecimal digits. */
  md5: z
    .string()
    .regex(/^[0-9a-f]{32}$/i, 'must be 32 hexadecimal digits')
    .optional(),
  /** Path of a file that was uploaded or scanned, or its `file:` URL; it is not read. */
  file: z.string().min(1).optional(),
}

export type TrackReference = z.output<z.ZodObject<typeof trackReference>>

export function trackById(store: TrackStore, id: string): TrackRow | undefined {
  const foreign = parseForeignId(id)
  return foreign ? store.byForeignId(foreign) : store.byId(id)
}

export function findTrack(store: TrackStore, { id, md5, file }: TrackReference): TrackRow {
  if (id !== undefined && md5 !== undefined) {
    throw invalidParameter('md5', `"${md5}" beside an id`)
  }
  if (file !== undefined && (id ?? md5) !== undefined) {
    throw invalidParameter('file', `"${file}" beside ${id === undefined ? 'an md5' : 'an id'}`)
  }
  const reference = md5 ?? id ?? file
  if (reference === undefined) throw missingParameter('id', 'give id or md5')
  const row =
    file !== undefined
      ? trackOfFile(store, absolutePath(file))
      : md5 === undefined
        ? trackById(store, reference)
        : store.byMd5(reference.toLowerCase())
  if (row) return row
  const path = file ?? (/^(\/|[a-z]:[\\/]|\.\.?[\\/])/i.test(reference) ? reference : undefined)
  if (path === undefined) throw unknownIdentifier(reference)
  const remedy = file === undefined ? 'name it as { file }, and ' : ''
  const message = `No track has the file ${JSON.stringify(path)}; ${remedy}upload or scan it first.`
  throw new ParameterError('unknown_identifier', message)
}

function trackOfFile(store: TrackStore, path: string): TrackRow | undefined {
  const file = store.files.byPath(path)
  return file && store.byId(file.trackId)
}
