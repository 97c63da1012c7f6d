// Plays folders of music in your browser: node examples/player/player.mjs [--database FILE] [--port N]
import { parseArgs } from 'node:util'
import { Audile } from 'audile'
import { startServer } from './server.mjs'

/** A browser keeps queue, radio and volume for an address: with its port, they outlive a restart. */
const USUAL_PORT = 28_480

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'audile.db' },
    port: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (values.help) {
  console.log(`usage: node examples/player/player.mjs [--database FILE] [--port N]
Serves a music player to this machine alone. What it knows is kept in FILE (audile.db).
Without --port, it is ${USUAL_PORT}; where that is taken, a free one.`)
  process.exit(0)
}
const port = Number(values.port ?? USUAL_PORT)
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  console.error(`--port ${values.port} is no port: give a number of 0 to 65535.`)
  process.exit(1)
}

const music = await Audile.open({ database: values.database })
const server = await startServer(music, { port }).catch(async (error) => {
  const taken = error.code === 'EADDRINUSE'
  if (taken && values.port === undefined) return startServer(music)
  await music.close()
  console.error(taken ? `Port ${port} is taken: give another --port.` : error)
  process.exit(1)
})
console.log(`Open ${server.url}`)

process.once('SIGINT', stop).once('SIGTERM', stop)
async function stop() {
  await server.close()
  await music.close()
}
