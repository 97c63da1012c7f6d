import { CATALOG_METHODS } from './catalog-methods.ts'
import type { WireMethod } from './method.ts'
import { SONG_METHODS } from './song-methods.ts'
import { TRACK_METHODS } from './track-methods.ts'

const METHODS: Readonly<Record<string, WireMethod>> = {
  ...CATALOG_METHODS,
  ...TRACK_METHODS,
  ...SONG_METHODS,
}

/** Groups by the other names that clients know them by. */
const GROUPS: Readonly<Record<string, string>> = { tasteprofile: 'catalog' }

/** What a request is for, and what stands before `/api/v4` in its address. */
export type Route =
  | { base: string; method: WireMethod }
  | { base: string; analysisOf: string }
  | undefined

/** Finds what an address is of; `undefined` when it is of nothing here. */
export function routeOf({ protocol, host, pathname }: URL): Route {
  const found = /^(.*?)\/api\/v4\/([^/]+)\/([^/]+)\/?$/.exec(pathname)
  if (!found) return undefined
  const [, before, group, name] = found as unknown as [string, string, string, string]
  // Not `origin`: of schemes of an application's own it is "null".
  const base = `${protocol}//${host}${before}`
  if (group === 'analysis') {
    const analysisOf = decoded(name)
    return analysisOf === undefined ? undefined : { base, analysisOf }
  }
  const path = `${Object.hasOwn(GROUPS, group) ? GROUPS[group] : group}/${name}`
  const method = Object.hasOwn(METHODS, path) ? METHODS[path] : undefined
  return method && { base, method }
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
