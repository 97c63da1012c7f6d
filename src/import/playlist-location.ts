import { existsSync } from 'node:fs'
import { resolve, win32 } from 'node:path'
import { decodeEscaped } from '../values/text.ts'

/** `scheme:/…`, `spotify:track:…`; one letter is a drive, and `Re: Stacks` is a name. */
const ADDRESS_START = /^[a-z][a-z0-9+.-]+:(?:[\\/]|[^\s:]+:\S)/i
const WINDOWS_DRIVE = /^[a-z]:/i
const WINDOWS_SHARE = /^(?:\\\\|\/\/)/
/** It may have percent escapes. */
const ESCAPED_REFERENCE = /^(?=[^%]*%)(?:%[0-9a-f]{2}|[\w\-.~!$&'()*+,;=:@/?#[\]])+$/i

/** `http://…`, `file:///…`. */
export function isAddress(location: string): boolean {
  return ADDRESS_START.test(location)
}

/**
 * Addresses, drives and shares stay; other paths are relative to `base`, also with separators of
 * Windows.
 *
 * @param isUri - in other formats, a path with percent escapes is a URI unless such a file exists
 */
export function resolveLocation(
  base: string | undefined,
  location: string,
  { isUri }: { isUri: boolean },
): string {
  if (isAddress(location)) return location
  const reference = location.replace(/^file:/i, '')
  if (base !== undefined && isAddress(base)) return addressInFolder(base, reference)
  const writtenPath = pathInFolder(base, reference)
  const decodedReference = ESCAPED_REFERENCE.test(reference) ? decodeEscaped(reference) : undefined
  if (decodedReference === undefined || decodedReference === reference) return writtenPath
  return !isUri && existsSync(writtenPath) ? writtenPath : pathInFolder(base, decodedReference)
}

function pathInFolder(base: string | undefined, path: string): string {
  if (WINDOWS_DRIVE.test(path) || WINDOWS_SHARE.test(path)) return path
  if (base !== undefined && (/^[a-z]:[\\/]/i.test(base) || base.startsWith('\\\\'))) {
    return win32.resolve(base, path)
  }
  // On other systems than Windows, a backslash is a character.
  if (path.startsWith('/')) return path
  const slashedPath = path.replaceAll('\\', '/')
  return slashedPath.startsWith('/') || base === undefined
    ? slashedPath
    : resolve(base, slashedPath)
}

/** `base` is the address of a folder. */
function addressInFolder(base: string, location: string): string {
  const folder = base.endsWith('/') ? base : `${base}/`
  return joinedReference(folder, location)
}

/** Against the `xml:base` that is written beside it. */
export function joinedReference(base: string, reference: string): string {
  if (
    base === '' ||
    isAddress(reference) ||
    WINDOWS_DRIVE.test(reference) ||
    WINDOWS_SHARE.test(reference)
  ) {
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
