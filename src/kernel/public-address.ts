import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { unlessAborted } from './abort.ts'

/** IPv6 addresses that the world can reach begin so: 2000::/3. */
const GLOBAL = /^[23]/

/** Names that browsers take for this machine though a resolver may not know them (RFC 6761). */
const THIS_MACHINE = /(^|\.)localhost\.?$/i

/** Whether an IP address is one of the public internet; not of this machine, its network, or none. */
export function isPublic(address: string): boolean {
  // A scope, as in fe80::1%eth0, is of a local network by itself.
  if (address.includes('%')) return false
  const parsed = ipaddr.process(address)
  const range = parsed.range()
  // How networks without IPv4 write an IPv4 address (RFC 6052): the last 32 bits count.
  if (range === 'rfc6052') return isPublic(parsed.toByteArray().slice(-4).join('.'))
  if (range !== 'unicast') return false
  return parsed.kind() === 'ipv4' || GLOBAL.test(parsed.toNormalizedString())
}

/** The host of a URL if it is written as an IP address: for such no name is looked up. */
export function ipOf({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 ? undefined : host
}

/**
 * Whether a URL leads to the public internet: its address, or every one that its name stands for. A
 * name that cannot be looked up here counts as public: only a proxy can know where it leads.
 *
 * @throws the signal's reason on abort
 */
export function isPublicHost(url: URL, signal: AbortSignal): Promise<boolean> {
  const ip = ipOf(url)
  if (ip !== undefined) return Promise.resolve(isPublic(ip))
  if (THIS_MACHINE.test(url.hostname)) return Promise.resolve(false)
  const found = lookup(url.hostname, { all: true }).then(
    (all) => all.every(({ address }) => isPublic(address)),
    () => true,
  )
  return unlessAborted(found, signal)
}
