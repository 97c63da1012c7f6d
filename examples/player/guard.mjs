// Who may speak to the player: the page it served itself, in a browser that was given its address.
import { randomBytes, timingSafeEqual } from 'node:crypto'

/** A request that is turned down, with a status and the reason in words. */
export class Refusal extends Error {
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/**
 * Lets pass what comes from the player's own page. Loopback keeps other machines out; against other
 * pages in the same browser there is more: the Host must be a name of this machine (a foreign name
 * that was rebound to 127.0.0.1 has its own), the Origin this server's, and a cookie must show the
 * token of this run, which only the address printed in the terminal carries.
 */
export class Guard {
  #token = randomBytes(24).toString('base64url')
  #cookie
  #hosts

  constructor(port) {
    // Cookies are shared by all ports of a host.
    this.#cookie = `audile_player_${port}`
    this.#hosts = [`127.0.0.1:${port}`, `localhost:${port}`]
  }

  /** The address that opens the player. */
  get invitation() {
    return `http://${this.#hosts[0]}/?token=${this.#token}`
  }

  /**
   * @returns {URL} what the request asks for
   * @throws {Refusal}
   */
  admit(request, response) {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value)
    const { host, origin, 'sec-fetch-site': site } = request.headers
    if (!this.#hosts.includes(host))
      throw new Refusal(403, 'This is not the address of the player.')
    const url = addressOf(host, request)
    const changes = request.method !== 'GET' && request.method !== 'HEAD'
    if (origin === undefined ? changes : origin !== `http://${host}`) {
      throw new Refusal(403, 'Only the page of the player itself may ask for this.')
    }
    const entrance = url.pathname === '/' && !changes
    if (!entrance && site !== undefined && site !== 'same-origin' && site !== 'none') {
      throw new Refusal(403, 'Only the page of the player itself may ask for this.')
    }
    if (entrance && this.#isToken(url.searchParams.get('token'))) {
      const cookie = `${this.#cookie}=${this.#token}; Path=/; HttpOnly; SameSite=Strict`
      response.setHeader('set-cookie', cookie)
    } else if (!this.#isToken(this.#cookieOf(request))) {
      throw new Refusal(401, 'The player was started anew: open the address that it printed.')
    }
    return url
  }

  #cookieOf({ headers }) {
    const pairs = (headers.cookie ?? '').split(/;\s*/).map((pair) => pair.split('='))
    return pairs.find(([name]) => name === this.#cookie)?.[1]
  }

  #isToken(given) {
    const [mine, theirs] = [this.#token, given ?? ''].map((text) => Buffer.from(text))
    return mine.length === theirs.length && timingSafeEqual(mine, theirs)
  }
}

function addressOf(host, request) {
  try {
    return new URL(`http://${host}${request.url}`)
  } catch {
    throw new Refusal(400, 'That is no address.')
  }
}
