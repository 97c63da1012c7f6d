// The OpenSubsonic extension sonicSimilarity, answered from an audile database: node examples/sonic/server.mjs DATABASE FILES.json [PORT]
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { resolve } from 'node:path'
import { Audile } from 'audile'
import { isOwnRequest } from '../loopback.mjs'

const [database, files, port = '0'] = process.argv.slice(2)
const music = await Audile.open({ database })
/** The music server's ids → paths, and back. */
const pathOf = new Map(Object.entries(JSON.parse(readFileSync(files, 'utf8'))))
const idOf = new Map([...pathOf].map(([id, path]) => [resolve(path), id]))

/** An error as the protocol names it: 0 any, 10 a parameter is missing, 70 not found. */
class Failure extends Error {
  constructor(code, message) {
    super(message)
    this.code = code
  }
}

/** The file of a song that a request names. */
function fileIn(query, name) {
  const id = query.get(name)
  if (id === null) throw new Failure(10, `Required parameter ${name} is missing.`)
  if (!pathOf.has(id)) throw new Failure(70, `There is no song ${id}.`)
  return { file: resolve(pathOf.get(id)) }
}

function countIn(query, usual, [least, most]) {
  const count = Number(query.get('count') ?? usual)
  if (!Number.isInteger(count)) throw new Failure(0, 'count must be a whole number.')
  return Math.min(Math.max(count, least), most)
}

/** Tracks as the protocol lists them; those that the music server does not have are left out. */
function matches(tracks, similarityOf) {
  return tracks.flatMap((track) => {
    const id = track.files.map(({ path }) => idOf.get(path)).find((one) => one !== undefined)
    if (id === undefined) return []
    const { title = id, artist, release: album } = track.answer
    return [{ entry: { id, isDir: false, title, artist, album }, similarity: similarityOf(track) }]
  })
}

const methods = {
  getOpenSubsonicExtensions: () => ({
    openSubsonicExtensions: [{ name: 'sonicSimilarity', versions: [1] }],
  }),
  async getSonicSimilarTracks(query) {
    const count = countIn(query, 10, [1, 100])
    const found = await music.tracks.similar(fileIn(query, 'id'), { results: 100 })
    return { sonicMatch: matches(found, ({ answer }) => answer.similarity).slice(0, count) }
  },
  async findSonicPath(query) {
    const [from, to] = [fileIn(query, 'startSongId'), fileIn(query, 'endSongId')]
    const path = await music.mixes.path(from, to, { length: countIn(query, 25, [2, 50]) })
    // -1: a path tells the distance of each step, but no similarity with its start.
    const tracks = path.map(({ track }) => track)
    return { sonicMatch: matches(tracks, () => -1) }
  },
}

async function answer(url) {
  const [, name] = /^\/rest\/(\w+?)(?:\.view)?$/.exec(url.pathname) ?? []
  if (!Object.hasOwn(methods, name)) return undefined
  const head = { version: '1.16.1', type: 'audile', serverVersion: '0.1.0', openSubsonic: true }
  try {
    return { status: 'ok', ...head, ...(await methods[name](url.searchParams)) }
  } catch (error) {
    const isKnown = error instanceof Failure
    const code = isKnown ? error.code : error.code === 'unknown_identifier' ? 70 : 0
    return { status: 'failed', ...head, error: { code, message: error.message } }
  }
}

const server = createServer(async (request, response) => {
  try {
    if (!isOwnRequest(request)) return response.writeHead(403).end('Only this machine may ask.')
    const found = await answer(new URL(`http://127.0.0.1${request.url}`))
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ 'subsonic-response': found }))
  } catch {
    response.writeHead(400).end('That is no address.')
  }
})
server.listen(Number(port), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}/rest/`)
})

process.once('SIGTERM', stop).once('SIGINT', stop)
async function stop() {
  server.close()
  await music.close()
}
