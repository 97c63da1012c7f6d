import type { Nodes } from 'hast'
import type { Schema } from 'hast-util-sanitize'
import { escapeMarkup, singleSpaced } from '../values/text.ts'

interface ReadHtml {
  /**
   * Text markup only: no scripts, styles, images, frames or forms, and no attributes except a
   * link's.
   */
  html: string
  text: string
}

/** Of a text that is parsed, because parsing takes time. */
const MAX_HTML_CHARACTERS = 32_768
const MAX_HTML_TAGS = 2_000
const MAX_SUMMARY_CHARACTERS = 1_000

const SANITIZE_SCHEMA: Schema = {
  tagNames: [
    ...['a', 'abbr', 'b', 'blockquote', 'br', 'cite', 'code', 'dd', 'del', 'div', 'dl', 'dt'],
    ...['em', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'i', 'ins', 'li', 'ol', 'p', 'pre', 'q'],
    ...['s', 'small', 'span', 'strong', 'sub', 'sup', 'u', 'ul'],
  ],
  attributes: { a: ['href', 'title'] },
  protocols: { href: ['http', 'https', 'mailto'] },
  strip: 'script style template title textarea select noscript iframe svg'.split(' '),
  clobber: [],
}

const UNREAD_TAGS = new Set([...(SANITIZE_SCHEMA.strip ?? []), 'math', 'head', 'object'])
const INLINE_TAGS = new Set(
  'a abbr b cite code del em font i ins q s small span strong sub sup u'.split(' '),
)

/** Parses as browsers do, and keeps the harmless part. */
export interface HtmlReader {
  /** Cuts it to the length of a summary; `base` resolves relative links. */
  read(html: string, base: string | undefined): ReadHtml
  textOf(html: string): string
}

/** Loads packages that are needed for feeds only. */
export async function openHtmlReader(): Promise<HtmlReader> {
  const [{ fromHtml }, { sanitize }, { toHtml }] = await Promise.all([
    import('hast-util-from-html'),
    import('hast-util-sanitize'),
    import('hast-util-to-html'),
  ])
  return {
    read(html, base) {
      try {
        const tree = fromHtml(limitHtml(html), { fragment: true })
        const text = singleSpaced(nodeText(tree))
        cutTree(tree, MAX_SUMMARY_CHARACTERS)
        resolveLinks(tree, base)
        return { html: toHtml(sanitize(tree, SANITIZE_SCHEMA)).trim(), text }
      } catch (error) {
        // Thousands of nested elements exceed the stack.
        if (!(error instanceof RangeError)) throw error
        const text = withoutTags(html)
        return { html: escapeMarkup(text.slice(0, MAX_SUMMARY_CHARACTERS)), text }
      }
    },
    textOf(html) {
      if (!/[<&]/.test(html)) return singleSpaced(html)
      try {
        return singleSpaced(nodeText(fromHtml(limitHtml(html), { fragment: true })))
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
        return withoutTags(html)
      }
    },
  }
}

function limitHtml(html: string): string {
  let end = Math.min(html.length, MAX_HTML_CHARACTERS)
  let tags = 0
  for (
    let position = html.indexOf('<');
    position >= 0 && position < end;
    position = html.indexOf('<', position + 1)
  ) {
    if (++tags > MAX_HTML_TAGS) end = position
  }
  return html.slice(0, end)
}

function withoutTags(html: string): string {
  return singleSpaced(limitHtml(html).replace(/<[^<>]*>?/g, ' '))
}

/** Block elements separate words. */
function nodeText(node: Nodes): string {
  if (node.type === 'text') return node.value
  if (!('children' in node)) return ''
  if (node.type === 'element' && UNREAD_TAGS.has(node.tagName)) return ' '
  const text = node.children.map(nodeText).join('')
  return node.type === 'element' && !INLINE_TAGS.has(node.tagName) ? ` ${text} ` : text
}

/** The last word was cut within it. */
export function dropLastWord(text: string): string {
  const lastSpace = text.search(/\s\S*$/)
  return lastSpace < 0 ? text : text.slice(0, lastSpace).trimEnd()
}

/** At the end of a word; returns the characters left over. */
function cutTree(node: Nodes, maxCharacters: number): number {
  if (node.type === 'text') {
    if (node.value.length <= maxCharacters) return maxCharacters - node.value.length
    const piece = node.value.slice(0, maxCharacters)
    node.value = `${dropLastWord(piece)}…`
    return 0
  }
  if (!('children' in node)) return maxCharacters
  if (node.type === 'element' && UNREAD_TAGS.has(node.tagName)) return maxCharacters
  let remaining = maxCharacters
  for (const [place, child] of node.children.entries()) {
    if (remaining === 0) {
      node.children.length = place
      break
    }
    remaining = cutTree(child, remaining)
  }
  return remaining
}

function resolveLinks(node: Nodes, base: string | undefined): void {
  if (!('children' in node)) return
  if (node.type === 'element' && node.tagName === 'a') {
    const { href } = node.properties
    const url =
      typeof href === 'string' && URL.canParse(href, base) ? new URL(href, base) : undefined
    node.properties.href = url?.href
  }
  for (const child of node.children) resolveLinks(child, base)
}
