import { DecodeError } from '../values/errors.ts'
import { BitReader } from './bit-reader.ts'
import type { ByteSource } from './bytes.ts'
import { FlacBlocks, FlacFrameDecoder } from './flac-frame.ts'
import { streamInfo } from './flac-header.ts'
import { oggOpus } from './ogg-opus.ts'
import { type OggDecoder, OggPackets, type OggPage, oggCodec, oggPages } from './ogg-pages.ts'
import { oggVorbis } from './ogg-vorbis.ts'
import { NoDecoder, type PcmBlock, type PcmStream } from './pcm-stream.ts'

/**
 * Ogg with Vorbis, Opus or FLAC. Other streams in the file (video, skeletons) are skipped; chained
 * files are decoded link after link.
 */
export async function openOgg(source: ByteSource): Promise<PcmStream> {
  const pages = oggPages(source)
  let other: string | undefined
  for (let next = await pages.next(); !next.done; next = await pages.next()) {
    if (!next.value.begins) continue
    const decoder = await decoderOf(next.value)
    if (!decoder) {
      other ??= nameOf(next.value)
      continue
    }
    const { codec, sampleRate, channels } = decoder
    return {
      container: 'ogg',
      codec,
      decoder: decoder.decoder,
      sampleRate,
      channels,
      blocks: decodeLinks(pages, next.value, decoder),
      close: () => decoder.free?.(),
    }
  }
  if (other) throw new NoDecoder('ogg', other)
  throw new DecodeError('This Ogg file is damaged: no intact page begins a stream.')
}

async function* decodeLinks(
  pages: AsyncGenerator<OggPage, void, void>,
  start: OggPage,
  first: OggDecoder,
): AsyncGenerator<PcmBlock, boolean, void> {
  let decoder = first
  let serial = start.serial
  let sequence = start.sequence
  let ended = false
  let sounded = false
  let lost = false
  try {
    yield* await first.page(start)
    for await (const page of pages) {
      // A link may have the serial number of the previous link.
      if (page.begins && (ended || sounded)) {
        const following = await decoderOf(page)
        if (!following) continue
        lost ||= !ended || decoder.lost === true
        decoder.free?.()
        decoder = following
        serial = page.serial
        sequence = page.sequence - 1
        ended = false
        sounded = false
      }
      if (page.serial !== serial || ended) continue
      // oggPages leaves damaged pages out.
      lost ||= page.sequence !== sequence + 1
      sequence = page.sequence
      for (const block of await decoder.page(page)) {
        sounded = true
        yield block
      }
      ended = page.ends
    }
    return lost || !ended || decoder.lost === true
  } finally {
    decoder.free?.()
  }
}

async function decoderOf({ body }: OggPage): Promise<OggDecoder | undefined> {
  const codec = oggCodec(body)
  if (codec === 'vorbis') return oggVorbis(body)
  if (codec === 'opus') return oggOpus(body)
  return codec === 'flac' ? oggFlac(body) : undefined
}

/** What a stream without a decoder holds, if it was meant to be played. */
function nameOf({ body }: OggPage): string | undefined {
  const codec = oggCodec(body)
  if (codec === 'speex') return 'Speex'
  if (codec === 'theora') return 'Theora video without sound'
  return codec === 'skeleton' ? undefined : 'an unknown codec'
}

/**
 * FLAC in Ogg (RFC 9639, 10.1): each packet after the headers is a frame.
 *
 * @param head the first packet: 0x7f "FLAC", version, header count, then a FLAC file's first 42 bytes
 */
function oggFlac(head: Uint8Array): OggDecoder {
  const info = streamInfo(head.subarray(9))
  if (!info) throw new DecodeError('This Ogg FLAC file is damaged: its STREAMINFO is incomplete.')
  const frames = new FlacFrameDecoder(info)
  const packets = new OggPackets()
  const decoder: OggDecoder = {
    codec: 'flac',
    decoder: 'flac',
    sampleRate: info.sampleRate,
    channels: info.channels,
    async page(page) {
      const blocks = new FlacBlocks()
      const ready: (PcmBlock | undefined)[] = []
      for (const packet of packets.push(page)) {
        // Frames start with their sync code, 0xff; header packets never do.
        if (packet[0] !== 0xff) continue
        const bytes = new Uint8Array(packet.length + BitReader.MARGIN)
        bytes.set(packet)
        const frame = frames.decode(bytes, 0, packet.length)
        if (typeof frame === 'object') ready.push(blocks.add(frame))
        else decoder.lost = true
      }
      ready.push(blocks.end())
      return ready.filter((block) => block !== undefined)
    },
  }
  return decoder
}
