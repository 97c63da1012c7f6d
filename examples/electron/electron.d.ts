// What main.mjs uses of Electron, so that it can be checked without a copy of it.
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

  export class BrowserWindow {
    constructor(options?: { width?: number; height?: number })
    loadURL(url: string): Promise<void>
  }

  export const app: App
  export const protocol: Protocol
}
