import { open } from 'node:fs/promises'
import { isForeignSound, KNOWN_FORMATS, SNIFFED_BYTES, sniffFormat } from '../audio/formats.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { DecodeError } from '../values/errors.ts'

/** Of a file that is not audio, in the error. */
const SHOWN_BYTES = 16

/** Enough to recognise its format. */
export async function readHead(path: string): Promise<Uint8Array> {
  const head = new Uint8Array(SNIFFED_BYTES)
  const file = await open(path, 'r')
  try {
    const { bytesRead } = await file.read(head, 0, SNIFFED_BYTES, 0)
    return head.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

export function looksLikeAudio({ config }: Pick<Kernel, 'config'>, head: Uint8Array): boolean {
  return (
    sniffFormat(head) !== undefined || (config.ffmpegPath !== undefined && isForeignSound(head))
  )
}

/**
 * With `ffmpegPath` any non-empty file passes: ffmpeg decides when the track is analysed.
 * @param name - how the error names the file
 * @throws {DecodeError} when it is unreadable, empty, or not audio (then with its first bytes)
 */
export async function requireAudio(
  room: Pick<Kernel, 'config'>,
  path: string,
  name: string,
): Promise<void> {
  const head = await readHead(path).catch((error: Error) => {
    throw new DecodeError(`Cannot read ${path}: ${error.message}.`, { cause: error })
  })
  if (head.length === 0) throw new DecodeError(`${name} is empty (0 bytes).`)
  if (room.config.ffmpegPath !== undefined || looksLikeAudio(room, head)) return
  throw new DecodeError(
    `${name} is no audio file that audile knows: it begins with ${showBytes(head)}. Known by their ` +
      `content are ${KNOWN_FORMATS}. With the option ffmpegPath, ffmpeg tries it too.`,
  )
}

/** Printable text in quotes, other bytes in hexadecimal. */
function showBytes(head: Uint8Array): string {
  const bytes = Buffer.from(head.subarray(0, SHOWN_BYTES))
  const text = bytes.toString('latin1')
  if (/^[\t\n\r\x20-\x7e]+$/.test(text)) return JSON.stringify(text)
  return `the bytes ${bytes.toString('hex').replace(/..(?!$)/g, '$& ')}`
}
