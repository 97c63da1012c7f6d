import type { ByteSource } from './byte-source.ts'
import { OggPackets, oggPages } from './ogg-pages.ts'

/** Header packets of a stream before its comments are given up; FLAC may have a handful in front. */
const MOST_PACKETS = 100

/** How the first packet of each codec begins, and how many bytes stand in front of its comments. */
const CODECS = [
  { head: '\x01vorbis', comments: '\x03vorbis' },
  { head: 'OpusHead', comments: 'OpusTags' },
  { head: 'Speex   ', comments: '' },
]
const FLAC = '\x7fFLAC'
/** Type of a FLAC metadata block that holds comments. */
const VORBIS_COMMENT = 4

/**
 * The Vorbis comment of an Ogg file, which Vorbis, Opus, FLAC and Speex have alike (vendor, list of
 * `NAME=value`); undefined when there is none.
 */
export async function oggComment(source: ByteSource): Promise<Uint8Array | undefined> {
  const streams = new Map<number, { packets: OggPackets; head: string; count: number }>()
  for await (const page of oggPages(source)) {
    if (page.begins && !streams.has(page.serial)) {
      const head = ascii(page.body, 8)
      if (isKnown(head)) streams.set(page.serial, { packets: new OggPackets(), head, count: 0 })
    }
    const stream = streams.get(page.serial)
    if (!stream) {
      // The first pages of all streams come before anything else.
      if (streams.size === 0 && !page.begins) return undefined
      continue
    }
    for (const packet of stream.packets.push(page)) {
      const comment = stream.count++ === 0 ? undefined : commentOf(stream.head, packet)
      if (comment) return comment
      if (stream.count > MOST_PACKETS) return undefined
    }
  }
  return undefined
}

function isKnown(head: string): boolean {
  return head.startsWith(FLAC) || CODECS.some((codec) => head.startsWith(codec.head))
}

function commentOf(head: string, packet: Uint8Array): Uint8Array | undefined {
  if (head.startsWith(FLAC)) {
    return (packet[0]! & 0x7f) === VORBIS_COMMENT ? packet.subarray(4) : undefined
  }
  const { comments } = CODECS.find((codec) => head.startsWith(codec.head)) ?? { comments: '' }
  return ascii(packet, comments.length) === comments ? packet.subarray(comments.length) : undefined
}

function ascii(bytes: Uint8Array, length: number): string {
  return String.fromCharCode(...bytes.subarray(0, length))
}

/** A FLAC file of no sound around a Vorbis comment: what any reader of tags can read. */
export function flacAround(comment: Uint8Array): Uint8Array {
  const info = new Uint8Array(4 + 4 + 34)
  info.set(Buffer.from('fLaC'))
  info[7] = 34
  const last = 0x80 | VORBIS_COMMENT
  const { length } = comment
  return Buffer.concat([info, Uint8Array.of(last, length >> 16, length >> 8, length), comment])
}
