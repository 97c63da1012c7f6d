// The one process that writes: opens a database and serves it to others, on this machine and over TCP:
// node examples/shared-engine/server.mjs [DATABASE] [SOCKET] [PORT]
import { Audile, serveEngine } from 'audile'

const [database = 'audile.db', socket = 'audile.sock', port = '0'] = process.argv.slice(2)
const music = await Audile.open({ database, logger: console })

// Processes of this user: they may do all that this one may.
const near = await serveEngine(music, { listen: `unix:${socket}` })
// Servers elsewhere: each has a key of its own, and reaches no file of this machine. Put TLS before it,
// or give { server } of node:https instead of a port.
const far = await serveEngine(music, { listen: { port: Number(port) } })
const { apiKey } = await music.keys.create()
console.log(`${near.address}\n${far.address} with the key ${apiKey}`)

process.once('SIGTERM', stop).once('SIGINT', stop)
async function stop() {
  await Promise.all([near.close(), far.close()])
  await music.close()
}
