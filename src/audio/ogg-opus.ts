import { DecodeError, messageOf } from '../errors.ts'
import { viewOf } from './bytes.ts'
import { keepAwake } from './decoder-host.ts'
import { type OggDecoder, OggPackets, type OggPage } from './ogg-pages.ts'
import type { PcmBlock } from './pcm-stream.ts'
import { inWaveOrder, VORBIS_ORDER } from './samples.ts'

const RATE = 48_000

interface PacketDecoder {
  decodeFrames(packets: Uint8Array[]): { channelData: Float32Array[]; samplesDecoded: number }
  free(): void
}

/** Opus in Ogg (RFC 7845), decoded by libopus at 48 kHz; pre-skip and the last page's end trim are applied. */
export class OggOpus implements OggDecoder {
  readonly codec = 'opus'
  readonly decoder = 'libopus'
  readonly sampleRate = RATE
  readonly channels: number
  readonly #opus: PacketDecoder
  readonly #packets = new OggPackets()
  readonly #preSkip: number
  #headers = 0
  /** Samples decoded, and the granule position before the first of them. */
  #decoded = 0
  #base: number | undefined

  private constructor(opus: PacketDecoder, channels: number, preSkip: number) {
    this.#opus = opus
    this.channels = channels
    this.#preSkip = preSkip
  }

  /** @param head the OpusHead packet */
  static async open(head: Uint8Array): Promise<OggOpus> {
    const channels = head[9] ?? 0
    if (head.length < 19 || channels === 0) {
      throw new DecodeError(
        `This Opus file is damaged: ${channels} channels in a header of ${head.length} bytes.`,
      )
    }
    const fields = viewOf(head)
    const { createOpusDecoder } = await keepAwake(import('@audio/decode-opus/core'))
    const opus = await keepAwake(createOpusDecoder())
    try {
      opus.configure({
        sampleRate: RATE,
        channels,
        outputGain: fields.getInt16(16, true),
        ...mapping(head, channels),
      })
    } catch (error) {
      opus.free()
      const message = messageOf(error)
      throw new DecodeError(`This Opus file is damaged: ${message}.`, { cause: error })
    }
    return new OggOpus(opus, channels, fields.getUint16(10, true))
  }

  async page(page: OggPage): Promise<PcmBlock[]> {
    const packets = this.#packets.push(page)
    // OpusHead and OpusTags precede the sound.
    const sound = packets.slice(Math.max(0, 2 - this.#headers))
    this.#headers += packets.length
    if (sound.length === 0) return []
    const { channelData, samplesDecoded } = this.#opus.decodeFrames(sound)
    if (samplesDecoded === 0) return []
    // Files cut out of a stream start at a later position. The position of a last page that is also
    // the first one may be lower than what it decodes to: that is its end trim.
    const before = (page.granule ?? 0) - samplesDecoded
    this.#base ??= page.ends ? 0 : Math.max(0, before)
    const from = Math.min(samplesDecoded, Math.max(0, this.#preSkip - this.#decoded))
    const last =
      page.ends && page.granule !== undefined
        ? page.granule - this.#base - this.#decoded
        : samplesDecoded
    const to = Math.max(from, Math.min(samplesDecoded, last))
    this.#decoded += samplesDecoded
    if (to === from) return []
    return [
      { channels: channelData.map((channel) => channel.subarray(from, to)), sampleRate: RATE },
    ]
  }

  free(): void {
    this.#opus.free()
  }
}

function mapping(head: Uint8Array, channels: number) {
  const family = head[18]!
  if (family === 0 || head.length < 21 + channels) return {}
  const table = Array.from(head.subarray(21, 21 + channels))
  return {
    streamCount: head[19]!,
    coupledStreamCount: head[20]!,
    channelMappingTable: family === 1 ? inWaveOrder(table, VORBIS_ORDER) : table,
  }
}
