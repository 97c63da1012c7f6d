/** The characters that XML 1.0 cannot hold, not even escaped; and halves of pairs. */
const IMPOSSIBLE = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

const NAMES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Text for an element or an attribute. White space keeps its kind; impossible characters go. */
export function escaped(text: string): string {
  return text
    .replaceAll(IMPOSSIBLE, '')
    .replaceAll(/[&<>"'\t\n\r]/g, (sign) => NAMES[sign] ?? `&#${sign.charCodeAt(0)};`)
}

/** An element. Attributes that are not known are left out. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>>,
  ...content: readonly string[]
): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escaped(String(value))}"`)
  return `<${name}${written.join('')}>${content.join('')}</${name}>`
}

export const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
