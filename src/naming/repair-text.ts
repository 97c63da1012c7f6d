import { dictionary } from '../values/text.ts'

/**
 * Repairs a text that programs have damaged: UTF-8 that was read as Latin-1 (`MaÃ±oso`), and
 * entities of HTML (`Q &amp; A`). The result is in Unicode's composed form (NFC), so that the two
 * forms of a name are read alike.
 */
export function repaired(text: string): string {
  let whole = text.normalize('NFC')
  // Twice, because text that is damaged in one way may be damaged again in the other.
  for (let round = 0; round < 2; round++) {
    const before = whole
    if (whole.includes('&') && ENTITY.test(whole)) whole = whole.replace(ENTITIES, entity)
    if (MISREAD.test(whole)) whole = whole.replace(MISREADS, reread)
    // The second byte of à is a no-break space, which often becomes a space. MAÇÃ ends in a real Ã.
    if (whole.includes('Ã ')) whole = whole.replace(/(?<!\p{Lu})Ã /gu, 'à ')
    if (whole.endsWith('Ã')) whole = whole.replace(/(?<=\p{Ll})Ã$/u, 'à')
    if (whole === before) break
  }
  return whole
}

const ENTITY = /&(?:#\d{1,6}|#x[0-9a-f]{1,6}|[a-z]{2,6});/i
const ENTITIES = new RegExp(ENTITY.source, 'gi')
const NAMED = dictionary(
  `amp:& quot:" apos:' lt:< gt:> ndash:– mdash:— lsquo:‘ rsquo:’ ldquo:“ rdquo:” hellip:…`,
)

function entity(found: string): string {
  const name = found.slice(1, -1).toLowerCase()
  if (!name.startsWith('#')) return (name === 'nbsp' ? ' ' : NAMED[name]) ?? found
  const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : found
}

// The characters of the bytes 80 to 9f in Windows-1252.
const WINDOWS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'
const REST = `[\\x80-\\xbf${[...WINDOWS].filter((sign) => sign > '\xff').join('')}]`
const SEQUENCE = `(?:[Â-ß]${REST}|[à-ï]${REST}{2}|[ð-ô]${REST}{3})`
const MISREAD = new RegExp(SEQUENCE)
const MISREADS = new RegExp(`${SEQUENCE}(?:\\s*${SEQUENCE})*`, 'g')

function reread(run: string): string {
  const bytes = Uint8Array.from(run, (sign) =>
    sign > '\xff' ? 0x80 + WINDOWS.indexOf(sign) : sign.charCodeAt(0),
  )
  const text = new TextDecoder().decode(bytes).normalize('NFC')
  if (text.includes('\ufffd')) return run
  // A capital before a quotation mark looks the same (`CAFÉ’`), so a single character must be a likely one.
  return [...text].length > 1 || /[\xa0-\u017f\u0218-\u021b\u2010-\u203a€™]/u.test(text)
    ? text
    : run
}
