import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import S3rver from '@20minutes/s3rver'

/** The keys that the server knows. */
export const S3_KEYS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }

/** What the server appends to the name of an object, for the file that has its bytes. */
const OBJECT = '._S3rver_object'

/** Starts a server with one bucket on a free port, in a temporary folder. */
export async function startS3() {
  const directory = mkdtempSync(join(tmpdir(), 'audile-s3-'))
  const start = async (at: number) => {
    const server = new S3rver({
      ...{ directory, silent: true, address: '127.0.0.1', port: at },
      configureBuckets: [{ name: 'bucket', configs: [] }],
    })
    return { server, ...(await server.run()) }
  }
  let { server, port } = await start(0)
  const end = async () => {
    // The server would close its log, and complain of requests that it still answers.
    server.httpServer.removeAllListeners('close')
    const ended = server.close()
    server.httpServer.closeAllConnections()
    await ended
  }
  return {
    store: `s3://bucket/fleet?endpoint=http://127.0.0.1:${port}`,
    /** The names of all objects, without the prefix of the store. */
    objects() {
      const names = readdirSync(join(directory, 'bucket'), { recursive: true, encoding: 'utf8' })
      return names
        .filter((name) => name.endsWith(OBJECT))
        .map((name) => name.slice('fleet/'.length, -OBJECT.length))
    },
    /** Cuts all connections, refuses others for some milliseconds, and goes on with what it has. */
    async restart(pause = 0) {
      await end()
      await sleep(pause)
      server = (await start(port)).server
    },
    async stop() {
      await end()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
