import { lookup as resolveName } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { invalid } from './parameters.ts'

/** IPv6 addresses that the world can reach begin so: 2000::/3. */
const GLOBAL = /^[23]/

/** Whether an IP address is one of the public internet; not of this machine, its network, or none. */
export function isPublic(address: string): boolean {
  // A scope, as in fe80::1%eth0, is of a local network by itself.
  if (address.includes('%')) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || GLOBAL.test(parsed.toNormalizedString())
}

/** Decides which addresses a download may reach. */
export class AddressGuard {
  readonly #allow: (address: string) => boolean

  /** @param allow - asked for each address that is not public */
  constructor(allow: (address: string) => boolean) {
    this.#allow = allow
  }

  /**
   * Checks a host that is written as an address: no name is looked up for such.
   *
   * @throws {ParameterError}
   */
  check({ hostname }: URL): void {
    const host = hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && !this.#passes(host)) throw refused(host)
  }

  /**
   * Looks a name up, for the connection itself: what is checked is what is connected to, whatever
   * the name stands for a moment later.
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
      // A rule that throws allows nothing.
      return false
    }
  }
}

function refused(host: string) {
  return invalid('url', `"${host}" is no public address, or leads to none`)
}
