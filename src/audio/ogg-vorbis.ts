import { DecodeError } from '../errors.ts'
import { viewOf } from './bytes.ts'
import { inWaveOrder, VORBIS_ORDER } from './channel-order.ts'
import { LibVorbis } from './libvorbis.ts'
import { type OggDecoder, OggPackets, type OggPage } from './ogg-pages.ts'
import type { PcmBlock } from './pcm-stream.ts'

const SETUP = 5

/** Vorbis in Ogg, decoded by libvorbis; the last page's end trim is applied. */
export class OggVorbis implements OggDecoder {
  readonly codec = 'vorbis'
  readonly decoder = 'libvorbis'
  readonly sampleRate: number
  readonly channels: number
  readonly #identification: Uint8Array
  readonly #packets = new OggPackets()
  #vorbis: LibVorbis | undefined
  /** The last known position, and the samples decoded since. */
  #granule = 0
  #since = 0

  private constructor(head: Uint8Array) {
    this.#identification = head
    this.channels = head[11]!
    this.sampleRate = viewOf(head).getUint32(12, true)
  }

  /** @param head the identification header (Vorbis I, 4.2.2) */
  static async open(head: Uint8Array): Promise<OggVorbis> {
    if (head.length < 30) {
      throw new DecodeError(
        `This Vorbis file is damaged: its header has ${head.length} bytes, not 30.`,
      )
    }
    return new OggVorbis(head.slice())
  }

  async page(page: OggPage): Promise<PcmBlock[]> {
    const parts: Float32Array[][] = []
    for (const packet of this.#packets.push(page)) {
      // Headers have an odd first byte.
      if (packet[0] === SETUP) this.#vorbis ??= await this.#setUp(packet)
      else if (packet.length > 0 && packet[0]! % 2 === 0) {
        const part = this.#vorbis?.decode(packet) ?? []
        if (part[0]?.length) parts.push(part)
      }
    }
    const decoded = parts.reduce((sum, [first]) => sum + first!.length, 0)
    const before = this.#since
    this.#since += decoded
    let length = decoded
    if (page.granule !== undefined) {
      if (page.ends) length = Math.min(decoded, page.granule - this.#granule - before)
      this.#granule = page.granule
      this.#since = 0
    }
    return length > 0 ? [this.#blockOf(parts, length)] : []
  }

  free(): void {
    // The instance of WebAssembly holds all memory.
    this.#vorbis = undefined
  }

  async #setUp(setup: Uint8Array): Promise<LibVorbis> {
    const vorbis = await LibVorbis.create(this.#identification, setup)
    if (vorbis) return vorbis
    throw new DecodeError('This Vorbis file is damaged: libvorbis does not accept its headers.')
  }

  #blockOf(parts: readonly Float32Array[][], length: number): PcmBlock {
    const joined = Array.from({ length: this.channels }, (_, channel) => {
      const samples = new Float32Array(length)
      let at = 0
      for (const part of parts) {
        const piece = part[channel]!.subarray(0, length - at)
        samples.set(piece, at)
        at += piece.length
      }
      return samples
    })
    return { channels: inWaveOrder(joined, VORBIS_ORDER), sampleRate: this.sampleRate }
  }
}
