import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createRequest, openDownload } from '../kernel/download.ts'
import { installedModelPath } from '../options/sound-model-option.ts'
import { SOUND_MODEL } from '../sounds/known-model.ts'
import { readSoundModel, requireSize } from '../sounds/sound-model.ts'
import { AudileError, messageOf, ParameterError } from '../values/errors.ts'
import { absolutePath, type FilePath, plainPath } from '../values/file-path.ts'
import { LocalHost } from './host.ts'

/** A network that names sounds, as `audile model add` installs it. */
export interface SoundModel {
  /** `yamnet` */
  name: string
  /** Where its file is, or would be. */
  path: string
  /** Whether the file is there. */
  installed: boolean
  /** Bytes of the file. */
  bytes: number
  /** SHA-256 of the file, hexadecimal. */
  sha256: string
  /** The address that it comes from. */
  source: string
  /** The licence of the network. */
  license: string
}

/** Where a network comes from. */
export interface AddSoundModel {
  /** A file, or another http or https address of the same file. Default: its source. */
  from?: FilePath | undefined
  /** Aborts the download. */
  signal?: AbortSignal | undefined
  /** The `fetch` that downloads. Default: the global one. */
  fetch?: typeof fetch | undefined
}

/** What a file must be: the known network. Tests install others. */
export type ExpectedModel = Pick<typeof SOUND_MODEL, 'url'> & { bytes: number; sha256: string }

/** Seconds in which the download must end. */
const SECONDS = 600

/**
 * Fetches the network that names sounds, checks its size and SHA-256, and keeps it beside the personal
 * database, where `soundModel: 'installed'` finds it. The command `audile model add` does the same.
 *
 * @throws {ParameterError} when the file is another one, damaged or cut; nothing is kept then
 * @throws {AudileError} `internal` when it cannot be downloaded
 *
 * @example
 * ```ts
 * import { addSoundModel, Audile } from 'audile'
 *
 * await addSoundModel()
 * const music = await Audile.open({ database: 'music.db', soundModel: 'installed' })
 * ```
 */
export function addSoundModel(options: AddSoundModel = {}): Promise<SoundModel> {
  return installModel(options, { ...SOUND_MODEL }, installedModelPath())
}

/** As {@link addSoundModel}, for a file at another path. */
export async function installModel(
  { from, signal, fetch = globalThis.fetch }: AddSoundModel,
  expected: ExpectedModel,
  path: string,
): Promise<SoundModel> {
  const source = from === undefined ? expected.url : plainPath(from)
  const until = signal ?? new AbortController().signal
  const bytes = /^https?:/i.test(source)
    ? await download(source, { fetch, signal: until, expected })
    : await readModelFile(absolutePath(source, 'from'))
  await readSoundModel(bytes, expected.sha256)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const unfinished = `${path}.${randomUUID()}.part`
  try {
    await writeFile(unfinished, bytes)
    await rename(unfinished, path)
  } finally {
    await rm(unfinished, { force: true })
  }
  return { ...described(path, expected), installed: true }
}

/**
 * The networks that audile knows, and whether they are installed.
 *
 * @example
 * ```ts
 * import { soundModels } from 'audile'
 *
 * for (const { name, installed, path } of await soundModels()) console.log(name, installed, path)
 * ```
 */
export async function soundModels(): Promise<SoundModel[]> {
  const path = installedModelPath()
  const info = await stat(path).catch(() => undefined)
  return [{ ...described(path, SOUND_MODEL), installed: info?.size === SOUND_MODEL.bytes }]
}

/**
 * Removes the installed network. What it heard stays in the databases.
 *
 * @returns whether there was one
 *
 * @example
 * ```ts
 * import { removeSoundModel } from 'audile'
 *
 * console.log(await removeSoundModel())
 * ```
 */
export async function removeSoundModel(): Promise<boolean> {
  try {
    await rm(installedModelPath())
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

function described(path: string, { url, bytes, sha256 }: ExpectedModel) {
  const { name, license } = SOUND_MODEL
  return { name, path, bytes, sha256, source: url, license }
}

async function readModelFile(path: string): Promise<Uint8Array> {
  try {
    requireSize((await stat(path)).size)
    return await readFile(path)
  } catch (error) {
    if (error instanceof AudileError) throw error
    const message = `from - Invalid parameter: ${path} cannot be read: ${messageOf(error)}`
    throw new ParameterError('invalid_parameter', message, { cause: error })
  }
}

async function download(
  url: string,
  {
    fetch,
    signal,
    expected,
  }: { fetch: typeof globalThis.fetch; signal: AbortSignal; expected: ExpectedModel },
): Promise<Uint8Array> {
  const remedy = 'get the file in another way, and add it by its path'
  const failed = (why: string) =>
    new AudileError('internal', `The network cannot be fetched from ${url}: ${why}; ${remedy}.`)
  const host = new LocalHost({ fetch, logger: {} })
  const opened = await openDownload(url, {
    signal,
    request: createRequest(host),
    time: { seconds: SECONDS, error: () => failed(`it took longer than ${SECONDS} s`) },
    size: {
      bytes: expected.bytes,
      error: () => failed(`it has more than the ${expected.bytes} bytes of the network`),
    },
    failure: (why) => failed(why),
  })
  try {
    const bytes = new Uint8Array(expected.bytes)
    let length = 0
    for await (const piece of opened.bytes) {
      bytes.set(piece, length)
      length += piece.length
    }
    return bytes.subarray(0, length)
  } finally {
    await opened.close()
    host.close()
  }
}
