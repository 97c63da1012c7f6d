import { once } from 'node:events'
import { chmodSync, existsSync, lstatSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { dirname, resolve } from 'node:path'
import { invalidParameter, messageOf } from '../values/errors.ts'

/** Windows has them in place of sockets in the file system. */
const PIPE_PATH = /^\\\\[.?]\\pipe\\./
/** Of the path in sockaddr_un, without the final zero; Node cuts a longer path off. */
const MAX_PATH_BYTES = process.platform === 'linux' ? 107 : 103

/**
 * Returns the address for clients.
 * @throws {ParameterError} when listening is not possible
 */
export async function listenOn(
  server: Server,
  place: string | { port: number; host?: string | undefined },
): Promise<string> {
  try {
    return await (typeof place === 'string'
      ? listenOnPath(server, place)
      : listenOnPort(server, place))
  } catch (error) {
    throw invalidParameter('listen', messageOf(error), { cause: error })
  }
}

async function listenOnPort(
  server: Server,
  { port, host = '127.0.0.1' }: { port: number; host?: string | undefined },
): Promise<string> {
  await startListening(server, () => server.listen(port, host))
  const { address, family, port: boundPort } = server.address() as AddressInfo
  return `ws://${family === 'IPv6' ? `[${address}]` : address}:${boundPort}`
}

async function listenOnPath(server: Server, address: string): Promise<string> {
  const isPipe = process.platform === 'win32'
  const path = isPipe ? address.slice('unix:'.length) : resolve(address.slice('unix:'.length))
  if (isPipe && !PIPE_PATH.test(path)) {
    throw new Error(`"${path}" is no named pipe; on Windows, give unix:\\\\.\\pipe\\NAME`)
  }
  if (!isPipe) requireSocketPlace(path)
  const beginListening = () => {
    server.listen(path)
    // In the same turn that makes the socket, so that nobody else has connected.
    if (!isPipe && server.listening) chmodSync(path, 0o600)
  }
  try {
    await startListening(server, beginListening)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (isPipe || code !== 'EADDRINUSE' || !(await isAbandoned(path))) throw error
    rmSync(path)
    await startListening(server, beginListening)
  }
  return `unix:${path}`
}

async function startListening(server: Server, beginListening: () => void): Promise<void> {
  // It rejects when the server emits an error first.
  const listening = once(server, 'listening')
  beginListening()
  await listening
}

/** @throws when there can be no socket at the path */
function requireSocketPlace(path: string): void {
  const bytes = Buffer.byteLength(path)
  if (bytes > MAX_PATH_BYTES) {
    throw new Error(
      `"${path}" has ${bytes} bytes, and the path of a socket at most ${MAX_PATH_BYTES}; give a shorter one`,
    )
  }
  // For a missing folder, Node would report that permission is denied.
  const folder = dirname(path)
  if (!existsSync(folder)) throw new Error(`there is no folder "${folder}"; make it first`)
  const file = lstatSync(path, { throwIfNoEntry: false })
  if (file && !file.isSocket()) {
    throw new Error(`"${path}" is there, and no socket; give another path`)
  }
}

/** A killed server has left it; other errors may come from a running server. */
async function isAbandoned(path: string): Promise<boolean> {
  const identity = identityOf(path)
  const probe = connect({ path })
  try {
    await once(probe, 'connect')
    probe.destroy()
    return false
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Another server, started at the same moment, may have made its socket meanwhile.
    return code === 'ECONNREFUSED' && identityOf(path) === identity
  }
}

function identityOf(path: string): string | undefined {
  const file = lstatSync(path, { throwIfNoEntry: false, bigint: true })
  return file && `${file.ino} ${file.ctimeNs}`
}
