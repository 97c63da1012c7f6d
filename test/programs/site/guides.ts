import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

/** A page of the site that is written by hand. */
export interface Guide {
  /** The path of its Markdown on the site: `player/index.md`. */
  page: string
  title: string
  /** Its Markdown, with the links of the site. */
  text: string
}

const EXAMPLES = 'examples'

/** The guides of `examples/`. A README is the first page of its folder, that of all is `guides.md`. */
export function guides(root: string): Guide[] {
  const files = namesIn(root).filter((name) => name.endsWith('.md'))
  return files.map((name) => {
    const text = readFileSync(join(root, EXAMPLES, name), 'utf8')
    const page = pageOf(name)
    return { page, title: /^# (.+)$/m.exec(text)?.[1] ?? name, text: linked(text, name) }
  })
}

/** The files that guides link to and that are no guides: programs and pictures. */
export function linkedFiles(root: string): { file: string; path: string }[] {
  const names = namesIn(root)
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) => targetsOf(readFileSync(join(root, EXAMPLES, name), 'utf8'), name))
    .filter((target) => !target.endsWith('.md'))
  return [...new Set(names)].map((name) => ({
    file: join(root, EXAMPLES, name),
    path: publishedPath(name),
  }))
}

function targetsOf(text: string, name: string): string[] {
  return [...text.matchAll(LINK)].flatMap(([, , target = '']) => {
    if (isElsewhere(target)) return []
    return posix.normalize(posix.join(dirname(name), target.split('#')[0] ?? ''))
  })
}

const LINK = /(!?)\]\(([^)\s]+)\)/g

/** Where a file lies on the site. VitePress takes a name without a usual ending for a page, so that gets `.txt`. */
function publishedPath(name: string): string {
  return `programs/${name}${/\.(?:[mc]?js|png|ya?ml)$/.test(name) ? '' : '.txt'}`
}

function isElsewhere(target: string): boolean {
  return /^[a-z]+:|^#/.test(target)
}

function namesIn(root: string): string[] {
  return readdirSync(join(root, EXAMPLES), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /\.\w+$/.test(name))
    .sort()
}

function pageOf(name: string): string {
  if (name === 'README.md') return 'guides.md'
  return name.replace(/README\.md$/, 'index.md')
}

/** Links between guides become links between pages; links to programs lead to their copies. */
function linked(text: string, name: string): string {
  return text.replaceAll(LINK, (whole, picture: string, target: string) => {
    if (isElsewhere(target)) return whole
    const [path = '', hash] = target.split('#')
    const absolute = posix.normalize(posix.join(dirname(name), path))
    const to = `/${absolute.endsWith('.md') ? pageOf(absolute) : publishedPath(absolute)}`
    return `${picture}](${to}${hash === undefined ? '' : `#${hash}`})`
  })
}
