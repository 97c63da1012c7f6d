// The files of the page, by the paths under which they are served: there are no others.
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'

const FOLDER = new URL('./page/', import.meta.url)
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
}

const names = readdirSync(FOLDER).filter((name) => extname(name) in TYPES)
/** All modules are asked for at once, not each when another one names it. */
const modules = names.filter((name) => extname(name) === '.mjs')
const links = modules.map((name) => `<link rel="modulepreload" href="/${name}">`).join('')

function bytesOf(name) {
  const bytes = readFileSync(new URL(name, FOLDER))
  return name === 'index.html'
    ? Buffer.from(String(bytes).replace('</head>', `${links}</head>`))
    : bytes
}

/** @type {ReadonlyMap<string, { type: string, bytes: Buffer }>} */
export const pages = new Map(
  names.map((name) => [
    name === 'index.html' ? '/' : `/${name}`,
    { type: TYPES[extname(name)], bytes: bytesOf(name) },
  ]),
)
