// Answers the old protocol at audile://api/v4/ in an Electron app, and opens a window that asks it: npx electron examples/electron/main.mjs
// @ts-check
import { join } from 'node:path'
import { Audile } from 'audile'
import { createHandler } from 'audile/wire'

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>audile</title>
<script type="module" src="/page.mjs"></script>
<h1>Your songs, slowest first</h1>
<label>Add audio files <input type="file" accept="audio/*" multiple></label>
<p role="status"></p>
<ol></ol>
`

// What the window runs: the old protocol's own paths and names, by fetch.
const SCRIPT = `
const status = document.querySelector('p')

async function ask(path, parameters, options) {
  const query = new URLSearchParams({ api_key: 'local', ...parameters })
  const response = await fetch('audile://api/v4/' + path + '?' + query, options)
  const { status, ...data } = (await response.json()).response
  if (status.code !== 0) throw new Error(status.message)
  return data
}

async function show() {
  const { songs } = await ask('song/search', { sort: 'tempo-asc', bucket: 'audio_summary', results: 100 })
  const lines = songs.map(({ title, artist_name = 'unknown artist', audio_summary }) => {
    const line = document.createElement('li')
    line.textContent = artist_name + ' – ' + title + ', ' + (audio_summary?.tempo ?? 0).toFixed(1) + ' BPM'
    return line
  })
  document.querySelector('ol').replaceChildren(...lines)
}

document.querySelector('input').addEventListener('change', async ({ target }) => {
  for (const file of target.files) {
    status.textContent = 'Listening to ' + file.name + ' …'
    const filetype = file.name.split('.').pop().toLowerCase()
    const headers = { 'content-type': 'application/octet-stream' }
    await ask('track/upload', { filetype, wait: true }, { method: 'POST', headers, body: file })
      .then(show)
      .then(() => (status.textContent = ''), (error) => (status.textContent = file.name + ': ' + error.message))
  }
})
show().catch((error) => (status.textContent = error.message))
`

/** What the scheme may do: be an origin of its own, and be fetched from. */
export const SCHEME = {
  scheme: 'audile',
  privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true },
}

/**
 * Has audile:// answered: the page at audile://api/, the old protocol at audile://api/v4/. No port is
 * open, and only windows of this app can ask.
 *
 * @param {Pick<import('electron').Protocol, 'handle'>} protocol
 * @param {Audile} music
 */
export function serve(protocol, music) {
  const handle = createHandler(music, { onError: console.error })
  const parts = new Map([
    ['/', { body: PAGE, type: 'text/html; charset=utf-8' }],
    ['/page.mjs', { body: SCRIPT, type: 'text/javascript; charset=utf-8' }],
  ])
  protocol.handle(SCHEME.scheme, (request) => {
    const { host, pathname, search } = new URL(request.url)
    if (host !== 'api') return new Response('There is nothing here.', { status: 404 })
    const part = parts.get(pathname)
    if (part) {
      const headers = { 'content-type': part.type, 'content-security-policy': "default-src 'self'" }
      return new Response(part.body, { headers })
    }
    // The handler looks for /api/v4/ in the path, where this address has "api" as its host; the
    // analysis_url it answers with has it in the path already.
    if (pathname.startsWith('/api/')) return handle(request)
    return handle(new Request(`audile://api/api${pathname}${search}`, request))
  })
}

// Only Electron has this module; without it, this file can still be imported and tried.
if (process.versions.electron !== undefined) {
  const { app, BrowserWindow, protocol } = await import('electron')
  // Awaited until here, these come before the app is ready, as they must; `whenReady` itself must
  // not be awaited at the top: Electron is ready only after this file has run.
  protocol.registerSchemesAsPrivileged([SCHEME])
  app.whenReady().then(async () => {
    const music = await Audile.open({ database: join(app.getPath('userData'), 'music.db') })
    serve(protocol, music)
    app.on('window-all-closed', () => app.quit())
    app.once('will-quit', (event) => {
      // Jobs that run go back to the queue; a quit in between would be taken for a crash.
      event.preventDefault()
      music.close().finally(() => app.quit())
    })
    const window = new BrowserWindow({ width: 720, height: 560 })
    await window.loadURL('audile://api/')
  }, console.error)
}
