// Makes the page of the jukebox: one file with its styles and scripts inside, which needs no network.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { json } from '../report/html.mjs'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))

/** @param {import('./song.mjs').Song} [song] what it shows; without one it asks for a file */
export async function jukeboxPage(song) {
  const [text, style, script, worker] = await Promise.all([
    readFile(here('page/index.html'), 'utf8'),
    bundled('page/style.css'),
    bundled('page/app.mjs'),
    bundled('../browser/page/worker.mjs', 'iife'),
  ])
  return text
    .replace('<style></style>', () => `<style>${style}</style>`)
    .replace('id="data">null<', () => `id="data">${json(song ?? null)}<`)
    .replace('id="worker"><', () => `id="worker">${worker}<`)
    .replace('<script type="module"><', () => `<script type="module">${script}<`)
}

async function bundled(entry, format = 'esm') {
  const { outputFiles } = await build({
    entryPoints: [here(entry)],
    bundle: true,
    minify: true,
    platform: 'browser',
    format,
    target: 'es2022',
    write: false,
  })
  return outputFiles[0].text
}
