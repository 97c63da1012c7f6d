// What the page may ask of the main process. A preload script in the sandbox must be CommonJS.
// @ts-check
const { contextBridge, ipcRenderer } = require('electron')

contextBridge.exposeInMainWorld('library', {
  scan: () => ipcRenderer.invoke('scan'),
  stop: () => ipcRenderer.invoke('stop'),
  tracks: (/** @type {number} */ start) => ipcRenderer.invoke('tracks', start),
  onProgress: (/** @type {(progress: unknown) => void} */ told) =>
    ipcRenderer.on('progress', (_, progress) => told(progress)),
})
