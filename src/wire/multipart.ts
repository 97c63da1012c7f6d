import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy } from '@fastify/busboy'
import { ParameterError } from '../values/errors.ts'
import type { Form } from './form.ts'
import { unreadable } from './form.ts'
import type { WireLimits } from './options.ts'

const LONGEST_NAME = 1000

/**
 * Reads a multipart body into a form, as a stream.
 *
 * @throws {ParameterError} if it is malformed, ends early, or exceeds a limit
 */
export async function readMultipart(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  form: Form,
  limits: Readonly<WireLimits>,
): Promise<void> {
  const { fileParameter } = form
  const parser = parserOf(contentType, fileParameter?.name, limits)
  const streams: Readable[] = []
  const taken: Promise<void>[] = []
  // The first fault ends the reading; later errors of the parser are only consequences.
  let fault: unknown
  const fail = (error: unknown) => {
    fault ??= error
    parser.destroy(asFault(error))
  }
  const take = async (stream: Readable) => {
    if (fileParameter === undefined) return
    const holder = form.hold(fileParameter)
    for await (const bytes of stream) await holder.write(bytes as Uint8Array)
    if (holder.size > 0) form.addFile(holder.held())
    else form.emptyFile = true
  }

  parser.on('file', (_name, stream) => {
    // The parser can emit an error on the stream after the end of the reading.
    stream.on('error', () => {})
    streams.push(stream)
    taken.push(take(stream).catch(fail))
  })
  parser.on('field', (name: string | undefined, value, nameCut, valueCut) => {
    try {
      if (name === undefined) throw unreadable('a part has no name')
      if (nameCut || valueCut) throw form.exceeded('parameterBytes')
      form.add(name, value)
    } catch (error) {
      fail(error)
    }
  })
  parser.on('partsLimit', () => fail(form.exceeded('parameters')))

  try {
    await pipeline(Readable.from(body, { objectMode: false }), parser)
  } catch (error) {
    fault ??= error
  }
  if (fault !== undefined) for (const stream of streams) stream.destroy()
  await Promise.all(taken)
  if (fault !== undefined) throw asFault(fault)
}

function parserOf(contentType: string, file: string | undefined, limits: Readonly<WireLimits>) {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      isPartAFile: (name) => name !== undefined && name === file,
      limits: {
        fieldNameSize: LONGEST_NAME,
        fieldSize: limits.parameterBytes,
        parts: limits.parameters + 1,
        headerPairs: 100,
      },
    })
  } catch (error) {
    throw asFault(error)
  }
}

function asFault(error: unknown): Error {
  // A system error, such as a full disk, is not a malformed form.
  if (error instanceof ParameterError || 'errno' in (error as Error)) return error as Error
  const { message } = error as Error
  return unreadable(message.charAt(0).toLowerCase() + message.slice(1))
}
