import type { Nodes } from 'hast'
import type { Schema } from 'hast-util-sanitize'
import { escapeMarkup, singleSpaced } from '../values/text.ts'

interface ReadHtml {
  /** With text markup only: no scripts, styles, images, frames or forms, and no attributes except a link's. */
  html: string
  text: string
}

/** The most characters and tags of a text that are parsed, because parsing takes time. */
const MOST_CHARACTERS = 32_768
const MOST_TAGS = 2_000
const SUMMARY = 1_000

const SCHEMA: Schema = {
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

const UNREAD = new Set([...(SCHEMA.strip ?? []), 'math', 'head', 'object'])
const INLINE = new Set(
  'a abbr b cite code del em font i ins q s small span strong sub sup u'.split(' '),
)

/** Parses HTML as browsers do, and keeps the harmless part. */
export interface HtmlReader {
  /** Reads HTML and cuts it to the length of a summary; `base` resolves relative links. */
  read(html: string, base: string | undefined): ReadHtml
  textOf(html: string): string
}

/** Loads the packages that parse HTML, which are needed for feeds only. */
export async function htmlReader(): Promise<HtmlReader> {
  const [{ fromHtml }, { sanitize }, { toHtml }] = await Promise.all([
    import('hast-util-from-html'),
    import('hast-util-sanitize'),
    import('hast-util-to-html'),
  ])
  return {
    read(html, base) {
      try {
        const tree = fromHtml(bounded(html), { fragment: true })
        const text = singleSpaced(textOf(tree))
        cut(tree, SUMMARY)
        resolveLinks(tree, base)
        return { html: toHtml(sanitize(tree, SCHEMA)).trim(), text }
      } catch (error) {
        // Thousands of nested elements exceed the stack.
        if (!(error instanceof RangeError)) throw error
        const text = withoutTags(html)
        return { html: escapeMarkup(text.slice(0, SUMMARY)), text }
      }
    },
    textOf(html) {
      if (!/[<&]/.test(html)) return singleSpaced(html)
      try {
        return singleSpaced(textOf(fromHtml(bounded(html), { fragment: true })))
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
        return withoutTags(html)
      }
    },
  }
}

function bounded(html: string): string {
  let end = Math.min(html.length, MOST_CHARACTERS)
  let tags = 0
  for (let at = html.indexOf('<'); at >= 0 && at < end; at = html.indexOf('<', at + 1)) {
    if (++tags > MOST_TAGS) end = at
  }
  return html.slice(0, end)
}

function withoutTags(html: string): string {
  return singleSpaced(bounded(html).replace(/<[^<>]*>?/g, ' '))
}

/** The text in a node. Block elements separate words. */
function textOf(node: Nodes): string {
  if (node.type === 'text') return node.value
  if (!('children' in node)) return ''
  if (node.type === 'element' && UNREAD.has(node.tagName)) return ' '
  const text = node.children.map(textOf).join('')
  return node.type === 'element' && !INLINE.has(node.tagName) ? ` ${text} ` : text
}

/** Removes the last word of a text that was cut within it. */
export function wholeWords(text: string): string {
  const at = text.search(/\s\S*$/)
  return at < 0 ? text : text.slice(0, at).trimEnd()
}

/** Cuts a tree after `left` characters, at the end of a word. Returns the characters left over. */
function cut(node: Nodes, left: number): number {
  if (node.type === 'text') {
    if (node.value.length <= left) return left - node.value.length
    const piece = node.value.slice(0, left)
    node.value = `${wholeWords(piece)}…`
    return 0
  }
  if (!('children' in node)) return left
  if (node.type === 'element' && UNREAD.has(node.tagName)) return left
  let rest = left
  for (const [place, child] of node.children.entries()) {
    if (rest === 0) {
      node.children.length = place
      break
    }
    rest = cut(child, rest)
  }
  return rest
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
