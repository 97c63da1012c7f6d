import { get as getHttp, type IncomingMessage } from 'node:http'
import { get as getHttps } from 'node:https'
import { invalidParameter, limitExceeded, ParameterError } from '../errors.ts'
import { openDownload } from '../kernel/download.ts'
import { quoted } from '../text.ts'
import type { AddressGuard } from './address-guard.ts'
import { tooLarge } from './buffered-bytes.ts'
import type { WireLimits } from './options.ts'

/**
 * The bytes at an address, requested when they are first read. The guard checks each address on the
 * way, those behind redirects and names too.
 *
 * @throws {ParameterError} where an address is refused, a download fails, or a limit is passed
 */
export async function* guardedDownload(
  url: string,
  guard: AddressGuard,
  { downloadSeconds, uploadBytes }: Readonly<WireLimits>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const address = addressOf(url)
  guard.check(address)
  const limit = { name: 'uploadBytes', bytes: uploadBytes }
  const download = await openDownload(address.href, {
    signal,
    time: { seconds: downloadSeconds, error: () => tooSlow(url, downloadSeconds) },
    size: { bytes: uploadBytes, error: () => tooLarge('url', limit) },
    async request(to, { signal }) {
      const message = await answerOf(new URL(to), guard, signal)
      return {
        status: message.statusCode ?? 0,
        headers: { location: message.headers.location },
        bytes: message,
        end: () => message.destroy(),
      }
    },
    check: (to) => guard.check(to),
    failure: (why, error) =>
      error instanceof ParameterError
        ? error
        : invalidParameter('url', `${quoted(url)} could not be downloaded: ${why}`),
  })
  try {
    yield* download.bytes
  } finally {
    await download.close()
  }
}

/** @throws {ParameterError} unless it is an http or https address */
export function addressOf(url: string): URL {
  const address = URL.canParse(url) ? new URL(url) : undefined
  if (address?.protocol === 'http:' || address?.protocol === 'https:') return address
  throw invalidParameter('url', `${quoted(url)} must be an http or https address`)
}

function answerOf(
  address: URL,
  { lookup }: AddressGuard,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const get = address.protocol === 'https:' ? getHttps : getHttp
  // A connection of its own: one kept from before was checked for another address.
  const options = { lookup, signal, agent: false, headers: { 'accept-encoding': 'identity' } }
  return new Promise((resolve, reject) => {
    get(address, options, resolve).on('error', reject)
  })
}

function tooSlow(url: string, seconds: number): ParameterError {
  return limitExceeded(
    'url',
    `${quoted(url)} took longer than the ${seconds} s of limits.downloadSeconds`,
  )
}
