import { DecodeError } from '../errors.ts'

/** The largest sample (one frame of a codec), bytes. */
export const MAX_SAMPLE = 4_194_304
export const MAX_SAMPLES = 16_777_216
/** Samples of one run of a fragment that lists no sizes, 5 s of PCM at 48 kHz. */
const MAX_RUN = 262_144

/**
 * Checks the sizes that stsz claims against its atom and the file.
 *
 * @param frame bytes of a frame of PCM, of which there may be any number; 0 for what is coded
 */
export function checkSampleSizes(body: DataView, fileSize: number, frame: number): void {
  need('stsz', body, 12)
  const fixed = body.getUint32(4)
  const count = fixed > 0 ? body.getUint32(8) : entries('stsz', body, 8, 12, 4)
  if (count > MAX_SAMPLES && !(fixed > 0 && frame > 0))
    throw broken('stsz', `claims ${count} samples`)
  if (fixed > 0 && count * fixed > 2 * fileSize + MAX_SAMPLE) {
    throw broken('stsz', `claims ${count} samples of ${fixed} bytes in ${fileSize}`)
  }
  if (fixed > MAX_SAMPLE) throw broken('stsz', `claims samples of ${fixed} bytes`)
  for (let i = 0; fixed === 0 && i < count; i++) {
    const size = body.getUint32(12 + 4 * i)
    if (size > MAX_SAMPLE) throw broken('stsz', `claims a sample of ${size} bytes`)
  }
}

/** The chunk offset at `at` of a chunk offset table with entries of `bytes` bytes. */
export function chunkOffset(table: DataView, at: number, bytes: 4 | 8): number {
  const high = bytes === 8 ? table.getUint32(at) * 2 ** 32 : 0
  return high + table.getUint32(at + bytes - 4)
}

/** Reads a count and checks that so many entries fit behind it. */
export function entries(
  type: string,
  body: DataView,
  at: number,
  start: number,
  width: number,
): number {
  need(type, body, start)
  const count = body.getUint32(at)
  const room = Math.floor((body.byteLength - start) / width)
  if (count > room) throw broken(type, `claims ${count} entries in room for ${room}`)
  return count
}

/** Units in a second of a media header, and units of the medium, 0 when it does not know. */
export function mediaTime(body: DataView): { scale: number; units: number } {
  const long = byteAt(body, 0) === 1
  need('mdhd', body, long ? 32 : 20)
  const scale = body.getUint32(long ? 20 : 12)
  if (!long) {
    const units = body.getUint32(16)
    return { scale, units: units === 0xffffffff ? 0 : units }
  }
  const high = body.getUint32(24)
  return { scale, units: high >= 2 ** 31 ? 0 : high * 2 ** 32 + body.getUint32(28) }
}

/** Units of a movie header's time in a second. */
export function movieScale(body: DataView): number {
  const long = byteAt(body, 0) === 1
  need('mvhd', body, long ? 32 : 20)
  return body.getUint32(long ? 20 : 12)
}

/** A part of the medium that an edit list presents. */
export interface Edit {
  /** Units of the movie's time scale; 0: up to the end of the medium. */
  duration: number
  /** Units of the medium's time scale. */
  start: number
}

/** The parts of the medium that an edit list presents, pauses left out. */
export function editsOf(body: DataView): Edit[] {
  const long = byteAt(body, 0) === 1
  const width = long ? 20 : 12
  const count = entries('elst', body, 4, 8, width)
  const edits: Edit[] = []
  for (let i = 0; i < count; i++) {
    const at = 8 + i * width
    const high = long ? body.getInt32(at + 8) : 0
    const start = long ? high * 2 ** 32 + body.getUint32(at + 12) : body.getInt32(at + 4)
    // −1: nothing is presented for so long.
    if (start < 0) continue
    const duration = long
      ? body.getUint32(at) * 2 ** 32 + body.getUint32(at + 4)
      : body.getUint32(at)
    edits.push({ duration, start })
  }
  return edits
}

/** Whether the decoder configuration (ISO/IEC 14496-1, 7.2.6.6) names MPEG-1 or MPEG-2 audio. */
export function isMp3(body: DataView): boolean {
  // Descriptors: a tag, a length of up to four bytes of 7 bits, the content. 3 holds 4.
  let at = 4
  for (let i = 0; i < 2; i++) {
    const tag = byteAt(body, at++)
    while (byteAt(body, at) & 0x80) at++
    at++
    if (tag === 4) return [0x69, 0x6b].includes(byteAt(body, at))
    at += 3
  }
  return false
}

export function checkRun(body: DataView): void {
  need('trun', body, 8)
  const flags = body.getUint32(0)
  const start = 8 + (flags & 1 ? 4 : 0) + (flags & 4 ? 4 : 0)
  const width = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length * 4
  if (width > 0) entries('trun', body, 4, start, width)
  else if (body.getUint32(4) > MAX_RUN) {
    throw broken('trun', `claims ${body.getUint32(4)} samples`)
  }
  if ((flags & 0x200) === 0) return
  const sizeAt = flags & 0x100 ? 4 : 0
  for (let i = 0; i < body.getUint32(4); i++) {
    const size = body.getUint32(start + i * width + sizeAt)
    if (size > MAX_SAMPLE) throw broken('trun', `claims a sample of ${size} bytes`)
  }
}

export function checkFragmentHead(body: DataView): void {
  need('tfhd', body, 8)
  const flags = body.getUint32(0)
  const before = (flags & 1 ? 8 : 0) + (flags & 2 ? 4 : 0) + (flags & 8 ? 4 : 0)
  if ((flags & 0x10) === 0) return
  need('tfhd', body, 12 + before)
  if (body.getUint32(8 + before) > MAX_SAMPLE) throw broken('tfhd', 'claims samples too large')
}

export function need(type: string, body: DataView, bytes: number): void {
  if (body.byteLength < bytes) {
    throw broken(type, `has ${body.byteLength} bytes, not ${bytes} or more`)
  }
}

export function byteAt(body: DataView, at: number): number {
  return at < body.byteLength ? body.getUint8(at) : 0
}

export function typeAt(view: DataView, at: number): string {
  if (at < 0 || at + 4 > view.byteLength) return '????'
  return String.fromCharCode(...[0, 1, 2, 3].map((i) => view.getUint8(at + i)))
}

export function broken(type: string, how: string): DecodeError {
  return new DecodeError(
    `This MP4 file is damaged: its atom "${type.replace(/[^ -~]/g, '?')}" ${how}.`,
  )
}
