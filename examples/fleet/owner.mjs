// The owner of a fleet: has the files of a folder analysed by its workers, tells how far it is, also to
// Prometheus on port 9464, and ends when all are:
// AUDILE_QUEUE=… AUDILE_STORE=… node examples/fleet/owner.mjs FOLDER
import { createServer } from 'node:http'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { Audile } from 'audile'
import { fleet } from 'audile/fleet'

const [folder = '.'] = process.argv.slice(2)
const { AUDILE_QUEUE = '', AUDILE_STORE = '', AUDILE_DATABASE = 'music.db' } = process.env
const analysis = fleet({ queue: AUDILE_QUEUE, store: AUDILE_STORE })
const logger = { warn: console.warn, error: console.error }
const music = await Audile.open({ database: AUDILE_DATABASE, analysis, logger })

/** A page elsewhere shows its Origin, and a name of its own that was rebound to this machine is the Host. */
function isNoPage({ headers: { host, origin } }) {
  const name = new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '')
  const names = ['localhost', hostname(), process.env.AUDILE_HOST].map((own) => own?.toLowerCase())
  return origin === undefined && (isIP(name) > 0 || names.includes(name))
}

const server = createServer(async (request, response) => {
  try {
    if (!isNoPage(request)) return response.writeHead(403).end('AUDILE_HOST may name this Host.')
    const text = await music.fleet.metrics()
    response.setHeader('content-type', 'text/plain; version=0.0.4').end(text)
  } catch (error) {
    response.writeHead(503).end(error.message)
  }
}).listen(Number(process.env.PORT ?? 9464))

const telling = setInterval(async () => {
  // A queue that is away is told by the logger, and comes back.
  const status = await music.fleet.status().catch(() => undefined)
  if (status) console.log(`${status.tracks} to go, ${status.workers} workers`)
}, 5000)
// Adds what is new, and waits for it.
const scan = music.tracks.scan(folder)
for await (const { file, error } of scan) if (error) console.error(`${file}: ${error}`)
clearInterval(telling)
console.log(scan.sum)
server.close()
await music.close()
