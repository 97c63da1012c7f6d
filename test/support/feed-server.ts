import { spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createGzip } from 'node:zlib'

/** What a path is to answer. */
export interface Page {
  status?: number
  headers?: Record<string, string>
  /** Text, or bytes in base64. */
  body?: string
  base64?: string
}

/** What a path was asked. */
export interface Hits {
  count: number
  /** Those that were answered with 304. */
  unchanged: number
  /** The headers of the last request. */
  headers: Record<string, string>
}

/** A web server in a process of its own, on loopback. */
export class FeedServer {
  readonly #port: number
  readonly #end: () => void

  private constructor(port: number, end: () => void) {
    this.#port = port
    this.#end = end
  }

  static async start(): Promise<FeedServer> {
    const script = fileURLToPath(import.meta.url)
    const child = spawn(process.execPath, ['--import', 'tsx', script, 'serve'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    for await (const line of createInterface({ input: child.stdout })) {
      return new FeedServer(Number(line), () => child.kill())
    }
    throw new Error('The feed server did not start.')
  }

  close(): void {
    this.#end()
  }

  /** The address of a path. */
  url(path: string): string {
    return `http://127.0.0.1:${this.#port}${path}`
  }

  /** Says what a path answers from now on. */
  async put(path: string, page: Page | string): Promise<string> {
    const body = JSON.stringify(typeof page === 'string' ? { body: page } : page)
    const response = await fetch(this.url(path), { method: 'PUT', body })
    await response.arrayBuffer()
    return this.url(path)
  }

  async hits(path: string): Promise<Hits> {
    return (await (await fetch(this.url(`/hits?${path}`))).json()) as Hits
  }
}

const pages = new Map<string, Page>()
const asked = new Map<string, Hits>()

/** Answers that no well-meant server gives. */
const TROUBLE: Record<string, (response: ServerResponse) => void> = {
  // Never a word.
  '/silent': () => {},
  // Headers, and then nothing.
  '/stalled': (response) => {
    response.writeHead(200, { 'content-type': 'application/rss+xml' })
    response.write('<rss version="2.0"><channel>')
  },
  // A byte now and then, for ever.
  '/dripping': (response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(timer))
  },
  '/endless': (response) => {
    response.writeHead(200, { 'content-type': 'application/rss+xml' })
    response.write('<rss version="2.0"><channel>')
    const more = () => {
      while (
        !response.destroyed &&
        response.write('<item><title>again</title></item>'.repeat(500))
      );
    }
    response.on('drain', more)
    more()
  },
  // Small on the way, without end when unpacked.
  '/packed': (response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' })
    const pack = createGzip()
    pack.pipe(response)
    const zeros = Buffer.alloc(1 << 20)
    const more = () => {
      while (!response.destroyed && pack.write(zeros));
    }
    pack.on('drain', more)
    response.on('close', () => pack.destroy())
    more()
  },
  // Ends before its length.
  '/cut': (response) => {
    response.writeHead(200, { 'content-length': '5000' })
    response.write('<rss version="2.0"><channel><title>Cut</title><item><title>one</title></item>')
    setTimeout(() => response.destroy(), 20)
  },
  '/loop': (response) => {
    response.writeHead(302, { location: '/loop' }).end()
  },
  '/to-file': (response) => {
    response.writeHead(302, { location: 'file:///etc/passwd' }).end()
  },
  '/to-nowhere': (response) => {
    response.writeHead(301, { location: 'http://[' }).end()
  },
  '/reset': (response) => {
    response.destroy()
  },
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '/'
  if (request.method === 'PUT') {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    pages.set(path, JSON.parse(Buffer.concat(pieces).toString()) as Page)
    response.end()
    return
  }
  if (path.startsWith('/hits?')) {
    const none: Hits = { count: 0, unchanged: 0, headers: {} }
    response.end(JSON.stringify(asked.get(path.slice(6)) ?? none))
    return
  }
  const hits = asked.get(path) ?? { count: 0, unchanged: 0, headers: {} }
  asked.set(path, hits)
  hits.count++
  hits.headers = request.headers as Record<string, string>
  const trouble = TROUBLE[path]
  if (trouble) {
    trouble(response)
    return
  }
  const page = pages.get(path)
  if (!page) {
    response.writeHead(404).end('not here')
    return
  }
  const { status = 200, headers = {}, body = '', base64 } = page
  const bytes = base64 === undefined ? Buffer.from(body) : Buffer.from(base64, 'base64')
  const same =
    (headers.etag !== undefined && request.headers['if-none-match'] === headers.etag) ||
    (headers['last-modified'] !== undefined &&
      request.headers['if-modified-since'] === headers['last-modified'])
  if (same) {
    hits.unchanged++
    response.writeHead(304).end()
    return
  }
  response.writeHead(status, { 'content-type': 'application/xml', ...headers }).end(bytes)
}

if (process.argv[2] === 'serve') {
  const server = createServer((request, response) => void answer(request, response))
  // Whoever asks ends idle connections: else one may be ended that is just taken for the next.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (typeof address === 'object' && address) console.log(address.port)
  })
  // Ends with whoever started it.
  process.stdin.on('end', () => process.exit()).resume()
}
