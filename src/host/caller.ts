import { AudileError, fromPlain, toPlain } from '../values/errors.ts'

export interface CallSite {
  stack?: string
}

/** The stack is formatted only when it is read. */
export function callSite(): CallSite {
  const site: CallSite = {}
  Error.captureStackTrace?.(site, callSite)
  return site
}

/** The stack begins at the caller's line, and the engine's error is the `cause`. */
export function atCallSite(site: CallSite, error: unknown): unknown {
  const frames = callersFrames(site.stack)
  if (!(error instanceof AudileError) || frames === undefined) return error
  const { cause: _, ...plain } = toPlain(error)
  const callersError = fromPlain(plain)
  callersError.stack = `${callersError}\n${frames}`
  Object.defineProperty(callersError, 'cause', { value: error, configurable: true, writable: true })
  return callersError
}

/** Removes audile's lines from the top of the stack. */
export function atCaller<E extends Error>(error: E): E {
  const frames = callersFrames(error.stack)
  if (frames !== undefined) error.stack = `${error}\n${frames}`
  return error
}

/** From the first line outside this package; `undefined` when there is none. */
function callersFrames(stack: string | undefined): string | undefined {
  const lines = stack?.split('\n').filter((line) => STACK_FRAME.test(line)) ?? []
  const firstForeign = lines.findIndex((line) => !isOwnFrame(line))
  return firstForeign < 0 ? undefined : lines.slice(firstForeign).join('\n')
}

const STACK_FRAME = /^\s+at /
const NODE_MODULE = /^node:/
/** After a path or an address. */
const FRAME_POSITION = /:\d+:\d+$/

/** The package's code folder as in stacks, with a trailing separator: the build's, or `src`. */
const OWN_FOLDER = folderOf(
  new Error().stack?.split('\n').find((line) => STACK_FRAME.test(line)),
).replace(/(\bsrc[\\/])host[\\/]$/, '$1')

function isOwnFrame(line: string): boolean {
  // Frames without a file, such as `at async Promise.all`, belong to the line before.
  const location = frameLocation(line)
  return (
    location === undefined ||
    NODE_MODULE.test(location) ||
    (OWN_FOLDER !== '' && location.startsWith(OWN_FOLDER))
  )
}

/** In brackets after a function's name, or alone after `at`. */
function frameLocation(line: string): string | undefined {
  const bracket = line.indexOf(' (')
  const isNamed = bracket >= 0 && line.endsWith(')')
  const text = isNamed
    ? line.slice(bracket + 2, -1)
    : line.replace(STACK_FRAME, '').replace('async ', '')
  return FRAME_POSITION.test(text) ? text.replace(FRAME_POSITION, '') : undefined
}

function folderOf(line: string | undefined): string {
  const location = frameLocation(line ?? '') ?? ''
  return location.slice(0, Math.max(location.lastIndexOf('/'), location.lastIndexOf('\\')) + 1)
}
