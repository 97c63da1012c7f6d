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
const files = new Map(names.map((name) => [name, readFileSync(new URL(name, FOLDER), 'utf8')]))

/** A module with all that it imports, and they import. */
function withImports(name) {
  const imported = files.get(name).matchAll(/^(?:import|\}) .*from '\.\/(.*)'$/gm)
  return [name, ...[...imported].flatMap(([, other]) => withImports(other))]
}

// What shows the first rows is asked for at once, not each when another one names it, and the
// styles are one file: on a small machine each request takes milliseconds.
const modules = new Set(withImports('first-rows.mjs'))
const links = [...modules].map((name) => `<link rel="modulepreload" href="/${name}">`).join('')
const STYLES = /(?: *<link rel="stylesheet" .*\n)+/
const index = files.get('index.html')
const styles = [...index.match(STYLES)[0].matchAll(/href="\/(.*)"/g)].map(([, name]) =>
  files.get(name),
)
files.set('styles.css', styles.join(''))
const head = `<link rel="stylesheet" href="/styles.css">${links}`
// The server ends the page with its first rows.
files.set('', index.replace(STYLES, head).replace(/ *<\/body>\s*<\/html>\s*$/, ''))

/** @type {ReadonlyMap<string, { type: string, bytes: Buffer }>} */
export const pages = new Map(
  [...files].map(([name, text]) => [
    `/${name}`,
    { type: TYPES[extname(name || 'index.html')], bytes: Buffer.from(text) },
  ]),
)
