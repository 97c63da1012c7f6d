const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Encodes bytes as padded base64url. */
export function toBase64Url(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 3) {
    const left = bytes.length - i
    const three = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0)
    text += DIGITS[three >> 18]! + DIGITS[(three >> 12) & 63]!
    text += left > 1 ? DIGITS[(three >> 6) & 63]! : '='
    text += left > 2 ? DIGITS[three & 63]! : '='
  }
  return text
}

/** Decodes base64 with the standard alphabet; white space is ignored. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
