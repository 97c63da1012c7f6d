import { dictionary } from '../values/text.ts'

/** Repairs UTF-8 that was read as Latin-1 (`MaÃ±oso`) and entities of HTML; the result is NFC. */
export function repairedText(text: string): string {
  let repaired = text.normalize('NFC')
  // A text that is damaged in one way may be damaged again in the other.
  for (let round = 0; round < 2; round++) {
    const previous = repaired
    if (repaired.includes('&') && HTML_ENTITY.test(repaired))
      repaired = repaired.replace(HTML_ENTITIES, entityCharacter)
    if (MISREAD_TEXT.test(repaired)) repaired = repaired.replace(MISREAD_TEXTS, rereadAsUtf8)
    // The no-break space in à often becomes a space; MAÇÃ ends in a real Ã.
    if (repaired.includes('Ã ')) repaired = repaired.replace(/(?<!\p{Lu})Ã /gu, 'à ')
    if (repaired.endsWith('Ã')) repaired = repaired.replace(/(?<=\p{Ll})Ã$/u, 'à')
    if (repaired === previous) break
  }
  return repaired
}

const HTML_ENTITY = /&(?:#\d{1,6}|#x[0-9a-f]{1,6}|[a-z]{2,6});/i
const HTML_ENTITIES = new RegExp(HTML_ENTITY.source, 'gi')
const NAMED_ENTITIES = dictionary(
  `amp:& quot:" apos:' lt:< gt:> ndash:– mdash:— lsquo:‘ rsquo:’ ldquo:“ rdquo:” hellip:…`,
)

function entityCharacter(entity: string): string {
  const name = entity.slice(1, -1).toLowerCase()
  if (!name.startsWith('#')) return (name === 'nbsp' ? ' ' : NAMED_ENTITIES[name]) ?? entity
  const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity
}

// The characters of the bytes 80 to 9f in Windows-1252.
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'
const NEXT_BYTE = `[\\x80-\\xbf${[...WINDOWS_1252].filter((sign) => sign > '\xff').join('')}]`
const MISREAD_CHARACTER = `(?:[Â-ß]${NEXT_BYTE}|[à-ï]${NEXT_BYTE}{2}|[ð-ô]${NEXT_BYTE}{3})`
const MISREAD_TEXT = new RegExp(MISREAD_CHARACTER)
const MISREAD_TEXTS = new RegExp(`${MISREAD_CHARACTER}(?:\\s*${MISREAD_CHARACTER})*`, 'g')

function rereadAsUtf8(run: string): string {
  const bytes = Uint8Array.from(run, (sign) =>
    sign > '\xff' ? 0x80 + WINDOWS_1252.indexOf(sign) : sign.charCodeAt(0),
  )
  const text = new TextDecoder().decode(bytes).normalize('NFC')
  if (text.includes('\ufffd')) return run
  // A capital before a quotation mark looks the same (`CAFÉ’`).
  return [...text].length > 1 || /[\xa0-\u017f\u0218-\u021b\u2010-\u203a€™]/u.test(text)
    ? text
    : run
}
