import { atomOf, atomsIn, brokenAtom, byteAt, bytesOf, requireBytes, typeAt } from './mp4-atoms.ts'

/** Most settings take dozens of bytes, those of FLAC with covers thousands. */
const MAX_SETTINGS_BYTES = 1_048_576
/** Atoms of settings that a decoder needs. */
const SETTINGS_ATOMS = new Set('esds alac dfLa dOps enda pcmC damr dac3 dec3 ddts'.split(' '))
/** Codes of encrypted entries: Common Encryption and iTunes. */
export const ENCRYPTED_CODES = /^(?:enc.|drm[si])$/

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
export function readSampleEntry(body: DataView): SampleEntry | undefined {
  if (body.byteLength < 8) throw brokenAtom('stsd', 'ends before its first entry')
  if (body.getUint32(4) === 0 || body.byteLength < 24) return undefined
  const size = body.getUint32(8)
  const codec = typeAt(body, 12)
  if (size < 16) return undefined
  if (size > body.byteLength - 8) {
    throw brokenAtom(codec, `is ${size} bytes long with ${body.byteLength - 8} left`)
  }
  const entry = new DataView(body.buffer, body.byteOffset + 8, size)
  if (size < 36) return undefined
  // QuickTime's later versions have longer heads; version 1 of ISO's stsd has not.
  const version = body.getUint8(0) === 1 ? 0 : entry.getUint16(16)
  const isLong = version === 2 && size >= 72
  const head = isLong ? 72 : version === 1 && size >= 52 ? 52 : 36
  const settings = new Map<string, DataView>()
  let encrypted = ENCRYPTED_CODES.test(codec)
  const collectSettings = (atoms: DataView, start: number, depth: number) => {
    for (const { type, body: content } of atomsIn(atoms, start)) {
      if (type === 'sinf') encrypted = true
      else if (type === 'wave' && depth === 0) collectSettings(content, 0, 1)
      else if (
        SETTINGS_ATOMS.has(type) &&
        content.byteLength <= MAX_SETTINGS_BYTES &&
        !settings.has(type)
      ) {
        settings.set(type, content)
      }
    }
  }
  collectSettings(entry, isLong ? entry.getUint32(36) || head : head, 0)
  const esds = settings.get('esds')
  if (esds) requireBytes('esds', esds, 5)
  const channels = isLong ? entry.getUint32(48) : entry.getUint16(24)
  const bits = isLong ? entry.getUint32(56) : entry.getUint16(26)
  return {
    codec,
    sampleRate: isLong ? Math.round(entry.getFloat64(40)) || 0 : entry.getUint16(32),
    frame: pcmFrameBytes(codec, channels, bits),
    mp3: esds !== undefined && isMp3(esds),
    encrypted,
    descriptions: reduceStsd(entry, head, version, settings),
  }
}

function pcmFrameBytes(codec: string, channels: number, bits: number): number {
  const bytesOrDefault = (fallback: number) => Math.ceil((bits || fallback) / 8)
  const bytes = {
    sowt: bytesOrDefault(16),
    twos: bytesOrDefault(16),
    'raw ': bytesOrDefault(8),
    NONE: bytesOrDefault(8),
    in24: 3,
    in32: 4,
    fl32: 4,
    fl64: 8,
    ulaw: 1,
    alaw: 1,
    lpcm: bytesOrDefault(16),
    ipcm: bytesOrDefault(16),
    fpcm: bytesOrDefault(32),
  }[codec]
  return bytes === undefined ? 0 : bytes * channels
}

function reduceStsd(
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
  // Descriptors are a tag, a length of up to four bytes, the content; 3 holds 4.
  let offset = 4
  for (let i = 0; i < 2; i++) {
    const tag = byteAt(esds, offset++)
    while (byteAt(esds, offset) & 0x80) offset++
    offset++
    if (tag === 4) return [0x69, 0x6b].includes(byteAt(esds, offset))
    offset += 3
  }
  return false
}
