import { createHash } from 'node:crypto'

/** As 32 hexadecimal digits: a key, not for security. */
export function md5(data: string | Uint8Array): string {
  return createHash('md5').update(data).digest('hex')
}
