// Paths of folders as a person types them.
import { readdir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve, sep } from 'node:path'

/** Names that are offered to complete a path. */
const MOST = 50

/** A path as typed, `~` being one's home. */
export function absolute(typed) {
  const path = typed.trim()
  return resolve(
    path === '~' || path.startsWith(`~${sep}`) || path.startsWith('~/')
      ? join(homedir(), path.slice(1))
      : path,
  )
}

/** The folder that most people keep their music in. */
export async function musicFolder() {
  const folder = join(homedir(), 'Music')
  const found = await stat(folder).catch(() => undefined)
  return found?.isDirectory() ? folder : ''
}

/** Folders whose paths begin as typed. */
export async function foldersUnder(typed) {
  if (typed.trim() === '') return []
  const path = absolute(typed)
  const parent = /[\\/]$/.test(typed) ? path : dirname(path)
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => join(parent, name))
    .filter((folder) => folder.toLowerCase().startsWith(path.toLowerCase()))
    .sort()
    .slice(0, MOST)
}
