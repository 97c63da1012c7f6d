import { strToU8, zlibSync } from 'fflate/browser'
import { toBase64Url } from '../base64.ts'

/** Numbers as the published strings hold them: decimal, spaced, zlib, URL-safe base64. */
export function encodeNumbers(numbers: readonly number[]): string {
  return toBase64Url(zlibSync(strToU8(numbers.join(' '))))
}
