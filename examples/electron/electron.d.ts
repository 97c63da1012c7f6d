// What the example uses of Electron, so that it can be checked without a copy of it.
declare module 'electron' {
  export interface Privileges {
    standard?: boolean
    secure?: boolean
    supportFetchAPI?: boolean
    stream?: boolean
  }

  export interface Protocol {
    /** Before the app is ready, and once. */
    registerSchemesAsPrivileged(schemes: { scheme: string; privileges?: Privileges }[]): void
    /** When the app is ready. */
    handle(scheme: string, handler: (request: Request) => Response | Promise<Response>): void
  }

  export interface App {
    whenReady(): Promise<void>
    getPath(name: 'userData'): string
    quit(): void
    on(event: 'window-all-closed', listener: () => void): this
    once(event: 'will-quit', listener: (event: { preventDefault(): void }) => void): this
  }

  export interface WebContents {
    send(channel: string, ...args: unknown[]): void
    isDestroyed(): boolean
  }

  export interface IpcMain {
    /** What the listener returns or rejects with is answered to `ipcRenderer.invoke`. */
    handle(
      channel: string,
      listener: (event: { sender: WebContents }, ...args: never[]) => unknown,
    ): void
  }

  export interface IpcRenderer {
    invoke(channel: string, ...args: unknown[]): Promise<unknown>
    on(channel: string, listener: (event: unknown, ...args: unknown[]) => void): this
  }

  export interface Dialog {
    showOpenDialog(options: { properties: 'openDirectory'[] }): Promise<{ filePaths: string[] }>
  }

  export class BrowserWindow {
    constructor(options?: {
      width?: number
      height?: number
      webPreferences?: { preload?: string }
    })
    loadFile(path: string): Promise<void>
  }

  export const app: App
  export const contextBridge: { exposeInMainWorld(name: string, api: object): void }
  export const dialog: Dialog
  export const ipcMain: IpcMain
  export const ipcRenderer: IpcRenderer
  export const protocol: Protocol
}
