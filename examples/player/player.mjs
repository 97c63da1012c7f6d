// Plays folders of music in your browser: node examples/player/player.mjs [--database FILE] [--port N]
import { parseArgs } from 'node:util'
import { Audile } from 'audile'
import { startServer } from './server.mjs'

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'audile.db' },
    port: { type: 'string', default: '0' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (values.help) {
  console.log(`usage: node examples/player/player.mjs [--database FILE] [--port N]
Serves a music player to this machine alone. What it knows is kept in FILE (audile.db).`)
  process.exit(0)
}
const port = Number(values.port)
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  console.error(`--port ${values.port} is no port: give a number of 0 to 65535.`)
  process.exit(1)
}

const music = await Audile.open({ database: values.database })
const server = await startServer(music, { port }).catch(async (error) => {
  await music.close()
  const taken = error.code === 'EADDRINUSE'
  console.error(taken ? `Port ${port} is taken: give another --port.` : error)
  process.exit(1)
})
console.log(`Open ${server.url}`)

process.once('SIGINT', stop).once('SIGTERM', stop)
async function stop() {
  await server.close()
  await music.close()
}
