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

/** The folder for unfinished objects; their file names begin with the process's name. */
const UNFINISHED = 'unfinished'
const FOLDERS = ['audio', 'results', UNFINISHED]

/** A folder that all machines share, by NFS for example. */
export class FolderStore implements Store {
  readonly #root: string

  constructor(folder: string) {
    this.#root = resolve(folder)
  }

  /** The first two digits are a subfolder: some file systems are slow with many files in one. */
  #pathOf(name: string): string {
    const [folder = '', id = ''] = name.split('/')
    return join(this.#root, folder, id.slice(0, 2), id)
  }

  /** It also removes the unfinished files of dead processes of this machine. */
  async check(): Promise<void> {
    const folder = join(this.#root, UNFINISHED)
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
    const names = await readdir(folder)
    for (const name of names.filter(isOfEndedProcess)) await rm(join(folder, name), { force: true })
  }

  async has(name: string): Promise<boolean> {
    return (await orMissing(stat(this.#pathOf(name)), undefined)) !== undefined
  }

  async put(name: string, bytes: StoredBytes): Promise<void> {
    const path = this.#pathOf(name)
    const unfinished = join(this.#root, UNFINISHED, `${PROCESS_NAME}-${randomUUID()}`)
    await mkdir(dirname(unfinished), { recursive: true })
    await mkdir(dirname(path), { recursive: true })
    try {
      await write(unfinished, bytes)
      await rename(unfinished, path)
      await sync(dirname(path))
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => {})
      throw error
    }
  }

  async get(name: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const file = await orMissing(open(this.#pathOf(name)), undefined)
    return file?.createReadStream()
  }

  async delete(name: string): Promise<void> {
    await rm(this.#pathOf(name), { force: true })
  }

  async sweep(seconds: number): Promise<void> {
    const before = Date.now() - seconds * 1000
    for (const folder of FOLDERS) {
      const names = await orMissing(readdir(join(this.#root, folder), { recursive: true }), [])
      for (const name of names) {
        const path = join(this.#root, folder, name)
        const found = await orMissing(stat(path), undefined)
        if (found?.isFile() && found.mtimeMs <= before) await rm(path, { force: true })
      }
    }
  }
}

async function write(path: string, bytes: StoredBytes): Promise<void> {
  if (!(bytes instanceof Uint8Array)) await copyFile(bytes.path, path)
  const file = await open(path, 'a')
  try {
    if (bytes instanceof Uint8Array) await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Makes a rename durable. Windows cannot open folders. */
async function sync(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const opened = await open(folder)
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}

async function orMissing<T>(promise: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await promise
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return otherwise
    throw error
  }
}
