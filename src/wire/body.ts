import { type Holder, tooLarge } from './buffered-bytes.ts'
import { type Form, unreadable } from './form.ts'
import { capped, type Incoming } from './incoming.ts'
import { readMultipart } from './multipart.ts'
import type { WireLimits } from './options.ts'
import { readUrlencoded } from './urlencoded.ts'

/** Types of a body that is the file. */
const RAW = /^(application\/(octet-stream|json)|audio\/.+|)$/
const ACCEPTED =
  'application/x-www-form-urlencoded, multipart/form-data, or application/octet-stream'

/**
 * Reads a body of any accepted type into a form.
 *
 * @param header - the content type
 */
export async function readBody(
  body: Incoming,
  header: string,
  form: Form,
  limits: Readonly<WireLimits>,
): Promise<void> {
  const type = (header.split(';')[0] as string).trim().toLowerCase()
  // Some clients announce multipart without a boundary, and send everything in the URL.
  if (await body.isEmpty()) {
    form.emptyFile = type !== '' && RAW.test(type)
    return
  }
  if (type === 'application/x-www-form-urlencoded') return readPairs(body, form)
  if (type === 'multipart/form-data') return readMultipart(body, header, form, limits)
  const { fileParameter } = form
  if (fileParameter === undefined || !RAW.test(type)) {
    throw unreadable(`its type is ${JSON.stringify(type)}; send ${ACCEPTED}`)
  }
  const { name, limit } = fileParameter
  const most = limits[limit]
  const raw = capped(body, most, () => tooLarge(name, { name: limit, bytes: most }))
  form.addFile({ read: () => raw })
}

async function readPairs(body: AsyncIterable<Uint8Array>, form: Form): Promise<void> {
  const { fileParameter } = form
  let name = ''
  let pieces: Uint8Array[] = []
  let size = 0
  let holder: Holder | undefined
  await readUrlencoded(body, {
    name(bytes) {
      name = text([bytes])
      const isFile = fileParameter?.text === true && fileParameter.name === name
      holder = isFile ? form.hold(fileParameter) : undefined
      pieces = []
      size = 0
    },
    value(bytes) {
      if (holder) return holder.write(bytes)
      size += bytes.length
      form.checkSize(size)
      pieces.push(bytes)
    },
    end() {
      if (!holder) form.add(name, text(pieces))
      else if (holder.size > 0) form.addFile(holder.held())
    },
  })
}

function text(pieces: readonly Uint8Array[]): string {
  return Buffer.concat(pieces).toString('utf8')
}
