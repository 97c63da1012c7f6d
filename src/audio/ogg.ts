import { DecodeError } from '../errors.ts'
import type { ByteSource } from './byte-source.ts'
import { oggCodec } from './ogg-codecs.ts'
import { OggFlac } from './ogg-flac.ts'
import { OggOpus } from './ogg-opus.ts'
import { type OggDecoder, type OggPage, oggPages } from './ogg-pages.ts'
import { OggVorbis } from './ogg-vorbis.ts'
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
  let decoder: OggDecoder | undefined = first
  let serial = start.serial
  let sequence = start.sequence
  let ended = false
  let sounded = false
  let lost = false
  try {
    yield* await first.page(start)
    for await (const page of pages) {
      // A link may have the serial number of the one before.
      if (page.begins && (ended || sounded)) {
        const following = await decoderOf(page)
        if (!following) continue
        lost ||= !ended || decoder?.lost === true
        decoder?.free?.()
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
    return lost || !ended || decoder?.lost === true
  } finally {
    decoder?.free?.()
  }
}

async function decoderOf({ body }: OggPage): Promise<OggDecoder | undefined> {
  switch (oggCodec(body)) {
    case 'vorbis':
      return OggVorbis.open(body)
    case 'opus':
      return OggOpus.open(body)
    case 'flac':
      return OggFlac.open(body)
    default:
      return undefined
  }
}

/** What a stream without a decoder holds, if it was meant to be played. */
function nameOf({ body }: OggPage): string | undefined {
  const codec = oggCodec(body)
  if (codec === 'speex') return 'Speex'
  if (codec === 'theora') return 'Theora video without sound'
  return codec === 'skeleton' ? undefined : 'an unknown codec'
}
