import type { Params } from '../host/door.ts'
import { type FilePath, plainPath } from '../values/file-path.ts'
import { Track } from './track.ts'

/**
 * A track: its id or a foreign id, its handle, an answer of a method, or an object with one of
 * `id`, `md5` and `file`.
 */
export type TrackReference =
  | string
  | Track
  | {
      /** `TR…`, or a foreign id. */
      id: string | undefined
    }
  | {
      /** The MD5 of the file, 32 hexadecimal digits. */
      md5: string | undefined
    }
  | {
      /** Path of a file that was uploaded or scanned, or its `file:` URL. The file is not read. */
      file: FilePath | undefined
    }

/** A reference as the parameters of the track methods. */
export function referenceOf(
  reference: TrackReference,
): Pick<Params<'track/profile'>, 'id' | 'md5' | 'file'> {
  if (typeof reference !== 'object' || reference === null) return { id: reference as string }
  // An answer has other fields besides its id.
  if (reference instanceof Track || 'status' in reference)
    return { id: (reference as { id: string }).id }
  // The method rejects wrong and extra fields.
  return 'file' in reference ? { ...reference, file: plainPath(reference.file) } : reference
}
