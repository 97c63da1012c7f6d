// The process with the engine that remote.ts asks: <thread or inline> <database> <socket>.
const { Audile, serveEngine } = (await import(
  'audile' as string
)) as typeof import('../../../src/index.ts')
const [engine, database, socket] = process.argv.slice(2) as ['thread' | 'inline', string, string]
const music = await Audile.open({ database, engine, workers: 1 })
const servers = [
  await serveEngine(music, { listen: `unix:${socket}` }),
  await serveEngine(music, { listen: { port: 0 }, trusted: true }),
]
process.on('message', (what) => {
  const { user, system } = process.cpuUsage()
  process.send?.(what === 'memory' ? process.memoryUsage().rss : user + system)
})
process.on('disconnect', () => process.exit())
process.send?.(servers.map(({ address }) => address))

export {}
