// A music library in Electron: scans folders by path, tells the window how far it is, copies nothing: npx electron examples/electron/main.mjs
// @ts-check
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Audile } from 'audile'

/** Milliseconds between two messages on the progress of a scan. */
const PROGRESS = 100

/**
 * Answers the window: `scan` has a folder chosen and brings the library up to date with it, sending
 * `progress` meanwhile; `stop` ends that; `tracks` is a page of the library. Paths come from the
 * dialog alone, so a page cannot have any other folder read.
 *
 * @param {Pick<import('electron').IpcMain, 'handle'>} ipcMain
 * @param {Audile} music
 * @param {() => Promise<string | undefined>} chooseFolder
 */
export function connect(ipcMain, music, chooseFolder) {
  let stop = new AbortController()

  ipcMain.handle('scan', async ({ sender }) => {
    const folder = await chooseFolder()
    if (folder === undefined) return undefined
    stop.abort()
    stop = new AbortController()
    const { signal } = stop
    const scan = music.tracks.scan(folder, { signal })
    const errors = []
    try {
      let told = 0
      for await (const { kind, file, error } of scan) {
        if (error) errors.push(`${file}: ${error.message}`)
        if (sender.isDestroyed()) break
        if (Date.now() - told < PROGRESS) continue
        told = Date.now()
        sender.send('progress', { done: scan.done, total: scan.total, kind, file })
      }
    } catch (error) {
      if (!signal.aborted) throw error
    }
    return { folder, ...scan.sum, errors }
  })

  ipcMain.handle('stop', () => stop.abort())

  ipcMain.handle('tracks', async (_, /** @type {number} */ start) => {
    const { tracks, total } = await music.tracks.list({
      missing: false,
      sort: 'tempo-asc',
      bucket: 'audio_summary',
      results: 100,
      start,
    })
    return {
      total,
      tracks: tracks.map(({ answer: { title, artist, audioSummary }, files }) => ({
        title: title ?? files[0]?.path,
        artist,
        tempo: audioSummary?.tempo,
        // The page plays the file where it is.
        url: files[0] && pathToFileURL(files[0].path).href,
      })),
    }
  })
}

/**
 * The script of the engine, which is a thread. A packaged app has it outside the asar, as a plain file
 * with all that it imports and the SQLite addon: README.md says how.
 */
export function engineScript() {
  const audile = createRequire(import.meta.url).resolve('audile/package.json')
  const outside = audile.replace(/\.asar(?=[\\/])/, '.asar.unpacked')
  return join(dirname(outside), 'dist', 'engine.js')
}

// Only Electron has this module; without it, this file can still be imported and tried.
if (process.versions.electron !== undefined) {
  const { app, BrowserWindow, dialog, ipcMain } = await import('electron')
  const beside = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url))
  // `whenReady` must not be awaited at the top: Electron is ready only after this file has run.
  app.whenReady().then(async () => {
    const database = join(app.getPath('userData'), 'music.db')
    const music = await Audile.open({ database, enginePath: engineScript() })
    connect(ipcMain, music, async () => {
      const { filePaths } = await dialog.showOpenDialog({ properties: ['openDirectory'] })
      return filePaths[0]
    })
    app.on('window-all-closed', () => app.quit())
    app.once('will-quit', (event) => {
      // Jobs that run go back to the queue; a quit in between would be taken for a crash.
      event.preventDefault()
      music.close().finally(() => app.quit())
    })
    const webPreferences = { preload: beside('preload.cjs') }
    const window = new BrowserWindow({ width: 720, height: 560, webPreferences })
    await window.loadFile(beside('page.html'))
  }, console.error)
}
