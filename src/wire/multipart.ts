import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy } from '@fastify/busboy'
import { ParameterError } from '../values/errors.ts'
import type { RequestForm } from './form.ts'
import { unreadableBody } from './form.ts'
import type { WireLimits } from './options.ts'

const MAX_NAME_LENGTH = 1000

/**
 * Reads the body as a stream.
 * @throws {ParameterError} if it is malformed, ends early, or exceeds a limit
 */
export async function readMultipart(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  form: RequestForm,
  limits: Readonly<WireLimits>,
): Promise<void> {
  const { fileParameter } = form
  const parser = openParser(contentType, fileParameter?.name, limits)
  const streams: Readable[] = []
  const fileReads: Promise<void>[] = []
  // Errors after the first are only its consequences.
  let firstError: unknown
  const stopWith = (error: unknown) => {
    firstError ??= error
    parser.destroy(toFormError(error))
  }
  const readFile = async (stream: Readable) => {
    if (fileParameter === undefined) return
    const buffer = form.openBuffer(fileParameter)
    for await (const bytes of stream) await buffer.append(bytes as Uint8Array)
    if (buffer.size > 0) form.addFile(buffer.readBytes())
    else form.emptyFile = true
  }

  parser.on('file', (_name, stream) => {
    // The parser can emit an error on the stream after the end.
    stream.on('error', () => {})
    streams.push(stream)
    fileReads.push(readFile(stream).catch(stopWith))
  })
  parser.on('field', (name: string | undefined, value, nameCut, valueCut) => {
    try {
      if (name === undefined) throw unreadableBody('a part has no name')
      if (nameCut || valueCut) throw form.limitError('parameterBytes')
      form.addPair(name, value)
    } catch (error) {
      stopWith(error)
    }
  })
  parser.on('partsLimit', () => stopWith(form.limitError('parameters')))

  try {
    await pipeline(Readable.from(body, { objectMode: false }), parser)
  } catch (error) {
    firstError ??= error
  }
  if (firstError !== undefined) for (const stream of streams) stream.destroy()
  await Promise.all(fileReads)
  if (firstError !== undefined) throw toFormError(firstError)
}

function openParser(contentType: string, file: string | undefined, limits: Readonly<WireLimits>) {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      isPartAFile: (name) => name !== undefined && name === file,
      limits: {
        fieldNameSize: MAX_NAME_LENGTH,
        fieldSize: limits.parameterBytes,
        parts: limits.parameters + 1,
        headerPairs: 100,
      },
    })
  } catch (error) {
    throw toFormError(error)
  }
}

function toFormError(error: unknown): Error {
  // A system error, such as a full disk, is not a malformed form.
  if (error instanceof ParameterError || 'errno' in (error as Error)) return error as Error
  const { message } = error as Error
  return unreadableBody(message.charAt(0).toLowerCase() + message.slice(1))
}
