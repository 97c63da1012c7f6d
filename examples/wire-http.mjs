// Serves a database over HTTP as the old service did, to this machine, for a key that it prints:
// [API_KEY=THE-KEY-OF-AN-EARLIER-RUN] node examples/wire-http.mjs [DATABASE] [PORT] [allow-private]
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Audile } from 'audile'
import { createHandler } from 'audile/wire'
import { isOwnRequest } from './loopback.mjs'

const [database = 'audile.db', port = '0', extra] = process.argv.slice(2)
const allowPrivate = extra === 'allow-private' // uploads by address from this network too
const music = await Audile.open({ database })
const apiKey = process.env.API_KEY ?? (await music.keys.create()).apiKey

const server = createServer(async (incoming, outgoing) => {
  const left = new AbortController()
  outgoing.once('close', () => left.abort())
  try {
    if (!isOwnRequest(incoming)) return outgoing.writeHead(403).end('Only this machine may ask.')
    const { method, headers, url } = incoming
    const body = method === 'POST' ? { body: Readable.toWeb(incoming), duplex: 'half' } : {}
    const options = { method, headers, signal: left.signal, ...body }
    const response = await handle(new Request(`http://${headers.host}${url}`, options))
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    if (response.body) await pipeline(response.body, outgoing)
    else outgoing.end()
  } catch {
    if (outgoing.headersSent) outgoing.destroy()
    else outgoing.writeHead(400).end('That is no request.')
  }
})
await new Promise((resolve) => server.listen(Number(port), '127.0.0.1', resolve))
const options = { rateLimit: 120, allowPrivate, onError: console.error }
const baseUrl = `http://127.0.0.1:${server.address().port}` // not what a Host header says
const handle = createHandler(music, { baseUrl, ...options })
console.log(`${baseUrl}/api/v4/ with api_key=${apiKey}`)
process.once('SIGTERM', stop).once('SIGINT', stop)
async function stop() {
  server.close()
  server.closeAllConnections()
  await music.close()
}
