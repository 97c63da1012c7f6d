import type { Params } from '../host/door.ts'
import { absolutePath, type FilePath, plainPath } from '../values/file-path.ts'
import { type IdReference, idOf } from './id-reference.ts'

type SeedParameters = Exclude<
  Params<'mix/create'>['seeds'],
  readonly unknown[] | string | undefined
>

/**
 * What a mix is near to, or keeps away from: the id of a track, song, artist or catalog; its handle
 * or answer; or an object with one of `id`, `file`, `artist`, `album` (also beside `artist`) and
 * `mood`, and a `weight`.
 */
export type MixSeed = IdReference | SeedObject

/** A seed with a weight. */
export interface SeedObject extends Omit<SeedParameters, 'id' | 'file'> {
  /** A track, song, artist or catalog, by its id or handle. */
  id?: IdReference | undefined
  /** Path of a file that was uploaded or scanned, or its `file:` URL. */
  file?: FilePath | undefined
}

/** Seeds as the methods take them. */
export function seedParameters(seeds: MixSeed | readonly MixSeed[]): SeedParameters[] {
  return [seeds].flat().map((seed) => {
    if (typeof seed !== 'object' || seed === null || isAnswer(seed)) return { id: idOf(seed) }
    const { id, file, ...otherFields } = seed as SeedObject
    return {
      ...otherFields,
      ...(id !== undefined && { id: idOf(id) }),
      ...(file !== undefined && { file: absolutePathOf(file) }),
    }
  })
}

/** An absolute path: a state or a saved mix may be used in another folder. */
export function absolutePathOf(file: FilePath): string {
  const path = plainPath(file)
  return typeof path === 'string' && path !== '' ? absolutePath(path) : path
}

/** Whether an object is a handle or an answer, which has other fields besides its id. */
function isAnswer(seed: object): seed is { id: string } {
  return Object.getPrototypeOf(seed) !== Object.prototype || 'name' in seed || 'status' in seed
}
