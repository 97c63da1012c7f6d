import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What pages of a built site refer to and the site does not have: `page: link`. */
export function deadLinks(site: string, base: string): string[] {
  const pages = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  )
  const texts = new Map(pages.map((name) => [name, readFileSync(join(site, name), 'utf8')]))
  const dead: string[] = []
  for (const [name, text] of texts) {
    for (const [, link = ''] of text.matchAll(/\s(?:href|src)="([^"]+)"/g)) {
      if (/^(?:[a-z]+:|\/\/)/.test(link)) continue
      const [path = '', hash] = decodeURI(link).split('#')
      const target = path === '' ? name : fileOf(site, path, { name, base })
      const isThere = target !== undefined && hasAnchor(texts.get(target), hash)
      if (!isThere) dead.push(`${name}: ${link}`)
    }
  }
  return dead
}

/** The file of a link, relative to the site. */
function fileOf(
  site: string,
  path: string,
  { name, base }: { name: string; base: string },
): string | undefined {
  const local = path.startsWith('/')
    ? path.replace(base, '')
    : join(dirname(name), path.replace(/^\.\//, ''))
  const files = [local, `${local}.html`, join(local, 'index.html')]
  return files.find((file) => existsSync(join(site, file)) && statSync(join(site, file)).isFile())
}

function hasAnchor(page: string | undefined, hash: string | undefined): boolean {
  if (hash === undefined || hash === '' || page === undefined) return true
  return page.includes(`id="${hash}"`) || page.includes(`id="${hash.toLowerCase()}"`)
}
