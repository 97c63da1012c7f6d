import { once } from 'node:events'
import { chmodSync, existsSync, lstatSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { dirname, resolve } from 'node:path'
import { invalidParameter, messageOf } from '../values/errors.ts'

/** Named pipes, which Windows has in place of sockets in the file system. */
const PIPE = /^\\\\[.?]\\pipe\\./
/**
 * The least size of the path in sockaddr_un, in bytes without the final zero. Node cuts a longer
 * path off.
 */
const PATH_BYTES = process.platform === 'linux' ? 107 : 103

/**
 * Listens, and returns the address for clients.
 *
 * @throws {ParameterError} when that is not possible
 */
export async function listenOn(
  server: Server,
  listen: string | { port: number; host?: string | undefined },
): Promise<string> {
  try {
    return await (typeof listen === 'string' ? onPath(server, listen) : onPort(server, listen))
  } catch (error) {
    throw invalidParameter('listen', messageOf(error), { cause: error })
  }
}

async function onPort(
  server: Server,
  { port, host = '127.0.0.1' }: { port: number; host?: string | undefined },
): Promise<string> {
  await started(server, () => server.listen(port, host))
  const { address, family, port: own } = server.address() as AddressInfo
  return `ws://${family === 'IPv6' ? `[${address}]` : address}:${own}`
}

async function onPath(server: Server, listen: string): Promise<string> {
  const pipe = process.platform === 'win32'
  const path = pipe ? listen.slice('unix:'.length) : resolve(listen.slice('unix:'.length))
  if (pipe && !PIPE.test(path)) {
    throw new Error(`"${path}" is no named pipe; on Windows, give unix:\\\\.\\pipe\\NAME`)
  }
  if (!pipe) requirePlace(path)
  const begin = () => {
    server.listen(path)
    // In the same turn that makes the socket, so that nobody else has connected.
    if (!pipe && server.listening) chmodSync(path, 0o600)
  }
  try {
    await started(server, begin)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (pipe || code !== 'EADDRINUSE' || !(await isAbandoned(path))) throw error
    rmSync(path)
    await started(server, begin)
  }
  return `unix:${path}`
}

async function started(server: Server, begin: () => void): Promise<void> {
  // It rejects when the server emits an error first.
  const listening = once(server, 'listening')
  begin()
  await listening
}

/** @throws when there can be no socket at the path */
function requirePlace(path: string): void {
  const bytes = Buffer.byteLength(path)
  if (bytes > PATH_BYTES) {
    throw new Error(
      `"${path}" has ${bytes} bytes, and the path of a socket at most ${PATH_BYTES}; give a shorter one`,
    )
  }
  // For a missing folder, Node would report that permission is denied.
  const folder = dirname(path)
  if (!existsSync(folder)) throw new Error(`there is no folder "${folder}"; make it first`)
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found && !found.isSocket()) {
    throw new Error(`"${path}" is there, and no socket; give another path`)
  }
}

/** Whether a killed server has left the socket. Other errors may come from a running server. */
async function isAbandoned(path: string): Promise<boolean> {
  const found = identityOf(path)
  const probe = connect({ path })
  try {
    await once(probe, 'connect')
    probe.destroy()
    return false
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Another server, started at the same moment, may have made its socket meanwhile.
    return code === 'ECONNREFUSED' && identityOf(path) === found
  }
}

function identityOf(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false, bigint: true })
  return found && `${found.ino} ${found.ctimeNs}`
}
