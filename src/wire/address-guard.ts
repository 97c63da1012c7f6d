import { lookup as resolveName } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { invalidParameter } from '../errors.ts'
import { ipOf, isPublic } from '../kernel/public-address.ts'

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
  check(url: URL): void {
    const ip = ipOf(url)
    if (ip !== undefined && !this.#passes(ip)) throw refused(ip)
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
  return invalidParameter('url', `"${host}" is no public address, or leads to none`)
}
