import { readdir } from 'node:fs/promises'
import { dirname, join, parse } from 'node:path'

/** What Node puts in place of the bytes of a name that are no UTF-8; with it, no file is found. */
const REPLACED = '\ufffd'

/**
 * Why nothing is found at a path although it is there: one of its names is no UTF-8, as on old
 * disks. Undefined when that is not the reason.
 */
export async function misnaming(path: string): Promise<string | undefined> {
  if (!path.includes(REPLACED)) return undefined
  const named = firstReplaced(path)
  const names = await readdir(dirname(named), { encoding: 'buffer' }).catch(() => [])
  const wanted = parse(named).base
  const misnamedFiles = names.filter((name) => name.toString() === wanted && !isUtf8(name))
  if (misnamedFiles.length === 0) return undefined
  const shown = misnamedFiles.map((name) => `"${withEscapes(name)}"`).join(' and ')
  return (
    `the name ${shown} in ${dirname(named)} is not in UTF-8, and only names in UTF-8 can be opened; ` +
    'rename it, for example with convmv'
  )
}

/** The path up to its first name with a replaced byte. */
function firstReplaced(path: string): string {
  let named = path
  while (dirname(named).includes(REPLACED)) named = dirname(named)
  return join(named)
}

function isUtf8(name: Uint8Array): boolean {
  return Buffer.from(Buffer.from(name).toString()).equals(name)
}

/** ASCII as it is, other bytes as `\xdf`. */
function withEscapes(name: Uint8Array): string {
  return Buffer.from(name)
    .toString('latin1')
    .replace(/[^ -~]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
