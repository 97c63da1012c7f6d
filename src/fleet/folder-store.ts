import { randomUUID } from 'node:crypto'
import {
  access,
  constants,
  copyFile,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { isOfEndedProcess, PROCESS_NAME } from '../kernel/process-name.ts'
import type { Store, StoredBytes } from './store.ts'

/** File names in it begin with the process's name. */
const UNFINISHED_FOLDER = 'unfinished'
const STORE_FOLDERS = ['audio', 'results', UNFINISHED_FOLDER]

/** That all machines share, by NFS for example. */
export class FolderStore implements Store {
  readonly #root: string

  constructor(folder: string) {
    this.#root = resolve(folder)
  }

  /** Two digits are a subfolder, because some file systems are slow with many files in one. */
  #pathOf(name: string): string {
    const [folder = '', id = ''] = name.split('/')
    return join(this.#root, folder, id.slice(0, 2), id)
  }

  /** Also removes the unfinished files of dead processes of this machine. */
  async check(): Promise<void> {
    const folder = join(this.#root, UNFINISHED_FOLDER)
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
    const names = await readdir(folder)
    for (const name of names.filter(isOfEndedProcess)) await rm(join(folder, name), { force: true })
  }

  async has(name: string): Promise<boolean> {
    return (await unlessMissing(stat(this.#pathOf(name)), undefined)) !== undefined
  }

  async put(name: string, bytes: StoredBytes): Promise<void> {
    const path = this.#pathOf(name)
    const unfinished = join(this.#root, UNFINISHED_FOLDER, `${PROCESS_NAME}-${randomUUID()}`)
    await mkdir(dirname(unfinished), { recursive: true })
    await mkdir(dirname(path), { recursive: true })
    try {
      await writeSynced(unfinished, bytes)
      await rename(unfinished, path)
      await syncFolder(dirname(path))
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => {})
      throw error
    }
  }

  async get(name: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const file = await unlessMissing(open(this.#pathOf(name)), undefined)
    return file?.createReadStream()
  }

  async delete(name: string): Promise<void> {
    await rm(this.#pathOf(name), { force: true })
  }

  async sweep(seconds: number): Promise<void> {
    const oldest = Date.now() - seconds * 1000
    for (const folder of STORE_FOLDERS) {
      const names = await unlessMissing(readdir(join(this.#root, folder), { recursive: true }), [])
      for (const name of names) {
        const path = join(this.#root, folder, name)
        const file = await unlessMissing(stat(path), undefined)
        if (file?.isFile() && file.mtimeMs <= oldest) await rm(path, { force: true })
      }
    }
  }
}

async function writeSynced(path: string, bytes: StoredBytes): Promise<void> {
  if (!(bytes instanceof Uint8Array)) await copyFile(bytes.path, path)
  const file = await open(path, 'a')
  try {
    if (bytes instanceof Uint8Array) await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Makes a rename durable; Windows cannot open folders. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function unlessMissing<T>(promise: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await promise
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return otherwise
    throw error
  }
}
