import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A TCP proxy whose connections a test cuts, or lets fall silent. */
export interface FlakyProxy {
  /** Where clients connect. */
  address: `ws://${string}`
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
}

/** @param address - of the server behind it, `ws://…` */
export async function flakyProxy(address: string): Promise<FlakyProxy> {
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
    const { hostname, port } = new URL(target)
    const far = connect(Number(port), hostname)
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
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  onTestFinished(() => {
    cut()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    address: `ws://127.0.0.1:${port}`,
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
  }
}
