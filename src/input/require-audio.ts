import { open } from 'node:fs/promises'
import { KNOWN_FORMATS } from '../audio/formats.ts'
import { HEAD_BYTES } from '../audio/sniff.ts'
import { DecodeError } from '../errors.ts'
import { formatOf, type InputRoom } from './room.ts'

/** So many bytes of what is no audio are told. */
const SHOWN = 16

/** The first bytes of a file, as many as its format can be told by. */
export async function headOf(path: string): Promise<Uint8Array> {
  const head = new Uint8Array(HEAD_BYTES)
  const file = await open(path, 'r')
  try {
    const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0)
    return head.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/**
 * Makes sure that a file may hold audio. With `ffmpegPath` ffmpeg decides of what audile does not
 * know, when the track is analysed.
 *
 * @param name - what to call the file in the error
 * @throws {DecodeError} saying what is in its place
 */
export async function requireAudio(
  room: Pick<InputRoom, 'config'>,
  path: string,
  name: string,
): Promise<void> {
  const head = await headOf(path).catch((error: Error) => {
    throw new DecodeError(`Cannot read ${path}: ${error.message}.`, { cause: error })
  })
  if (head.length === 0) throw new DecodeError(`${name} is empty (0 bytes).`)
  if (room.config.ffmpegPath !== undefined || formatOf(room, head) !== undefined) return
  throw new DecodeError(
    `${name} is no audio file that audile knows: it begins with ${shown(head)}. Known by their ` +
      `content are ${KNOWN_FORMATS}. With the option ffmpegPath, ffmpeg tries it too.`,
  )
}

/** Text as it is, other bytes in hexadecimal. */
function shown(head: Uint8Array): string {
  const bytes = Buffer.from(head.subarray(0, SHOWN))
  const text = bytes.toString('latin1')
  if (/^[\t\n\r\x20-\x7e]+$/.test(text)) return JSON.stringify(text)
  return `the bytes ${bytes.toString('hex').replace(/..(?!$)/g, '$& ')}`
}
