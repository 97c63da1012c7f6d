import { DecodeError } from '../errors.ts'
import { BitReader } from './bit-reader.ts'
import { FlacBlocks } from './flac-blocks.ts'
import { FlacFrameDecoder } from './flac-frame.ts'
import { type StreamInfo, streamInfo } from './flac-header.ts'
import { type OggDecoder, OggPackets, type OggPage } from './ogg-pages.ts'
import type { PcmBlock } from './pcm-stream.ts'

/** FLAC in Ogg (RFC 9639, 10.1): each packet after the headers is a frame. */
export class OggFlac implements OggDecoder {
  readonly codec = 'flac'
  readonly decoder = 'flac'
  readonly sampleRate: number
  readonly channels: number
  readonly #frames: FlacFrameDecoder
  readonly #packets = new OggPackets()
  lost = false

  private constructor(info: StreamInfo) {
    this.#frames = new FlacFrameDecoder(info)
    this.channels = info.channels
    this.sampleRate = info.sampleRate
  }

  /** @param head the first packet: 0x7f "FLAC", version, header count, then a FLAC file's first 42 bytes */
  static async open(head: Uint8Array): Promise<OggFlac> {
    const info = streamInfo(head.subarray(9))
    if (!info) throw new DecodeError('This Ogg FLAC file is damaged: its STREAMINFO is incomplete.')
    return new OggFlac(info)
  }

  async page(page: OggPage): Promise<PcmBlock[]> {
    const blocks = new FlacBlocks()
    const ready: (PcmBlock | undefined)[] = []
    for (const packet of this.#packets.push(page)) {
      // Frames start with their sync code, 0xff; header packets never do.
      if (packet[0] !== 0xff) continue
      const bytes = new Uint8Array(packet.length + BitReader.MARGIN)
      bytes.set(packet)
      const frame = this.#frames.decode(bytes, 0, packet.length)
      if (typeof frame === 'object') ready.push(blocks.add(frame))
      else this.lost = true
    }
    ready.push(blocks.end())
    return ready.filter((block) => block !== undefined)
  }
}
