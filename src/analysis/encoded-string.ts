import { deflateSync } from 'node:zlib'

/** Numbers as the published strings hold them: decimal, spaced, zlib, URL-safe base64. */
export function encodeNumbers(numbers: readonly number[]): string {
  const compressed = deflateSync(numbers.join(' '))
  return compressed.toString('base64').replaceAll('+', '-').replaceAll('/', '_')
}
