/** XML 1.0 cannot hold them, not even escaped. */
const IMPOSSIBLE_CHARACTERS = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

const ENTITY_NAMES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** White space keeps its kind; impossible characters go. */
export function escapeXmlText(text: string): string {
  return text
    .replaceAll(IMPOSSIBLE_CHARACTERS, '')
    .replaceAll(/[&<>"'\t\n\r]/g, (sign) => ENTITY_NAMES[sign] ?? `&#${sign.charCodeAt(0)};`)
}

/** Unknown attributes are left out. */
export function xmlElement(
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>>,
  ...content: readonly string[]
): string {
  const writtenAttributes = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escapeXmlText(String(value))}"`)
  return `<${name}${writtenAttributes.join('')}>${content.join('')}</${name}>`
}

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
