// The audio of a track, as a whole or a part of it, so that a browser can seek.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Refusal } from './guard.mjs'

const TYPES = {
  '.mp3': 'audio/mpeg',
  '.flac': 'audio/flac',
  '.ogg': 'audio/ogg',
  '.oga': 'audio/ogg',
  '.opus': 'audio/ogg',
  '.wav': 'audio/wav',
  '.m4a': 'audio/mp4',
  '.mp4': 'audio/mp4',
  '.aac': 'audio/aac',
  '.aif': 'audio/aiff',
  '.aiff': 'audio/aiff',
  '.aifc': 'audio/aiff',
  '.au': 'audio/basic',
}

/** Sends the file of a track, or the range of it that is asked for (RFC 9110, 14). */
export async function sendAudio(request, response, music, id) {
  const track = await music.tracks.get(id).catch((error) => {
    if (error.code !== 'unknown_identifier') throw error
  })
  const { path, file } = await fileOf(track?.files ?? [])
  const { size, mtime } = file
  const etag = `"${size.toString(16)}-${Math.trunc(mtime.getTime()).toString(16)}"`
  const headers = {
    'accept-ranges': 'bytes',
    'content-type': TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream',
    etag,
  }
  const { range, 'if-range': unless } = request.headers
  const part = unless === undefined || unless === etag ? rangeOf(range, size) : undefined
  if (part === null) {
    response.writeHead(416, { ...headers, 'content-range': `bytes */${size}` })
    return void response.end()
  }
  const { start, end } = part ?? { start: 0, end: size - 1 }
  headers['content-length'] = end - start + 1
  if (part) headers['content-range'] = `bytes ${start}-${end}/${size}`
  response.writeHead(part ? 206 : 200, headers)
  if (request.method === 'HEAD' || size === 0) return void response.end()
  await pipeline(createReadStream(path, { start, end }), response).catch((error) => {
    // A browser that seeks hangs up in the middle.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  })
}

/** `undefined`: all of it; `null`: there is no such part. Several ranges at once are answered as a whole. */
function rangeOf(header, size) {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === undefined || (first === '' && last === '')) return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? null : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= size ? null : { start, end }
}

/** The first file that is there; any of a track's has all of its bytes. */
async function fileOf(files) {
  for (const { path } of files) {
    const file = await stat(path).catch(() => undefined)
    if (file?.isFile()) return { path, file }
  }
  if (files.length === 0) throw new Refusal(404, 'No track of the library has this id.')
  throw new Refusal(404, `${files[0].path} is not there any more: scan its new folder.`)
}

/** Seconds of silence, and samples of it in a second: the page loops it. */
const [SECONDS, RATE] = [10, 8000]

/** Sends a WAV file of silence, of 8 bits. */
export function sendSilence(response) {
  const bytes = Buffer.alloc(44 + SECONDS * RATE, 128)
  bytes.write('RIFF', 0)
  bytes.writeUInt32LE(bytes.length - 8, 4)
  bytes.write('WAVEfmt ', 8)
  bytes.writeUInt32LE(16, 16)
  for (const [at, value] of [
    [20, 1], // PCM
    [22, 1], // one channel
    [32, 1], // bytes of a frame
    [34, 8], // bits
  ]) {
    bytes.writeUInt16LE(value, at)
  }
  for (const at of [24, 28]) bytes.writeUInt32LE(RATE, at)
  bytes.write('data', 36)
  bytes.writeUInt32LE(SECONDS * RATE, 40)
  response.writeHead(200, { 'content-type': 'audio/wav', 'content-length': bytes.length })
  response.end(bytes)
}
