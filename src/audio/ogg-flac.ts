import { DecodeError } from '../errors.ts'
import { LibFlac, type StreamInfo, streamInfo } from './libflac.ts'
import type { OggDecoder } from './ogg-decoder.ts'
import { OggPackets, type OggPage } from './ogg-pages.ts'
import type { PcmBlock } from './pcm-stream.ts'

/** FLAC in Ogg (xiph.org/flac/ogg_mapping.html): each packet behind the headers is a frame. */
export class OggFlac implements OggDecoder {
  readonly codec = 'flac'
  readonly decoder = 'libflac'
  readonly sampleRate: number
  readonly channels: number
  readonly #flac: LibFlac
  readonly #packets = new OggPackets()

  get lost(): boolean {
    return this.#flac.lost > 0
  }

  private constructor(flac: LibFlac, info: StreamInfo) {
    this.#flac = flac
    this.channels = info.channels
    this.sampleRate = info.sampleRate
  }

  /** @param head the first packet: 0x7f "FLAC", version, header count, then a FLAC file's first 42 bytes */
  static async open(head: Uint8Array): Promise<OggFlac> {
    const info = streamInfo(head.subarray(9))
    if (!info) throw new DecodeError('This Ogg FLAC file is damaged: its STREAMINFO is incomplete.')
    return new OggFlac(await LibFlac.create(info), info)
  }

  async page(page: OggPage): Promise<PcmBlock[]> {
    // Frames start with their sync code, 0xff; header packets never do.
    const frames = this.#packets.push(page).filter((packet) => packet[0] === 0xff)
    const block = await this.#flac.decode(frames)
    return block ? [block] : []
  }

  free(): void {
    this.#flac.free()
  }
}
