import { DecodeError } from '../errors.ts'
import { awake } from './awake.ts'
import type { OggDecoder } from './ogg-decoder.ts'
import type { OggPage } from './ogg-pages.ts'
import type { PcmBlock } from './pcm-stream.ts'
import { quietly } from './quiet.ts'
import { VorbisHeaders } from './vorbis-headers.ts'

interface Decoder {
  decode(bytes: Uint8Array): { channelData: Float32Array[]; sampleRate: number }
  flush(): { channelData: Float32Array[]; sampleRate: number }
  free(): void
}

/** Vorbis in Ogg by libvorbis, which takes whole pages of one logical stream. */
export class OggVorbis implements OggDecoder {
  readonly codec = 'vorbis'
  readonly decoder = 'libvorbis'
  readonly sampleRate: number
  readonly channels: number
  readonly #vorbis: Decoder
  readonly #headers = new VorbisHeaders()

  private constructor(vorbis: Decoder, channels: number, sampleRate: number) {
    this.#vorbis = vorbis
    this.channels = channels
    this.sampleRate = sampleRate
  }

  /** @param head the identification header (Vorbis I, 4.2.2) */
  static async open(head: Uint8Array): Promise<OggVorbis> {
    if (head.length < 30) {
      throw new DecodeError(
        `This Vorbis file is damaged: its header has ${head.length} bytes, not 30.`,
      )
    }
    const sampleRate = new DataView(head.buffer, head.byteOffset).getUint32(12, true)
    const { decoder } = await awake(import('@audio/decode-vorbis'))
    return new OggVorbis(await awake(decoder()), head[11]!, sampleRate)
  }

  async page(page: OggPage): Promise<PcmBlock[]> {
    const blocks: PcmBlock[] = []
    const pages = this.#headers.complete ? [page.bytes] : this.#headers.add(page)
    for (const bytes of pages) this.#take(() => this.#vorbis.decode(bytes), blocks)
    if (page.ends) blocks.push(...this.end())
    return blocks
  }

  end(): PcmBlock[] {
    const blocks: PcmBlock[] = []
    this.#take(() => this.#vorbis.flush(), blocks)
    return blocks
  }

  free(): void {
    this.#vorbis.free()
  }

  #take(call: () => { channelData: Float32Array[]; sampleRate: number }, blocks: PcmBlock[]) {
    const { channelData, sampleRate } = quietly(call)
    if (channelData[0]?.length) blocks.push({ channels: channelData, sampleRate })
  }
}
