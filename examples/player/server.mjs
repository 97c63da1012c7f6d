// The player's server: its page, the old protocol under /api/v4/, and what that protocol lacks.
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createHandler } from 'audile/wire'
import { sendAudio, sendSilence } from './audio.mjs'
import { sendCover } from './cover.mjs'
import { foldersUnder, musicFolder } from './folders.mjs'
import { Guard, Refusal } from './guard.mjs'
import {
  albumsOf,
  artistsOf,
  countOf,
  duplicatesOf,
  first,
  found,
  missingOf,
  rowsOf,
} from './library.mjs'
import { pages } from './pages.mjs'
import { radio } from './radio.mjs'
import { save, savedOf } from './saved.mjs'
import { Scan } from './scan.mjs'
import { correct, detailOf, transitionOf } from './track.mjs'

/** The key on whose behalf the page asks: whoever opens the database without a key has the same. */
const PAGE_KEY = 'local'
/** Bytes of a request to the player itself: a folder's name fits. */
const MOST_BYTES = 65_536

/**
 * Serves the player on the loopback interface.
 *
 * @param {import('audile').Audile} music
 * @param {{ port?: number }} [options]
 * @returns {Promise<{ url: string, close: () => Promise<void> }>} the address to open, once it listens
 */
export async function startServer(music, { port = 0 } = {}) {
  const scan = new Scan(music)
  // The first question reads the index of a large library into memory, which takes longest.
  first(music).catch(() => {})
  let closing = false
  // What is still under way when all is closed fails, and nobody waits for it.
  const onError = (error) => void (closing || console.error(error))
  // Only the page itself may read the answers.
  const wire = createHandler(music, { onError })
  const server = createServer((request, response) => void answer(request, response))
  await new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  const guard = new Guard(server.address().port)

  const routes = {
    'GET /player/state': async () => ({
      scan: scan.state,
      suggestion: await musicFolder(),
      tracks: await countOf(music),
    }),
    'GET /player/ids': (asked) => found(music, asked),
    'POST /player/rows': async (_, body) => ({ rows: await rowsOf(music, (await body()).ids) }),
    'GET /player/albums': (asked) => albumsOf(music, asked),
    'GET /player/artists': (asked) => artistsOf(music, asked),
    'POST /player/radio': async (_, body) => radio(music, await body()),
    'GET /player/track': ({ id }) => detailOf(music, id),
    'POST /player/correct': async (_, body) => correct(music, await body()),
    'GET /player/transition': (asked) => transitionOf(music, asked),
    'GET /player/duplicates': async () => ({ groups: await duplicatesOf(music) }),
    'GET /player/missing': () => missingOf(music),
    'POST /player/remove': async (_, body) => music.tracks.remove((await body()).id),
    'GET /player/saved': async () => ({ saved: await savedOf(music) }),
    'POST /player/saved': async (_, body) => ({ saved: await save(music, await body()) }),
    'GET /player/scan': () => scan.state,
    'POST /player/scan': async (_, body) => scan.start((await body()).folder),
    'POST /player/scan/cancel': () => scan.cancel(),
    'GET /player/folders': async ({ under = '' }) => ({ folders: await foldersUnder(under) }),
    'GET /player/similar': async ({ id = '' }) => {
      const similar = await music.tracks.similar(id, { results: 50 })
      const ids = similar.map(({ id }) => id)
      const tracks = similar.map(({ id, answer: { similarity } }) => ({ id, similarity }))
      return { tracks, rows: await rowsOf(music, ids) }
    },
  }

  /** What audile refuses is an answer, in words: a status of 4xx would write an error into the console. */
  const routed = async (route, url, request) => {
    const asked = Object.fromEntries(url.searchParams)
    try {
      return await routes[route](asked, () => bodyOf(request))
    } catch (error) {
      if (error instanceof Refusal || error.status === undefined) throw error
      if (error.code === 'internal') throw error
      return { refused: error.message }
    }
  }

  async function answer(request, response) {
    try {
      const url = guard.admit(request, response)
      const verb = request.method === 'HEAD' ? 'GET' : request.method
      const { pathname } = url
      if (verb === 'GET' && pathname === '/') return await sendIndex(response, music)
      if (verb === 'GET' && pages.has(pathname)) return sendPage(response, pages.get(pathname))
      if (pathname.startsWith('/api/v4/')) return await sendWire(request, response, url)
      if (verb === 'GET' && pathname === '/player/silence') return sendSilence(response)
      const [, kind, id] = /^\/player\/(audio|cover)\/([A-Z0-9]+)$/.exec(pathname) ?? []
      if (verb === 'GET' && kind === 'audio') return await sendAudio(request, response, music, id)
      if (verb === 'GET' && kind === 'cover') return await sendCover(response, music, id)
      const route = `${verb} ${pathname}`
      if (!Object.hasOwn(routes, route)) throw new Refusal(404, 'There is nothing here.')
      sendJson(response, 200, await routed(route, url, request))
    } catch (error) {
      if (response.headersSent) return response.destroy()
      if (error instanceof Refusal) {
        return sendJson(response, error.status, { error: error.message })
      }
      onError(error)
      sendJson(response, 500, { error: error?.message ?? String(error) })
    }
  }

  async function sendWire(request, response, url) {
    const left = new AbortController()
    response.once('close', () => left.abort())
    url.searchParams.set('api_key', PAGE_KEY)
    const { method, headers } = request
    const body = method === 'POST' ? { body: Readable.toWeb(request), duplex: 'half' } : {}
    const answered = await wire(new Request(url, { method, headers, signal: left.signal, ...body }))
    response.writeHead(answered.status, Object.fromEntries(answered.headers))
    if (answered.body) await pipeline(answered.body, response)
    else response.end()
  }

  return {
    url: guard.invitation,
    async close() {
      closing = true
      await scan.cancel()
      await new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      })
    },
  }
}

/** The page and its first rows: while they are looked up, the browser asks for the rest. */
async function sendIndex(response, music) {
  const { type, bytes } = pages.get('/')
  response.writeHead(200, { 'content-type': type })
  if (response.req.method === 'HEAD') return response.end()
  response.write(bytes)
  // Without them, the page asks anew, and tells what is wrong.
  const rows = JSON.stringify(await first(music).catch(() => null))
  // No title ends the script.
  const safe = rows.replaceAll('<', '\\u003c')
  response.end(`<script type="application/json" id="first">${safe}</script>`)
}

function sendPage(response, { type, bytes }) {
  response.writeHead(200, { 'content-type': type, 'content-length': bytes.length })
  response.end(response.req.method === 'HEAD' ? undefined : bytes)
}

function sendJson(response, status, value) {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(value ?? {}))
}

async function bodyOf(request) {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > MOST_BYTES) throw new Refusal(413, 'That is too long.')
  }
  try {
    const value = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // Told below.
  }
  throw new Refusal(400, 'The body must be a JSON object.')
}
