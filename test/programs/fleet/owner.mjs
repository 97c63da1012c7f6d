// A process that owns a database with a fleet: registers all files of a folder, waits until each is
// analysed, and ends. Whoever runs it may kill it at any moment and run it again.
//
// arguments: JSON of { database, folder, journal, analysis?, workers?, silent? }
import { appendFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Audile } from 'audile'
import { fleet } from 'audile/fleet'

const { database, folder, journal, analysis, workers } = JSON.parse(process.argv[2])
const music = await Audile.open({
  database,
  ...(analysis && { analysis: fleet(analysis) }),
  ...(workers && { workers }),
})
let first
let last
music.on('track', ({ id, status }) => {
  if (status === 'complete') {
    last = performance.now()
    first ??= last
  }
  if (status === 'complete' || status === 'error') appendFileSync(journal, `${status} ${id}\n`)
})
const ids = []
const opened = process.cpuUsage()
for (const name of readdirSync(folder).sort()) {
  const track = await music.tracks.upload({ file: join(folder, name) })
  ids.push(track.id)
}
const registered = performance.now()
const usage = process.cpuUsage()
const adding = process.cpuUsage(opened)
if (process.send) process.send({ registered: true })
for (const id of ids) {
  const track = await music.tracks.get(id)
  await track.analyzed().catch(() => {})
}
const { user, system } = process.cpuUsage(usage)
const seconds = (performance.now() - registered) / 1000
const status = analysis && (await music.fleet.status())
// What was asked for last is removed from queue and store while it is closed.
await music.close()
process.send?.({
  done: true,
  seconds,
  between: (last - first) / 1000,
  cpu: (user + system) / 1e6,
  adding: (adding.user + adding.system) / 1e6,
  status,
})
process.disconnect?.()
