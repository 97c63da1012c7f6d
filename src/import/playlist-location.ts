import { existsSync } from 'node:fs'
import { resolve, win32 } from 'node:path'
import { decodeEscaped } from '../values/text.ts'

/** `scheme:/…`, `spotify:track:…`; one letter is a drive, and `Re: Stacks` is a name. */
const ADDRESS = /^[a-z][a-z0-9+.-]+:(?:[\\/]|[^\s:]+:\S)/i
const DRIVE = /^[a-z]:/i
const SHARE = /^(?:\\\\|\/\/)/
/** A text that can be a URI reference with percent escapes. */
const ESCAPED = /^(?=[^%]*%)(?:%[0-9a-f]{2}|[\w\-.~!$&'()*+,;=:@/?#[\]])+$/i

/** Whether a location of a playlist is an address: `http://…`, `file:///…`. */
export function isAddress(location: string): boolean {
  return ADDRESS.test(location)
}

/**
 * The path or address that a playlist means by a location. Addresses, drives and shares stay as they
 * are. Other paths are relative to the folder `base`; their separators may be those of Windows.
 *
 * @param isUri - whether the format has URIs. In other formats, a path with percent escapes is a URI
 * unless a file of that very name exists
 */
export function locationIn(
  base: string | undefined,
  location: string,
  { isUri }: { isUri: boolean },
): string {
  if (isAddress(location)) return location
  const reference = location.replace(/^file:/i, '')
  if (base !== undefined && isAddress(base)) return addressIn(base, reference)
  const written = pathIn(base, reference)
  const plain = ESCAPED.test(reference) ? decodeEscaped(reference) : undefined
  if (plain === undefined || plain === reference) return written
  return !isUri && existsSync(written) ? written : pathIn(base, plain)
}

function pathIn(base: string | undefined, path: string): string {
  if (DRIVE.test(path) || SHARE.test(path)) return path
  if (base !== undefined && (/^[a-z]:[\\/]/i.test(base) || base.startsWith('\\\\'))) {
    return win32.resolve(base, path)
  }
  // A path from the root with slashes is not of Windows, so a backslash in it is a character.
  if (path.startsWith('/')) return path
  const slashed = path.replaceAll('\\', '/')
  return slashed.startsWith('/') || base === undefined ? slashed : resolve(base, slashed)
}

/** The address of a location that is relative to the folder with the address `base`. */
function addressIn(base: string, location: string): string {
  const folder = base.endsWith('/') ? base : `${base}/`
  return joinedReference(folder, location)
}

/** A URI reference, resolved against the base (`xml:base`) that is written beside it. */
export function joinedReference(base: string, reference: string): string {
  if (base === '' || isAddress(reference) || DRIVE.test(reference) || SHARE.test(reference)) {
    return reference
  }
  if (isAddress(base) && URL.canParse(base)) {
    // In the name of a file, these signs begin no query and no fragment.
    const path = /^file:/i.test(base) ? reference.replace(/[?#]/g, encodeURIComponent) : reference
    return URL.canParse(path, base) ? new URL(path, base).href : reference
  }
  if (/^[\\/]/.test(reference)) return reference
  const end = Math.max(base.lastIndexOf('/'), base.lastIndexOf('\\')) + 1
  return base.slice(0, end) + reference
}
