import { readdir } from 'node:fs/promises'
import { dirname, join, parse } from 'node:path'

/** Node puts it in place of the bytes of a name that are no UTF-8; with it, no file is found. */
const REPLACEMENT_SIGN = '\ufffd'

/** One of the path's names is no UTF-8, as on old disks; undefined when that is not the reason. */
export async function explainMisnaming(path: string): Promise<string | undefined> {
  if (!path.includes(REPLACEMENT_SIGN)) return undefined
  const replacedPath = firstReplaced(path)
  const names = await readdir(dirname(replacedPath), { encoding: 'buffer' }).catch(() => [])
  const baseName = parse(replacedPath).base
  const misnamedFiles = names.filter((name) => name.toString() === baseName && !isUtf8(name))
  if (misnamedFiles.length === 0) return undefined
  const quotedNames = misnamedFiles.map((name) => `"${withEscapes(name)}"`).join(' and ')
  return (
    `the name ${quotedNames} in ${dirname(replacedPath)} is not in UTF-8, and only names in UTF-8 can be opened; ` +
    'rename it, for example with convmv'
  )
}

/** Up to the first name with a replaced byte. */
function firstReplaced(path: string): string {
  let replacedPath = path
  while (dirname(replacedPath).includes(REPLACEMENT_SIGN)) replacedPath = dirname(replacedPath)
  return join(replacedPath)
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
