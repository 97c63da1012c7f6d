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
 * Downloads an address; the request starts at the first read. The guard checks every address,
 * including redirects and resolved host names.
 *
 * @throws {ParameterError} when an address is refused, a download fails, or a limit is exceeded
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
    time: {
      seconds: downloadSeconds,
      error: () =>
        limitExceeded(
          'url',
          `${quoted(url)} took longer than the ${downloadSeconds} s of limits.downloadSeconds`,
        ),
    },
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
  // A new connection, because a kept-alive one was checked for another address.
  const options = { lookup, signal, agent: false, headers: { 'accept-encoding': 'identity' } }
  return new Promise((resolve, reject) => {
    get(address, options, resolve).on('error', reject)
  })
}

/** Decides which addresses a download may reach. */
export class AddressGuard {
  readonly #allow: (address: string) => boolean

  /** @param allow - returns whether an address that is not public is allowed */
  constructor(allow: (address: string) => boolean) {
    this.#allow = allow
  }

  /**
   * Checks a host that is written as an IP address, for which {@link lookup} is not called.
   *
   * @throws {ParameterError}
   */
  check(url: URL): void {
    const ip = ipOf(url)
    if (ip !== undefined && !this.#passes(ip)) throw refused(ip)
  }

  /**
   * Resolves a host name for the connection itself, so that the connection uses the checked address
   * even if DNS changes a moment later.
   */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    resolveName(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0)
      const wrong = found.find(({ address }) => !this.#passes(address))
      if (wrong) return callback(refused(hostname), '', 0)
      if (options.all === true) return callback(null, found)
      const [first] = found
      if (first) callback(null, first.address, first.family)
    })
  }

  #passes(address: string): boolean {
    try {
      return isPublic(address) || this.#allow(address)
    } catch {
      // If the callback throws, the address is refused.
      return false
    }
  }
}

function refused(host: string) {
  return invalidParameter('url', `"${host}" is no public address, or leads to none`)
}
