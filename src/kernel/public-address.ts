import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { unlessAborted } from './abort.ts'

/** Public IPv6 addresses: 2000::/3. */
const GLOBAL_IPV6 = /^[23]/

/** A resolver may not know these names (RFC 6761). */
const THIS_MACHINE = /(^|\.)localhost\.?$/i

export function isPublic(address: string): boolean {
  // Only local addresses have a scope, such as fe80::1%eth0.
  if (address.includes('%')) return false
  const parsed = ipaddr.process(address)
  const range = parsed.range()
  // An IPv4 address in a network without IPv4 (RFC 6052): the last 32 bits.
  if (range === 'rfc6052') return isPublic(parsed.toByteArray().slice(-4).join('.'))
  if (range !== 'unicast') return false
  return parsed.kind() === 'ipv4' || GLOBAL_IPV6.test(parsed.toNormalizedString())
}

export function ipOf({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 ? undefined : host
}

/**
 * A name that cannot be looked up counts as public: only a proxy knows it.
 *
 * @throws the signal's reason on abort
 */
export function isPublicHost(url: URL, signal: AbortSignal): Promise<boolean> {
  const ip = ipOf(url)
  if (ip !== undefined) return Promise.resolve(isPublic(ip))
  if (THIS_MACHINE.test(url.hostname)) return Promise.resolve(false)
  const isEveryPublic = lookup(url.hostname, { all: true }).then(
    (all) => all.every(({ address }) => isPublic(address)),
    () => true,
  )
  return unlessAborted(isEveryPublic, signal)
}
