import { isPublicHost } from './public-address.ts'

/** Redirects that are followed one after the other. */
const MOST_REDIRECTS = 10
const MOVED = [301, 302, 303, 307, 308]
const MOVED_FOR_GOOD = [301, 308]

/** As much of an HTTP response as is needed to follow it. */
export interface Redirecting {
  status: number
  headers: { readonly location?: string | undefined }
  /** The address that answered, where it may be another than was asked. */
  url?: string
}

/** How {@link follow} asks. */
export interface Following<R extends Redirecting> {
  /** Requests one address; a redirect is answered as it is. */
  ask(address: string): Promise<R>
  /** Lets go of a response that only leads on. */
  leave(response: R): unknown
  /** @throws when an address may not be asked; `before` are those that lead there, oldest first */
  check(to: URL, before: readonly URL[]): unknown
}

/** What redirects lead to. */
export interface Followed<R> {
  response: R
  /** The address that answered. */
  from: string
  /** The address to ask the next time: elsewhere if it was said to have moved for good. */
  moved: string
}

/**
 * Asks an address, and follows redirects to http and https addresses, each of which is checked.
 *
 * @throws {Error} where they lead nowhere, to a password, or in circles
 */
export async function follow<R extends Redirecting>(
  url: string,
  { ask, leave, check }: Following<R>,
): Promise<Followed<R>> {
  const before: URL[] = []
  let from = url
  let moved = url
  let forGood = true
  for (;;) {
    const response = await ask(from)
    try {
      before.push(new URL(from))
      // The application's own fetch may have followed a redirect by itself.
      const answered = URL.canParse(response.url ?? '')
        ? new URL(response.url as string)
        : undefined
      if (answered && answered.host !== before.at(-1)?.host) await check(answered, before)
      const { location } = response.headers
      if (!MOVED.includes(response.status) || location === undefined) {
        return { response, from, moved }
      }
      if (before.length > MOST_REDIRECTS) {
        throw new Error(`it redirects more than ${MOST_REDIRECTS} times`)
      }
      const target = targetOf(location, from)
      await check(target, before)
      from = target.href
    } catch (error) {
      await leave(response)
      throw error
    }
    await leave(response)
    forGood &&= MOVED_FOR_GOOD.includes(response.status)
    if (forGood) moved = from
  }
}

/**
 * Lets an address that the application names lead wherever it may be, in its own network too; but
 * once a server of the public internet was asked, to public addresses only.
 *
 * @throws {Error} naming the host that is refused
 */
export async function checkRedirect(
  to: URL,
  before: readonly URL[],
  signal: AbortSignal,
): Promise<void> {
  if (await isPublicHost(to, signal)) return
  for (const one of before) {
    if (!(await isPublicHost(one, signal))) continue
    throw new Error(
      `"${one.host}" redirects to "${to.host}", which is no public address; if that is meant, give its address itself`,
    )
  }
}

function targetOf(location: string, from: string): URL {
  if (!URL.canParse(location, from)) {
    throw new Error(`it redirects to "${location}", which is no address`)
  }
  const target = new URL(location, from)
  if (target.protocol !== 'http:' && target.protocol !== 'https:') {
    throw new Error(`it redirects to ${target.protocol}, where only http and https are followed`)
  }
  if (target.username !== '' || target.password !== '') {
    throw new Error('it redirects to an address with a password in it')
  }
  target.hash = ''
  return target
}
