// Who may ask a server on this machine: its own page, and programs that are no browser.

/**
 * Refuses what another page of a browser sends. It shows itself by its Origin or by Sec-Fetch-Site; a foreign
 * name that was rebound to 127.0.0.1 stands in the Host.
 *
 * @param {import('node:http').IncomingMessage} request
 */
export function isOwnRequest({ headers, socket }) {
  const { host, origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers
  const port = socket.localPort === 80 ? '' : `:${socket.localPort}`
  const isHere = host === `127.0.0.1${port}` || host === `localhost${port}`
  if (origin !== undefined) return isHere && origin === `http://${host}`
  // A user may follow a link to this server; the page with the link does not see the answer.
  return isHere && (mode === 'navigate' || [undefined, 'none', 'same-origin'].includes(site))
}
