import { DecodeError, messageOf } from '../values/errors.ts'
import { viewOf } from './bytes.ts'
import { keepAwake } from './decoder-host.ts'
import { type OggDecoder, OggPackets } from './ogg-pages.ts'
import { inWaveOrder, VORBIS_ORDER } from './samples.ts'

const OPUS_RATE = 48_000

/** Opus in Ogg (RFC 7845): pre-skip and the last page's end trim are applied. */
export async function openOpus(head: Uint8Array): Promise<OggDecoder> {
  const channels = head[9] ?? 0
  if (head.length < 19 || channels === 0) {
    throw new DecodeError(
      `This Opus file is damaged: ${channels} channels in a header of ${head.length} bytes.`,
    )
  }
  const fields = viewOf(head)
  const preSkip = fields.getUint16(10, true)
  const { createOpusDecoder } = await keepAwake(import('@audio/decode-opus/core'))
  const opus = await keepAwake(createOpusDecoder())
  try {
    const outputGain = fields.getInt16(16, true)
    opus.configure({
      sampleRate: OPUS_RATE,
      channels,
      outputGain,
      ...channelMapping(head, channels),
    })
  } catch (error) {
    opus.free()
    const message = messageOf(error)
    throw new DecodeError(`This Opus file is damaged: ${message}.`, { cause: error })
  }
  const packets = new OggPackets()
  // OpusHead and OpusTags precede the sound.
  let headers = 2
  let decoded = 0
  let base: number | undefined
  return {
    codec: 'opus',
    decoder: 'libopus',
    sampleRate: OPUS_RATE,
    channels,
    async page(page) {
      const complete = packets.completePackets(page)
      const sound = complete.slice(headers)
      headers = Math.max(0, headers - complete.length)
      if (sound.length === 0) return []
      const { channelData, samplesDecoded } = opus.decodeFrames(sound)
      if (samplesDecoded === 0) return []
      // Files cut out of a stream start later; a single page may be trimmed at its end.
      base ??= page.ends ? 0 : Math.max(0, (page.granule ?? 0) - samplesDecoded)
      const start = Math.min(samplesDecoded, Math.max(0, preSkip - decoded))
      const statedEnd = page.ends ? page.granule : undefined
      const last = statedEnd === undefined ? samplesDecoded : statedEnd - base - decoded
      const end = Math.max(start, Math.min(samplesDecoded, last))
      decoded += samplesDecoded
      if (end === start) return []
      const keptChannels = channelData.map((channel) => channel.subarray(start, end))
      return [{ channels: keptChannels, sampleRate: OPUS_RATE }]
    },
    free: () => opus.free(),
  }
}

function channelMapping(head: Uint8Array, channels: number) {
  const family = head[18]!
  if (family === 0 || head.length < 21 + channels) return {}
  const table = Array.from(head.subarray(21, 21 + channels))
  return {
    streamCount: head[19]!,
    coupledStreamCount: head[20]!,
    channelMappingTable: family === 1 ? inWaveOrder(table, VORBIS_ORDER) : table,
  }
}
