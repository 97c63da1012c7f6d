// Serves a page that analyses audio in the browser: node examples/browser/serve.mjs [--port N]
import { createServer } from 'node:http'
import { extname } from 'node:path'
import { parseArgs } from 'node:util'
import { isOwnRequest } from '../loopback.mjs'
import { pageFiles } from './build.mjs'

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
}
/** The page loads its own files and nothing else, and sends nothing anywhere. */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'; style-src 'self'; media-src blob:; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } })
const port = Number(values.port)
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  console.error(`--port ${values.port} is no port: give a number of 0 to 65535.`)
  process.exit(1)
}

const files = await pageFiles()
const server = createServer((request, response) => {
  if (!isOwnRequest(request)) return response.writeHead(403).end('Only this machine may ask.')
  const [pathname] = request.url.split('?')
  const name = pathname === '/' ? 'index.html' : pathname.slice(1)
  const contents = files.get(name)
  if (!contents) return response.writeHead(404).end('There is nothing here.')
  response.writeHead(200, {
    'content-type': TYPES[extname(name)],
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
  })
  response.end(contents)
})
server.once('error', (error) => {
  const taken = error.code === 'EADDRINUSE'
  console.error(taken ? `Port ${port} is taken: give another --port.` : error)
  process.exit(1)
})
server.listen(port, '127.0.0.1', () =>
  console.log(`Open http://127.0.0.1:${server.address().port}/`),
)
const stop = () => {
  server.close()
  server.closeAllConnections()
}
process.once('SIGINT', stop).once('SIGTERM', stop)
