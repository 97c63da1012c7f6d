/** Bytes at the start of a document that are searched for its declared encoding. */
const HEAD = 1024

/**
 * The text of a feed's bytes. The encoding is that of the byte order mark; else UTF-8 if the bytes are
 * valid UTF-8, whatever was declared, as text in another encoding is hardly ever valid; else the
 * `charset` of the `Content-Type`; else that of the XML declaration; else Windows-1252, in which every
 * byte is valid. Invalid bytes become U+FFFD; characters that XML forbids are removed.
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
  // Text in a 7-bit encoding is always valid UTF-8, with another meaning.
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
