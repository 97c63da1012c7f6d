// Stands in for Electron in a Node process, whose parent is the window: what the parent sends is what a
// page would invoke, and what is sent to the window comes to the parent.
import { EventEmitter } from 'node:events'

const tell = (message) => process.send(message)
const handlers = new Map()

class App extends EventEmitter {
  whenReady() {
    return Promise.resolve()
  }
  getPath() {
    return process.env.USER_DATA
  }
  quit() {
    const event = { defaultPrevented: false, preventDefault: () => (event.defaultPrevented = true) }
    this.emit('will-quit', event)
    if (!event.defaultPrevented) process.exit(0)
  }
}

export const app = new App()
export const ipcMain = { handle: (channel, handler) => void handlers.set(channel, handler) }
export const dialog = {
  showOpenDialog: async () => ({ filePaths: [process.env.CHOSEN_FOLDER] }),
}
export class BrowserWindow {
  constructor({ webPreferences }) {
    this.webPreferences = webPreferences
  }
  async loadFile(page) {
    tell({ window: { page, ...this.webPreferences } })
  }
}

const sender = {
  send: (channel, ...args) => tell({ channel, args }),
  isDestroyed: () => false,
}
process.on('message', async ({ id, channel, args }) => {
  if (channel === 'window-all-closed') return app.emit(channel)
  try {
    tell({ id, answer: await handlers.get(channel)({ sender }, ...args) })
  } catch (error) {
    // As Electron words it.
    tell({ id, error: `Error invoking remote method '${channel}': ${error}` })
  }
})
