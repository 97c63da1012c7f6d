import { createHash } from 'node:crypto'

/** The MD5 of a text or of bytes, as 32 hexadecimal digits: a key, not for security. */
export function md5(data: string | Uint8Array): string {
  return createHash('md5').update(data).digest('hex')
}
