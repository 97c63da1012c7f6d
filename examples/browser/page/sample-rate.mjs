// Tells the sample rate that a file was made with, from its first bytes.

const AAC_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
]
/** Hz, of MPEG-1; MPEG-2 has half of it, MPEG-2.5 a quarter. */
const MPEG_RATES = [44_100, 48_000, 32_000]
const MPEG_DIVISORS = { 3: 1, 2: 2, 0: 4 }

/**
 * @param {Uint8Array} bytes of a whole file, or of its beginning
 * @returns {number | undefined} Hz; undefined when the file does not say it in a way that is known here
 */
export function sampleRateOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const at = afterTag(bytes)
  try {
    if (named(bytes, 0, 'RIFF') && named(bytes, 8, 'WAVE')) return waveRate(bytes, view)
    if (named(bytes, at, 'fLaC')) return view.getUint32(at + 18) >>> 12
    if (named(bytes, 0, 'OggS')) return oggRate(bytes, view)
    return mpegRate(bytes, at)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function named(bytes, at, name) {
  return [...name].every((letter, i) => bytes[at + i] === letter.charCodeAt(0))
}

/** Where the audio begins: behind an ID3v2 tag, if there is one. */
function afterTag(bytes) {
  if (!named(bytes, 0, 'ID3')) return 0
  return 10 + ((bytes[6] << 21) | (bytes[7] << 14) | (bytes[8] << 7) | bytes[9])
}

function waveRate(bytes, view) {
  for (let at = 12; ; at += 8 + view.getUint32(at + 4, true) + (view.getUint32(at + 4, true) & 1))
    if (named(bytes, at, 'fmt ')) return view.getUint32(at + 12, true)
}

/** The first packet stands behind the table of the page's segments. Opus always decodes to 48 kHz. */
function oggRate(bytes, view) {
  const packet = 27 + bytes[26]
  if (named(bytes, packet, 'OpusHead')) return 48_000
  if (named(bytes, packet + 1, 'vorbis')) return view.getUint32(packet + 12, true)
  if (named(bytes, packet + 1, 'FLAC')) return view.getUint32(packet + 27) >>> 12
  return undefined
}

/** A frame of MP3, or of AAC without a container. */
function mpegRate(bytes, at) {
  if (bytes[at] !== 0xff || (bytes[at + 1] & 0xe0) !== 0xe0) return undefined
  if ((bytes[at + 1] & 0xf6) === 0xf0) return AAC_RATES[(bytes[at + 2] >> 2) & 15]
  const rate = MPEG_RATES[(bytes[at + 2] >> 2) & 3]
  const divisor = MPEG_DIVISORS[(bytes[at + 1] >> 3) & 3]
  return rate && divisor && rate / divisor
}
