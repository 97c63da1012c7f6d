import { createHash } from 'node:crypto'
import type { AwsClient } from 'aws4fetch'
import { readFilePieces } from '../kernel/file-pieces.ts'
import { loadPeer } from '../kernel/load-package.ts'
import { missingParameter } from '../values/errors.ts'
import { type ObjectMethod, requestObject } from './object-request.ts'
import type { SignedMethod, Store, StoredBytes } from './store.ts'

/** The SHA-256 of an empty body. */
const EMPTY_SHA256 = createHash('sha256').digest('hex')

/**
 * Any S3-compatible service; aws4fetch makes the signatures (AWS Signature Version 4).
 * @param address - `s3://bucket/prefix?endpoint=https://…&region=…`
 * @throws {ParameterError} when aws4fetch is not installed, or the environment has no credentials
 */
export async function openS3Store(
  address: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Store> {
  const { AwsClient: Client } = await loadPeer<typeof import('aws4fetch')>('aws4fetch', 'store')
  const { hostname: bucket, pathname, searchParams } = new URL(address)
  const region =
    searchParams.get('region') ?? env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? 'us-east-1'
  const endpoint =
    searchParams.get('endpoint') ??
    env.AWS_ENDPOINT_URL_S3 ??
    env.AWS_ENDPOINT_URL ??
    `https://s3.${region}.amazonaws.com`
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = env
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
    const remedy =
      'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment; a worker needs neither them ' +
      'nor the store, as jobs of an owner with a bucket carry signed addresses'
    throw missingParameter('store', remedy)
  }
  const client = new Client({
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
    service: 's3',
    region,
    // The callers of the store repeat.
    retries: 0,
  })
  const prefix = pathname.replace(/^\/|\/$/g, '')
  const root = [endpoint.replace(/\/$/, ''), bucket, prefix].filter((part) => part !== '').join('/')
  return new S3Store(client, root)
}

class S3Store implements Store {
  readonly #client: AwsClient
  /** The bucket and the prefix, without a slash at the end. */
  readonly #root: string

  constructor(client: AwsClient, root: string) {
    this.#client = client
    this.#root = root
  }

  async check(): Promise<void> {
    const name = 'results/check'
    await this.put(name, new Uint8Array())
    await this.has(name)
    await this.delete(name)
  }

  async has(name: string): Promise<boolean> {
    const answer = await this.#requestObject('HEAD', name)
    return answer.status !== 404
  }

  async put(name: string, bytes: StoredBytes): Promise<void> {
    await this.#requestObject('PUT', name, { bytes, sha256: await sha256Of(bytes) })
  }

  async get(name: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const answer = await this.#requestObject('GET', name)
    if (answer.status === 404) return undefined
    return (answer.body ?? []) as AsyncIterable<Uint8Array>
  }

  async delete(name: string): Promise<void> {
    await this.#requestObject('DELETE', name)
  }

  async sign(method: SignedMethod, name: string, seconds: number): Promise<string> {
    const address = `${this.#root}/${name}?X-Amz-Expires=${seconds}`
    return (await this.#client.sign(address, { method, aws: { signQuery: true } })).url
  }

  /** @throws {RequestRefused} on any answer but success and "not found" */
  async #requestObject(
    method: ObjectMethod,
    name: string,
    content?: { bytes: StoredBytes; sha256: string },
  ): Promise<Response> {
    const signedHeaders = { 'x-amz-content-sha256': content?.sha256 ?? EMPTY_SHA256 }
    const { url, headers } = await this.#client.sign(`${this.#root}/${name}`, {
      method,
      headers: signedHeaders,
    })
    return requestObject(method, name, { url, headers, ...(content && { content: content.bytes }) })
  }
}

/** The signature covers the SHA-256 of the bytes. */
async function sha256Of(bytes: StoredBytes): Promise<string> {
  const hash = createHash('sha256')
  if (bytes instanceof Uint8Array) hash.update(bytes)
  else await readFilePieces(bytes.path, (piece) => hash.update(piece))
  return hash.digest('hex')
}
