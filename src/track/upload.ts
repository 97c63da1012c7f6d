import { isAbsolute, resolve } from 'node:path'
import { z } from 'zod'
import type { Call } from '../call.ts'
import { AudileError, DecodeError, ParameterError } from '../errors.ts'
import { newId } from '../ids.ts'
import { ANALYZE_JOB, PRIORITY, type TrackContext } from './context.ts'
import { bucket, describe, statusOf, type TrackAnswer } from './describe.ts'
import type { Stored } from './spool.ts'
import type { TrackRow } from './store.ts'
import { readTags } from './tags.ts'

export const parameters = z
  .strictObject({
    /** Path of a file, which stays where it is. */
    file: z.string().min(1).optional(),
    /** Address of a file, downloaded with the `fetch` option. */
    url: z.string().min(1).optional(),
    /** A stream of bytes on the caller's side, by the number under which it was offered. */
    source: z.int().optional(),
    /** What the caller says of the format; the content decides. */
    filetype: z.enum(['wav', 'mp3', 'au', 'ogg', 'm4a', 'mp4', 'flac', 'opus', 'aiff']).optional(),
    wait: z.boolean().optional(),
    bucket,
  })
  .superRefine((given, context) => {
    const inputs = (['file', 'url', 'source'] as const).filter((name) => given[name] !== undefined)
    if (inputs.length === 0) {
      const message = 'track - Missing parameter: give file, url, bytes or samples'
      context.addIssue({ code: 'custom', message, params: { missing: true } })
    } else if (inputs.length > 1) {
      const path = [inputs[1] as string]
      context.addIssue({ code: 'custom', message: `beside ${inputs[0]}; give one of them`, path })
    }
    requireWait(given, context)
  })

/** A bucket needs `wait`: without it there is nothing yet to fill it. */
export function requireWait(
  given: { wait?: boolean | undefined; bucket?: unknown },
  context: z.core.$RefinementCtx,
): void {
  if (given.bucket === undefined || given.wait) return
  const message = 'is valid only when wait is true'
  context.addIssue({ code: 'custom', message, path: ['bucket'], input: given.bucket })
}

/** Where an upload's bytes are, and whether in a copy of audile's own. */
interface Taken extends Stored {
  spooled: boolean
}

/**
 * `track/upload`: registers a file and has it analysed. The same bytes uploaded twice are one
 * track; a failed or outdated one is tried again.
 */
export async function upload(
  context: TrackContext,
  given: z.output<typeof parameters>,
  { signal }: Call,
): Promise<TrackAnswer> {
  const taken = await takeIn(context, given, signal)
  const { id } = await register(context, taken, given)
  const row = given.wait
    ? await context.waiters.settled(id, signal)
    : (context.store.byId(id) as TrackRow)
  return describe(context, row, given.bucket)
}

async function takeIn(
  { spool, host, config }: TrackContext,
  { file, url, source }: z.output<typeof parameters>,
  signal: AbortSignal,
): Promise<Taken> {
  if (file !== undefined) {
    return {
      ...(await spool.hash(isAbsolute(file) ? file : resolve(file), signal)),
      spooled: false,
    }
  }
  if (source !== undefined) return receive(source, signal)
  const address = url as string
  checkAddress(address)
  // A timer of its own: Node 20 may collect an AbortSignal.timeout() that only any() holds.
  const deadline = new AbortController()
  const onAbort = () => deadline.abort(signal.reason)
  signal.addEventListener('abort', onAbort)
  const timeUp = () => deadline.abort(new DOMException('time is up', 'TimeoutError'))
  const timer = setTimeout(timeUp, config.limits.downloadSeconds * 1000)
  try {
    return await receive(await request(address, deadline.signal), deadline.signal)
  } catch (error) {
    throw downloadFailure(address, error, signal, config.limits)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }

  async function receive(from: number, until: AbortSignal): Promise<Taken> {
    try {
      const stored = await spool.receive(() => host.pull(from, until))
      return { ...stored, spooled: true }
    } finally {
      // What was not read to its end; a host that is gone has nothing left to release.
      await host.release(from).catch(() => {})
    }
  }

  async function request(from: string, until: AbortSignal): Promise<number> {
    const response = await host.fetch(from, until)
    if (response.status >= 200 && response.status < 300) return response.source
    await host.release(response.source)
    const status = `${response.status} ${response.statusText}`.trim()
    throw new DecodeError(`${from} could not be downloaded: the server answered ${status}.`)
  }
}

function checkAddress(address: string): void {
  const protocol = URL.canParse(address) ? new URL(address).protocol : ''
  if (protocol === 'http:' || protocol === 'https:') return
  throw new ParameterError(
    'invalid_parameter',
    `url - Invalid parameter: "${address}" must be an http or https address; for a path use file`,
  )
}

function downloadFailure(
  url: string,
  error: unknown,
  signal: AbortSignal,
  { downloadSeconds }: { downloadSeconds: number },
): unknown {
  if (signal.aborted) return signal.reason
  if (error instanceof AudileError) return error
  if ((error as Error)?.name === 'TimeoutError') {
    return new ParameterError(
      'limit_exceeded',
      `${url} took longer than the ${downloadSeconds} s of limits.downloadSeconds.`,
    )
  }
  const why = error instanceof Error ? error.message : String(error)
  return new DecodeError(`${url} could not be downloaded: ${why}`, { cause: error })
}

async function register(
  context: TrackContext,
  taken: Taken,
  { url, wait }: { url?: string | undefined; wait?: boolean | undefined },
): Promise<TrackRow> {
  const { store, spool } = context
  const { md5, size, modified, spooled } = taken
  const tags = await readTags(taken.path)
  const now = context.now()
  const path = spooled ? undefined : taken.path
  const [row, pended] = store.atomically((): [TrackRow, boolean] => {
    const added = store.add({ id: newId('track', now), md5, path, url, tags, now })
    const known = store.byMd5(md5) as TrackRow
    const again = !added && revisit(context, known, path)
    const pending = again || known.status === 'pending'
    if (spooled && (pending || context.config.keepAudio)) spool.keep(taken)
    if (pending) {
      context.enqueue({
        kind: ANALYZE_JOB,
        subject: known.id,
        // An unchanged size and time save hashing the file a second time.
        payload: { size, modified },
        priority: wait ? PRIORITY.awaited : PRIORITY.background,
      })
    }
    return [store.byMd5(md5) as TrackRow, added || again]
  })
  if (spooled) await spool.abandon(taken)
  if (pended) context.emit('track', { id: row.id, status: 'pending', progress: 0 })
  return row
}

/**
 * The bytes are known: takes note of where they are now, and has what has no good analysis tried
 * again; whether it does.
 */
function revisit(
  { store, analyzerVersion, config, now }: TrackContext,
  known: TrackRow,
  path: string | undefined,
): boolean {
  const status = statusOf(known, analyzerVersion)
  const again = status !== 'complete' && status !== 'pending'
  // A file of the user's own may be gone tomorrow; a copy that audile keeps stays its source.
  const kept = path === undefined && (config.keepAudio || status !== 'complete')
  if (kept || (path !== undefined && !known.spooled)) store.move(known.id, path)
  if (again) store.pend(known.id, now())
  return again
}
