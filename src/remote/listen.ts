import { chmodSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { resolve } from 'node:path'
import { invalidParameter, messageOf } from '../errors.ts'

/** What Windows has for sockets in the file system. */
const PIPE = /^\\\\[.?]\\pipe\\./

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
  const begin = () => {
    server.listen(path)
    // Within the turn that makes the socket, so that nobody else has connected.
    if (!pipe && server.listening) chmodSync(path, 0o600)
  }
  try {
    await started(server, begin)
  } catch (error) {
    if (pipe || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || (await isServed(path))) {
      throw error
    }
    // A server that was killed has left it.
    rmSync(path)
    await started(server, begin)
  }
  return `unix:${path}`
}

function started(server: Server, begin: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.once('listening', () => {
      server.off('error', reject)
      resolve()
    })
    begin()
  })
}

/** Whether somebody answers at a socket. */
function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect({ path })
    probe.once('connect', () => {
      probe.destroy()
      resolve(true)
    })
    probe.once('error', () => resolve(false))
  })
}
