import { type ByteSource, latin1 } from './bytes.ts'
import { type OggCodec, OggPackets, oggCodec, oggPages } from './ogg-pages.ts'

/** Header packets of a stream that are searched for comments; FLAC may have a handful in front. */
const MOST_PACKETS = 100

/** What stands in front of the comments in their packet; Speex has nothing there. */
const PREFIXES: Partial<Record<OggCodec, string>> = {
  vorbis: '\x03vorbis',
  opus: 'OpusTags',
  speex: '',
}
/** Type of a FLAC metadata block that holds comments. */
const VORBIS_COMMENT = 4

/**
 * The Vorbis comment of an Ogg file (vendor, list of `NAME=value`), which Vorbis, Opus, FLAC and Speex
 * share; undefined when there is none.
 */
export async function oggComment(source: ByteSource): Promise<Uint8Array | undefined> {
  const streams = new Map<number, { packets: OggPackets; codec: OggCodec; count: number }>()
  for await (const page of oggPages(source)) {
    if (page.begins && !streams.has(page.serial)) {
      const codec = oggCodec(page.body)
      if (codec === 'flac' || (codec && PREFIXES[codec] !== undefined)) {
        streams.set(page.serial, { packets: new OggPackets(), codec, count: 0 })
      }
    }
    const stream = streams.get(page.serial)
    if (!stream) {
      // The first pages of all streams come before any other page.
      if (streams.size === 0 && !page.begins) return undefined
      continue
    }
    for (const packet of stream.packets.push(page)) {
      const comment = stream.count++ === 0 ? undefined : commentIn(packet, stream.codec)
      if (comment) return comment
      if (stream.count > MOST_PACKETS) return undefined
    }
  }
  return undefined
}

function commentIn(packet: Uint8Array, codec: OggCodec): Uint8Array | undefined {
  if (codec === 'flac') {
    return ((packet[0] ?? 0) & 0x7f) === VORBIS_COMMENT ? packet.subarray(4) : undefined
  }
  const prefix = PREFIXES[codec] ?? ''
  return latin1(packet, 0, prefix.length) === prefix ? packet.subarray(prefix.length) : undefined
}

/** A FLAC file without sound around a Vorbis comment, which any reader of tags can read. */
export function flacAround(comment: Uint8Array): Uint8Array {
  const info = new Uint8Array(4 + 4 + 34)
  info.set(Buffer.from('fLaC'))
  info[7] = 34
  const last = 0x80 | VORBIS_COMMENT
  const { length } = comment
  return Buffer.concat([info, Uint8Array.of(last, length >> 16, length >> 8, length), comment])
}
