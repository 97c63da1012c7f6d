import { join } from 'node:path'
import { z } from 'zod'
import { SOUND_MODEL } from '../sounds/known-model.ts'
import { absolutePath, type FilePath, plainPath } from '../values/file-path.ts'
import { nonEmpty } from './parameter-types.ts'
import { personalFolder } from './personal-folder.ts'

/**
 * The file of a network that names sounds: a path or `file:` URL, or `'installed'`. Another file than
 * the known one is taken only with its own checksum.
 */
export type SoundModelOption =
  | FilePath
  | 'installed'
  | {
      /** Path or `file:` URL. */
      path: FilePath
      /** SHA-256 of the file, hexadecimal: a network of the same form and classes. */
      sha256: string
    }

/** Where `audile model add` keeps the network. */
export function installedModelPath(): string {
  return join(personalFolder(), 'models', SOUND_MODEL.file)
}

const modelPath = z
  .preprocess(plainPath, nonEmpty)
  .transform((given) => absolutePath(given, 'soundModel'))

export const soundModelSchema = z.union([
  z
    .literal('installed')
    .transform(() => ({ path: installedModelPath(), sha256: SOUND_MODEL.sha256 as string })),
  z.strictObject({
    path: modelPath,
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/i, { error: 'must be a SHA-256: 64 hexadecimal digits' })
      .transform((given) => given.toLowerCase()),
  }),
  modelPath.transform((path) => ({ path, sha256: SOUND_MODEL.sha256 as string })),
])
