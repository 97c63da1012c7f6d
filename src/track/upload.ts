import { stat } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import { z } from 'zod'
import type { Call } from '../call.ts'
import { AudileError, DecodeError, ParameterError } from '../errors.ts'
import { newId } from '../ids.ts'
import { ANALYZE_JOB, PRIORITY, type TrackContext } from './context.ts'
import { bucket, describe, statusOf, type TrackAnswer } from './describe.ts'
import type { Stored } from './spool.ts'
import type { TrackRow } from './store.ts'
import { readTags, type Tags } from './tags.ts'

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
  const deadline =
    url === undefined
      ? signal
      : AbortSignal.any([signal, AbortSignal.timeout(config.limits.downloadSeconds * 1000)])
  const from = source ?? (await request(url as string, host, deadline))
  try {
    const stored = await spool.receive(async () => {
      deadline.throwIfAborted()
      return await host.pull(from, deadline)
    })
    return { ...stored, spooled: true }
  } catch (error) {
    await host.release(from).catch(() => {})
    throw url === undefined ? error : downloadFailure(url, error, signal, config.limits)
  }

  async function request(address: string, by: typeof host, until: AbortSignal): Promise<number> {
    checkAddress(address)
    try {
      const response = await by.fetch(address, until)
      if (response.status >= 200 && response.status < 300) return response.source
      await by.release(response.source)
      const status = `${response.status} ${response.statusText}`.trim()
      throw new DecodeError(`${address} could not be downloaded: the server answered ${status}.`)
    } catch (error) {
      throw downloadFailure(address, error, signal, config.limits)
    }
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
  const known = store.byMd5(taken.md5)
  const tags: Tags = known ? { foreignIds: [] } : await readTags(taken.path)
  const path = taken.spooled ? await spool.keep(taken) : taken.path
  const info = await stat(path)
  const now = context.now()
  const row = store.atomically(() => {
    const { md5, spooled } = taken
    const id = newId('track', now)
    if (!store.add({ id, md5, path, spooled, url, tags, now })) {
      revisit(context, store.byMd5(md5) as TrackRow, { path, spooled })
    }
    const added = store.byMd5(md5) as TrackRow
    if (added.status === 'pending') {
      context.enqueue({
        kind: ANALYZE_JOB,
        subject: added.id,
        // An unchanged size and time save hashing the file a second time.
        payload: { size: info.size, modified: info.mtimeMs },
        priority: wait ? PRIORITY.awaited : PRIORITY.background,
      })
    }
    return added
  })
  if (taken.spooled && row.status === 'complete' && !context.config.keepAudio) {
    store.forgetPath(row.id)
    await spool.discard(path)
  }
  if (!known) context.emit('track', { id: row.id, status: row.status, progress: 0 })
  return row
}

/** The bytes are known: take note of where they are now, and try again what has no good analysis. */
function revisit(
  { store, analyzerVersion, now }: TrackContext,
  known: TrackRow,
  { path, spooled }: { path: string; spooled: boolean },
): void {
  // A file of the user's own may be gone tomorrow; a copy that audile keeps stays its source.
  if (known.path === null || !known.spooled || spooled) store.move(known.id, path, spooled)
  const status = statusOf(known, analyzerVersion)
  if (status !== 'complete' && status !== 'pending') store.pend(known.id, now())
}
