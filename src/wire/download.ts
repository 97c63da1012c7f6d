import { get as getHttp, type IncomingMessage } from 'node:http'
import { get as getHttps } from 'node:https'
import { ParameterError } from '../errors.ts'
import { follow } from '../kernel/redirects.ts'
import { clearTimeout, setTimeout } from '../kernel/timers.ts'
import type { AddressGuard } from './address-guard.ts'
import { tooLarge } from './buffered-bytes.ts'
import { capped } from './incoming.ts'
import type { WireLimits } from './options.ts'
import { invalid, quoted } from './parameters.ts'

/**
 * The bytes at an address, asked for when they are first read. Each address on the way is checked,
 * those behind redirects and names too.
 *
 * @throws {ParameterError} where an address is refused, nothing can be had, or a limit is passed
 */
export async function* download(
  url: string,
  guard: AddressGuard,
  { downloadSeconds, uploadBytes }: Readonly<WireLimits>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const leave = new AbortController()
  const onAbort = () => leave.abort(signal.reason)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort)
  const timer = setTimeout(() => leave.abort(tooSlow(url, downloadSeconds)), downloadSeconds * 1000)
  const limit = { name: 'uploadBytes', bytes: uploadBytes }
  try {
    const response = await request(addressOf(url).href, guard, leave.signal)
    yield* capped(response, uploadBytes, () => tooLarge('url', limit))
  } catch (error) {
    leave.signal.throwIfAborted()
    if (error instanceof ParameterError) throw error
    throw invalid('url', `${quoted(url)} could not be downloaded: ${(error as Error).message}`)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    leave.abort()
  }
}

/** @throws {ParameterError} unless it is an http or https address */
export function addressOf(url: string): URL {
  const address = URL.canParse(url) ? new URL(url) : undefined
  if (address?.protocol === 'http:' || address?.protocol === 'https:') return address
  throw invalid('url', `${quoted(url)} must be an http or https address`)
}

async function request(
  url: string,
  guard: AddressGuard,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  guard.check(new URL(url))
  const { response } = await follow(url, {
    async ask(address) {
      const message = await answerOf(new URL(address), guard, signal)
      return { status: message.statusCode ?? 0, headers: message.headers, message }
    },
    leave: ({ message }) => message.destroy(),
    check: (to) => guard.check(to),
  })
  const { status, message } = response
  if (status >= 200 && status < 300) return message
  message.destroy()
  throw new Error(`the server answered ${status}`)
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
  return new ParameterError(
    'limit_exceeded',
    `url - Invalid parameter: ${quoted(url)} took longer than the ${seconds} s of limits.downloadSeconds`,
  )
}
