// The files of the page, by the paths under which they are served: there are no others.
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'

const FOLDER = new URL('./page/', import.meta.url)
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
}

/** @type {ReadonlyMap<string, { type: string, bytes: Buffer }>} */
export const pages = new Map(
  readdirSync(FOLDER)
    .filter((name) => extname(name) in TYPES)
    .map((name) => [
      name === 'index.html' ? '/' : `/${name}`,
      { type: TYPES[extname(name)], bytes: readFileSync(new URL(name, FOLDER)) },
    ]),
)
