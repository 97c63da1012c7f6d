/** How many bytes of a document are looked at for what it says of its own encoding. */
const HEAD = 1024

/**
 * The text of a feed's bytes. A byte order mark decides; else what is valid UTF-8 is UTF-8, whatever
 * was said, for other encodings do not come out so by chance; else the `charset` of the
 * `Content-Type`, then the encoding of the XML declaration, then Windows-1252, which every byte has a
 * meaning in. Bytes that mean nothing become U+FFFD, signs that XML forbids are left out.
 */
export function decodeText(bytes: Uint8Array, contentType?: string): string {
  return withoutControls(new TextDecoder(encodingOf(bytes, contentType)).decode(bytes))
}

function encodingOf(bytes: Uint8Array, contentType = ''): string {
  const [a, b, c, d] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0 && d === 0)) return 'utf-16le'
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c && c === 0)) return 'utf-16be'
  const head = String.fromCharCode(...bytes.subarray(0, HEAD))
  const said = /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1]
  const declared = /^\s*<\?xml[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/i.exec(head)?.[1]
  const others = [said, declared].flatMap((label) => usable(label) ?? [])
  // Encodings of 7 bits are valid UTF-8 by their nature, and mean something else.
  const seven = others.find((name) => /^(?:iso-2022|hz)/.test(name))
  if (seven !== undefined) return seven
  if (isUtf8(bytes)) return 'utf-8'
  return others.find((name) => !/^utf-/.test(name)) ?? 'windows-1252'
}

/** The name of an encoding that this runtime knows, by any of its labels. */
function usable(label: string | undefined): string | undefined {
  if (label === undefined) return undefined
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
}
