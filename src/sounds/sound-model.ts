import { AudileError, invalidParameter } from '../values/errors.ts'
import { DamagedFile } from './flat-table.ts'
import { SOUND_MODEL } from './known-model.ts'
import { type ReadNetwork, readNetwork } from './read-network.ts'
import { CLASSES } from './sound-classes.ts'
import { SoundNetwork } from './sound-network.ts'

/** The most bytes of a network's file. */
export const MAX_MODEL_BYTES = 8 << 20

/** The part of the Web Crypto API that is needed; the types of Node 20 do not have it. */
interface Digests {
  subtle?: { digest(name: string, bytes: Uint8Array): Promise<ArrayBuffer> }
}

/**
 * Opens a network that names sounds from the bytes of its file: YAMNet as `audile model add` fetches
 * it, or another of the same form and classes, by its own checksum. It takes 5 MB.
 *
 * @param sha256 - of the file, hexadecimal; that of YAMNet's by default
 * @throws {ParameterError} `invalid_parameter` when the file is damaged, cut, or another one
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { openSoundNetwork } from 'audile/analysis'
 *
 * const network = await openSoundNetwork(await readFile('yamnet_spectra_in.tflite'))
 * ```
 */
export async function openSoundNetwork(bytes: Uint8Array, sha256?: string): Promise<SoundNetwork> {
  return new SoundNetwork(await readSoundModel(bytes, sha256))
}

/**
 * Reads the file of a network after comparing its checksum.
 *
 * @param sha256 - hexadecimal; that of the file that audile knows by default
 * @throws {ParameterError} `invalid_parameter` when the file is damaged, cut, or another one
 */
export async function readSoundModel(
  bytes: Uint8Array,
  sha256: string = SOUND_MODEL.sha256,
): Promise<ReadNetwork> {
  requireSize(bytes.length)
  const sum = await sha256Of(bytes)
  if (sum !== sha256.toLowerCase())
    throw refused(`its SHA-256 is ${sum}, not ${sha256}: it is damaged, cut, or another file`)
  try {
    const network = readNetwork(bytes)
    if (network.head.outputs === CLASSES) return network
    throw new DamagedFile(`${network.head.outputs} classes instead of ${CLASSES}`)
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error
    throw refused(`it has ${error.message}`)
  }
}

/** @throws {ParameterError} when no network has so many bytes */
export function requireSize(bytes: number): void {
  if (bytes > 0 && bytes <= MAX_MODEL_BYTES) return
  throw refused(`it has ${bytes} bytes, and ${SOUND_MODEL.name} has ${SOUND_MODEL.bytes}`)
}

/** The SHA-256 of bytes, hexadecimal. */
export async function sha256Of(bytes: Uint8Array): Promise<string> {
  const { subtle } = (globalThis as unknown as { crypto: Digests }).crypto
  if (!subtle) {
    throw new AudileError(
      'internal',
      'The checksum of the network cannot be computed here: serve the page by https, or from localhost.',
    )
  }
  const sum = new Uint8Array(await subtle.digest('SHA-256', bytes))
  return Array.from(sum, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function refused(why: string): AudileError {
  return invalidParameter(
    'soundModel',
    `is no file of the network that names sounds: ${why}; "audile model add" fetches it.`,
  )
}
