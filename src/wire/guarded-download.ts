import { lookup as resolveName } from 'node:dns'
import { get as getHttp, type IncomingMessage } from 'node:http'
import { get as getHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { openDownload } from '../kernel/download.ts'
import { ipOf, isPublic } from '../kernel/public-address.ts'
import { invalidParameter, limitExceeded, ParameterError } from '../values/errors.ts'
import { quoted } from '../values/text.ts'
import { tooLarge } from './buffered-bytes.ts'
import type { WireLimits } from './options.ts'

/**
 * Downloads an address; the guard also checks redirects and resolved host names.
 * @throws {ParameterError} when an address is refused, a download fails, or a limit is exceeded
 */
export async function* guardedDownload(
  url: string,
  guard: AddressGuard,
  { downloadSeconds, uploadBytes }: Readonly<WireLimits>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const address = addressOf(url)
  guard.checkUrl(address)
  const limit = { name: 'uploadBytes', bytes: uploadBytes }
  const download = await openDownload(address.href, {
    signal,
    time: {
      seconds: downloadSeconds,
      error: () =>
        limitExceeded(
          'url',
          `${quoted(url)} took longer than the ${downloadSeconds} s of limits.downloadSeconds`,
        ),
    },
    size: { bytes: uploadBytes, error: () => tooLarge('url', limit) },
    async request(target, { signal }) {
      const message = await requestPage(new URL(target), guard, signal)
      return {
        status: message.statusCode ?? 0,
        headers: { location: message.headers.location },
        bytes: message,
        end: () => message.destroy(),
      }
    },
    check: (target) => guard.checkUrl(target),
    failure: (reason, error) =>
      error instanceof ParameterError
        ? error
        : invalidParameter('url', `${quoted(url)} could not be downloaded: ${reason}`),
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

function requestPage(
  address: URL,
  { lookup }: AddressGuard,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const get = address.protocol === 'https:' ? getHttps : getHttp
  // No kept-alive connection, because it was checked for another address.
  const options = { lookup, signal, agent: false, headers: { 'accept-encoding': 'identity' } }
  return new Promise((resolve, reject) => {
    get(address, options, resolve).on('error', reject)
  })
}

export class AddressGuard {
  readonly #allowAddress: (address: string) => boolean

  constructor(allowAddress: (address: string) => boolean) {
    this.#allowAddress = allowAddress
  }

  /**
   * Checks a literal IP address, for which {@link lookup} is not called.
   * @throws {ParameterError}
   */
  checkUrl(url: URL): void {
    const ip = ipOf(url)
    if (ip !== undefined && !this.#mayReach(ip)) throw refusedAddress(ip)
  }

  /** Resolves the name for the connection itself, so that DNS cannot change after the check. */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    resolveName(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0)
      const forbidden = addresses.find(({ address }) => !this.#mayReach(address))
      if (forbidden) return callback(refusedAddress(hostname), '', 0)
      if (options.all === true) return callback(null, addresses)
      const [first] = addresses
      if (first) callback(null, first.address, first.family)
    })
  }

  #mayReach(address: string): boolean {
    try {
      return isPublic(address) || this.#allowAddress(address)
    } catch {
      // An address is refused if the callback throws.
      return false
    }
  }
}

function refusedAddress(host: string) {
  return invalidParameter('url', `"${host}" is no public address, or leads to none`)
}
