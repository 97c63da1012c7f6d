import { DecodeError } from '../values/errors.ts'
import { BitReader } from './bit-reader.ts'
import type { ByteSource } from './bytes.ts'
import { FlacBlocks, FlacFrameDecoder } from './flac-frame.ts'
import { readStreamInfo } from './flac-header.ts'
import { openOpus } from './ogg-opus.ts'
import { type OggDecoder, OggPackets, type OggPage, oggCodec, readOggPages } from './ogg-pages.ts'
import { openVorbis } from './ogg-vorbis.ts'
import { NoDecoder, type PcmBlock, type PcmStream } from './pcm-stream.ts'

/** Vorbis, Opus or FLAC; other streams are skipped, chained files decoded link after link. */
export async function openOggStream(source: ByteSource): Promise<PcmStream> {
  const pages = readOggPages(source)
  let other: string | undefined
  for (let next = await pages.next(); !next.done; next = await pages.next()) {
    if (!next.value.begins) continue
    const decoder = await createDecoder(next.value)
    if (!decoder) {
      other ??= codecName(next.value)
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
  let hasEnded = false
  let hasSounded = false
  let hasLost = false
  try {
    yield* await first.page(start)
    for await (const page of pages) {
      // A link may have the serial number of the previous link.
      if (page.begins && (hasEnded || hasSounded)) {
        const following = await createDecoder(page)
        if (!following) continue
        hasLost ||= !hasEnded || decoder.lost === true
        decoder.free?.()
        decoder = following
        serial = page.serial
        sequence = page.sequence - 1
        hasEnded = false
        hasSounded = false
      }
      if (page.serial !== serial || hasEnded) continue
      // oggPages leaves damaged pages out.
      hasLost ||= page.sequence !== sequence + 1
      sequence = page.sequence
      for (const block of await decoder.page(page)) {
        hasSounded = true
        yield block
      }
      hasEnded = page.ends
    }
    return hasLost || !hasEnded || decoder.lost === true
  } finally {
    decoder.free?.()
  }
}

async function createDecoder({ body }: OggPage): Promise<OggDecoder | undefined> {
  const codec = oggCodec(body)
  if (codec === 'vorbis') return openVorbis(body)
  if (codec === 'opus') return openOpus(body)
  return codec === 'flac' ? openOggFlacStream(body) : undefined
}

/** What a stream without a decoder holds, if it was meant to be played. */
function codecName({ body }: OggPage): string | undefined {
  const codec = oggCodec(body)
  if (codec === 'speex') return 'Speex'
  if (codec === 'theora') return 'Theora video without sound'
  return codec === 'skeleton' ? undefined : 'an unknown codec'
}

/** FLAC in Ogg (RFC 9639, 10.1): each packet after the headers is a frame. */
function openOggFlacStream(head: Uint8Array): OggDecoder {
  const info = readStreamInfo(head.subarray(9))
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
      for (const packet of packets.completePackets(page)) {
        // Frames start with their sync code, 0xff; header packets never do.
        if (packet[0] !== 0xff) continue
        const bytes = new Uint8Array(packet.length + BitReader.MARGIN)
        bytes.set(packet)
        const frame = frames.decodeFrame(bytes, 0, packet.length)
        if (typeof frame === 'object') ready.push(blocks.addFrame(frame))
        else decoder.lost = true
      }
      ready.push(blocks.endBlock())
      return ready.filter((block) => block !== undefined)
    },
  }
  return decoder
}
