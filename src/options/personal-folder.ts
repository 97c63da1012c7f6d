import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/**
 * The folder of the personal database, `audile.db`, and of installed networks, in the system's folder
 * for application data: one per user.
 *
 * @example
 * ```ts
 * import { Audile, personalFolder } from 'audile'
 *
 * const music = await Audile.open({ database: `${personalFolder()}/audile.db` })
 * ```
 */
export function personalFolder(
  platform: NodeJS.Platform = process.platform,
  env: NodeJS.ProcessEnv = process.env,
  home: string = homedir(),
): string {
  return join(dataFolder(platform, env, home), 'audile')
}

function dataFolder(platform: NodeJS.Platform, env: NodeJS.ProcessEnv, home: string): string {
  if (platform === 'win32') return env.LOCALAPPDATA ?? join(home, 'AppData', 'Local')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  // The XDG base directory specification: a relative path must be ignored.
  const named = env.XDG_DATA_HOME ?? ''
  return isAbsolute(named) ? named : join(home, '.local', 'share')
}
