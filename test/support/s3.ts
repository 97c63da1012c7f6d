import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'

/** The keys that the server knows. */
export const S3_KEYS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }

/** Starts a server with one bucket on a free port, in a temporary folder. */
export async function startS3() {
  const directory = mkdtempSync(join(tmpdir(), 'audile-s3-'))
  const server = new S3rver({
    ...{ directory, silent: true, address: '127.0.0.1', port: 0 },
    configureBuckets: [{ name: 'bucket', configs: [] }],
  })
  const { port } = await server.run()
  return {
    store: `s3://bucket/fleet?endpoint=http://127.0.0.1:${port}`,
    async stop() {
      await server.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
