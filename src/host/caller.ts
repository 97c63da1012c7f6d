import { AudileError, fromPlain, toPlain } from '../values/errors.ts'

/** The line of the program that called audile. */
export interface CallSite {
  stack?: string
}

/** Captures where the current call comes from. The stack is formatted only when it is read. */
export function callSite(): CallSite {
  const site: CallSite = {}
  Error.captureStackTrace?.(site, callSite)
  return site
}

/**
 * The error of a call as its caller sees it: the stack begins at the caller's line, and the engine's
 * error, with its stack, is the `cause`. Other errors, such as reasons of signals, stay as they are.
 */
export function seenFrom(site: CallSite, error: unknown): unknown {
  const frames = callersFrames(site.stack)
  if (!(error instanceof AudileError) || frames === undefined) return error
  const { cause: _, ...plain } = toPlain(error)
  const seen = fromPlain(plain)
  seen.stack = `${seen}\n${frames}`
  Object.defineProperty(seen, 'cause', { value: error, configurable: true, writable: true })
  return seen
}

/** Removes audile's lines from the top of the stack of an error that it throws. */
export function atCaller<E extends Error>(error: E): E {
  const frames = callersFrames(error.stack)
  if (frames !== undefined) error.stack = `${error}\n${frames}`
  return error
}

/** The lines of a stack from the first one outside this package; `undefined` when there is none. */
function callersFrames(stack: string | undefined): string | undefined {
  const lines = stack?.split('\n').filter((line) => FRAME.test(line)) ?? []
  const first = lines.findIndex((line) => !isOwn(line))
  return first < 0 ? undefined : lines.slice(first).join('\n')
}

const FRAME = /^\s+at /
const NODES = /^node:/
/** The line and column after a path or an address. */
const POSITION = /:\d+:\d+$/

/** The package's code folder as in stacks, with a trailing separator: the build's, or `src`. */
const OWN = folderOf(new Error().stack?.split('\n').find((line) => FRAME.test(line))).replace(
  /(\bsrc[\\/])host[\\/]$/,
  '$1',
)

function isOwn(line: string): boolean {
  // Frames without a file, such as `at async Promise.all`, belong to the line before.
  const place = placeOf(line)
  return place === undefined || NODES.test(place) || (OWN !== '' && place.startsWith(OWN))
}

/** The path or address in a frame: in brackets after a function's name, or alone after `at`. */
function placeOf(line: string): string | undefined {
  const opened = line.indexOf(' (')
  const isNamed = opened >= 0 && line.endsWith(')')
  const text = isNamed ? line.slice(opened + 2, -1) : line.replace(FRAME, '').replace('async ', '')
  return POSITION.test(text) ? text.replace(POSITION, '') : undefined
}

function folderOf(line: string | undefined): string {
  const place = placeOf(line ?? '') ?? ''
  return place.slice(0, Math.max(place.lastIndexOf('/'), place.lastIndexOf('\\')) + 1)
}
