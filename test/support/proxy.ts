import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy whose connections are cut, or fall silent, when one wants it. */
export interface FlakyProxy {
  /** Where clients connect. */
  address: `ws://${string}` | `unix:${string}`
  /** The connections that there were so far. */
  readonly count: number
  /** Cuts all connections. */
  cut(): void
  /** From now on bytes are lost, on all connections that there are. */
  silence(): void
  /** Accepts no connections any more, or again. */
  refuse(refused: boolean): void
  /** Sends new connections to another server. */
  turnTo(address: string): void
  close(): void
}

/**
 * @param address - of the server behind it, `ws://…` or `unix:…`
 * @param socket - where it listens in the file system. Default: a free port
 */
export async function openProxy(address: string, socket?: string): Promise<FlakyProxy> {
  const open = new Set<Socket>()
  let target = address
  let refused = false
  let count = 0
  const server = createServer((near) => {
    near.on('error', () => {})
    if (refused) {
      near.destroy()
      return
    }
    count++
    const { protocol, hostname, port, pathname } = new URL(target)
    const far = protocol === 'unix:' ? connect(pathname) : connect(Number(port), hostname)
    far.on('error', () => {})
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.pipe(to)
      open.add(from)
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
    }
  })
  if (socket === undefined) server.listen(0, '127.0.0.1')
  else server.listen(socket)
  await once(server, 'listening')
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  const bound = server.address() as AddressInfo | string
  return {
    address: typeof bound === 'string' ? `unix:${bound}` : `ws://127.0.0.1:${bound.port}`,
    get count() {
      return count
    },
    cut,
    silence: () => {
      for (const socket of open) {
        socket.unpipe()
        socket.resume()
      }
    },
    refuse: (now) => {
      refused = now
      if (now) cut()
    },
    turnTo: (other) => {
      target = other
    },
    close: () => {
      cut()
      server.close()
    },
  }
}
