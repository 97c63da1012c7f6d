// The process with the engine that killed.ts kills: <database> <inline or thread> <socket> <port>.
import { Audile, serveEngine } from 'audile'

const [database, engine, socket, port] = process.argv.slice(2)
const music = await Audile.open({ database, engine, workers: 0 })
const options = { trusted: true, heartbeatSeconds: 0.5 }
const servers = await Promise.all([
  serveEngine(music, { ...options, listen: `unix:${socket}` }),
  serveEngine(music, { ...options, listen: { port: Number(port) } }),
])
process.once('SIGTERM', async () => {
  await Promise.all(servers.map((server) => server.close()))
  await music.close()
  process.disconnect()
})
process.once('disconnect', () => process.exit())
process.send(servers.map(({ address }) => address))
