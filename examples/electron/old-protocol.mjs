// Has the old protocol answered at audile://api/v4/ in an Electron app, for programs that were written for the old service.
// @ts-check
import { createHandler } from 'audile/wire'

/** What the scheme may do: be an origin of its own, and be fetched from. */
export const SCHEME = {
  scheme: 'audile',
  privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true },
}

/**
 * No port is open, and only windows of this app can ask. Before the app is ready, call
 * `protocol.registerSchemesAsPrivileged([SCHEME])`, and this when it is.
 *
 * @param {Pick<import('electron').Protocol, 'handle'>} protocol
 * @param {import('audile').Audile} music
 */
export function serve(protocol, music) {
  const handle = createHandler(music, { onError: console.error })
  protocol.handle(SCHEME.scheme, (request) => {
    const { host, pathname, search } = new URL(request.url)
    if (host !== 'api') return new Response('There is nothing here.', { status: 404 })
    // The handler looks for /api/v4/ in the path, where this address has "api" as its host; the
    // analysis_url it answers with has it in the path already.
    if (pathname.startsWith('/api/')) return handle(request)
    return handle(new Request(`audile://api/api${pathname}${search}`, request))
  })
}
