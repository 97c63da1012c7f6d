import type { Params } from '../host/door.ts'
import { type FilePath, plainPath } from '../values/file-path.ts'
import { Track } from './track.ts'

/**
 * Names a track: its id or a foreign id, its handle, an answer of a method, or one of id, md5 and file
 * as an object.
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
      /** Path of a file that was uploaded or scanned, or its `file:` URL. It is not read. */
      file: FilePath | undefined
    }

/** A reference as the parameters of the track methods. */
export function referenceOf(
  given: TrackReference,
): Pick<Params<'track/profile'>, 'id' | 'md5' | 'file'> {
  if (typeof given !== 'object' || given === null) return { id: given as string }
  // An answer has other fields beside its id.
  if (given instanceof Track || 'status' in given) return { id: (given as { id: string }).id }
  // What is wrong or too much, the method refuses.
  return 'file' in given ? { ...given, file: plainPath(given.file) } : given
}
