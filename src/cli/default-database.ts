import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/**
 * The database of a call that names none: one per user, in the system's folder for data of programs.
 * The current folder would not do, as every folder would get its own database.
 */
export function defaultDatabase(
  platform: NodeJS.Platform = process.platform,
  env: NodeJS.ProcessEnv = process.env,
  home = homedir(),
): string {
  return join(dataFolder(platform, env, home), 'audile', 'audile.db')
}

function dataFolder(platform: NodeJS.Platform, env: NodeJS.ProcessEnv, home: string): string {
  if (platform === 'win32') return env.LOCALAPPDATA ?? join(home, 'AppData', 'Local')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  // The XDG base directory specification: a relative path is to be ignored.
  const named = env.XDG_DATA_HOME ?? ''
  return isAbsolute(named) ? named : join(home, '.local', 'share')
}
