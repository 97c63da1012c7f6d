import { atomOf, atomsIn, broken, byteAt, bytesOf, need, typeAt } from './mp4-atoms.ts'

/** The most bytes of a codec's settings; they take some dozens, those of FLAC with covers thousands. */
const MOST_SETTINGS = 1_048_576
/** Atoms of a sample entry that hold the settings of its codec, which a decoder needs. */
const SETTINGS = new Set('esds alac dfLa dOps enda pcmC damr dac3 dec3 ddts'.split(' '))
/** Codes of encrypted entries: Common Encryption and iTunes. */
export const ENCRYPTED = /^(?:enc.|drm[si])$/

/** The first description of a track's samples. */
export interface SampleEntry {
  /** Four-letter code: 'mp4a', 'alac', … */
  codec: string
  sampleRate: number
  /** Bytes of a frame of PCM; 0 for coded sound. */
  frame: number
  /** 'mp4a' that holds MPEG audio, not AAC. */
  mp3: boolean
  encrypted: boolean
  /** The stsd atom with nothing but this entry and the settings of its codec. */
  descriptions: Buffer
}

/** The first entry of an stsd atom; undefined when it does not describe sound. */
export function sampleEntry(body: DataView): SampleEntry | undefined {
  if (body.byteLength < 8) throw broken('stsd', 'ends before its first entry')
  if (body.getUint32(4) === 0 || body.byteLength < 24) return undefined
  const size = body.getUint32(8)
  const codec = typeAt(body, 12)
  if (size < 16) return undefined
  if (size > body.byteLength - 8) {
    throw broken(codec, `is ${size} bytes long with ${body.byteLength - 8} left`)
  }
  const entry = new DataView(body.buffer, body.byteOffset + 8, size)
  if (size < 36) return undefined
  // Version 1 of ISO's stsd keeps the short head; the later versions of QuickTime have longer ones.
  const version = body.getUint8(0) === 1 ? 0 : entry.getUint16(16)
  const long = version === 2 && size >= 72
  const head = long ? 72 : version === 1 && size >= 52 ? 52 : 36
  const settings = new Map<string, DataView>()
  let encrypted = ENCRYPTED.test(codec)
  const collect = (atoms: DataView, start: number, depth: number) => {
    for (const { type, body: content } of atomsIn(atoms, start)) {
      if (type === 'sinf') encrypted = true
      else if (type === 'wave' && depth === 0) collect(content, 0, 1)
      else if (SETTINGS.has(type) && content.byteLength <= MOST_SETTINGS && !settings.has(type)) {
        settings.set(type, content)
      }
    }
  }
  collect(entry, long ? entry.getUint32(36) || head : head, 0)
  const esds = settings.get('esds')
  if (esds) need('esds', esds, 5)
  const channels = long ? entry.getUint32(48) : entry.getUint16(24)
  const bits = long ? entry.getUint32(56) : entry.getUint16(26)
  return {
    codec,
    sampleRate: long ? Math.round(entry.getFloat64(40)) || 0 : entry.getUint16(32),
    frame: pcmFrame(codec, channels, bits),
    mp3: esds !== undefined && isMp3(esds),
    encrypted,
    descriptions: reducedStsd(entry, head, version, settings),
  }
}

function pcmFrame(codec: string, channels: number, bits: number): number {
  const whole = (fallback: number) => Math.ceil((bits || fallback) / 8)
  const bytes = {
    sowt: whole(16),
    twos: whole(16),
    'raw ': whole(8),
    NONE: whole(8),
    in24: 3,
    in32: 4,
    fl32: 4,
    fl64: 8,
    ulaw: 1,
    alaw: 1,
    lpcm: whole(16),
    ipcm: whole(16),
    fpcm: whole(32),
  }[codec]
  return bytes === undefined ? 0 : bytes * channels
}

function reducedStsd(
  entry: DataView,
  head: number,
  version: number,
  settings: ReadonlyMap<string, DataView>,
): Buffer {
  const start = Buffer.from(bytesOf(entry).subarray(0, head))
  start.writeUInt16BE(head === 36 ? 0 : version, 16)
  if (head === 72) start.writeUInt32BE(72, 36)
  const parts = [...settings].map(([type, content]) => atomOf(type, bytesOf(content)))
  start.writeUInt32BE(parts.reduce((sum, { length }) => sum + length, head))
  return atomOf('stsd', Buffer.of(0, 0, 0, 0, 0, 0, 0, 1), start, ...parts)
}

/** Whether the decoder configuration (ISO/IEC 14496-1, 7.2.6.6) names MPEG-1 or MPEG-2 audio. */
function isMp3(esds: DataView): boolean {
  // Descriptors: a tag, a length of up to four bytes of 7 bits, the content. 3 holds 4.
  let at = 4
  for (let i = 0; i < 2; i++) {
    const tag = byteAt(esds, at++)
    while (byteAt(esds, at) & 0x80) at++
    at++
    if (tag === 4) return [0x69, 0x6b].includes(byteAt(esds, at))
    at += 3
  }
  return false
}
