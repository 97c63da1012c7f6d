// Bundles the page that analyses audio in a browser: node examples/browser/build.mjs [FOLDER]
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const PAGE = fileURLToPath(new URL('./page/', import.meta.url))

/**
 * The files of the page, to be served by anything that serves files.
 *
 * @returns {Promise<Map<string, Uint8Array>>} by name
 */
export async function pageFiles() {
  const { outputFiles } = await build({
    entryPoints: ['app.mjs', 'worker.mjs', 'style.css'].map((name) => join(PAGE, name)),
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    outdir: PAGE,
    outExtension: { '.js': '.mjs' },
    write: false,
  })
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]))
  files.set('index.html', await readFile(join(PAGE, 'index.html')))
  // The name of the cache tells the version: visitors get changed files at their next visit.
  const sum = createHash('sha256')
  for (const contents of files.values()) sum.update(contents)
  const text = await readFile(join(PAGE, 'service-worker.js'), 'utf8')
  const version = `'audile-page-${sum.digest('hex').slice(0, 12)}'`
  return files.set('service-worker.js', Buffer.from(text.replace("'audile-page'", version)))
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const folder = resolve(process.argv[2] ?? 'browser-page')
  await mkdir(folder, { recursive: true })
  for (const [name, contents] of await pageFiles()) await writeFile(join(folder, name), contents)
  console.log(`${folder}: serve it with anything, over https or from localhost.`)
}
