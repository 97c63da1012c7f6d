import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { isOfEndedProcess, PROCESS_NAME } from '../kernel/process-name.ts'
import { invalidParameter, messageOf } from '../values/errors.ts'

const PREFIX = 'audile-fleet-'

/**
 * Makes a folder for audio while it is analysed, and removes those of processes that ended without
 * closing.
 *
 * @param given - the parent folder. Default: the system's folder for temporary files
 * @throws {ParameterError} when none can be made there
 */
export async function makeAudioFolder(given?: string): Promise<string> {
  const temporary = resolve(given ?? tmpdir())
  const names = await readdir(temporary).catch(() => [])
  for (const name of names) {
    if (!name.startsWith(PREFIX) || !isOfEndedProcess(name.slice(PREFIX.length))) continue
    await rm(join(temporary, name), { recursive: true, force: true }).catch(() => {})
  }
  try {
    return await mkdtemp(join(temporary, `${PREFIX}${PROCESS_NAME}-`))
  } catch (error) {
    const remedy = 'give a folder that is there and may be written'
    throw invalidParameter('temporary', `${messageOf(error)}; ${remedy}`, { cause: error })
  }
}
