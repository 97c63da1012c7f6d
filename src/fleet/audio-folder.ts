import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { isOfEndedProcess, PROCESS_NAME } from '../kernel/process-name.ts'
import { invalidParameter, messageOf } from '../values/errors.ts'

const FOLDER_PREFIX = 'audile-fleet-'

/**
 * Also removes the folders of processes that ended without closing.
 * @param parent - default: the system's folder for temporary files
 * @throws {ParameterError} when none can be made there
 */
export async function makeAudioFolder(parent?: string): Promise<string> {
  const parentPath = resolve(parent ?? tmpdir())
  const names = await readdir(parentPath).catch(() => [])
  for (const name of names) {
    if (!name.startsWith(FOLDER_PREFIX) || !isOfEndedProcess(name.slice(FOLDER_PREFIX.length)))
      continue
    await rm(join(parentPath, name), { recursive: true, force: true }).catch(() => {})
  }
  try {
    return await mkdtemp(join(parentPath, `${FOLDER_PREFIX}${PROCESS_NAME}-`))
  } catch (error) {
    const remedy = 'give a folder that is there and may be written'
    throw invalidParameter('temporary', `${messageOf(error)}; ${remedy}`, { cause: error })
  }
}
