// Inner files of the packages, which have no types: their main files bring an LGPL parser of Ogg, and
// threads of their own.
// @ts-expect-error
import WASMAudioDecoderCommon from '../../node_modules/@wasm-audio-decoders/common/src/WASMAudioDecoderCommon.js'
// @ts-expect-error
import libvorbis from '../../node_modules/@wasm-audio-decoders/ogg-vorbis/src/EmscriptenWasm.js'
import { DecodeError } from '../values/errors.ts'
import { viewOf } from './bytes.ts'
import { keepAwake } from './decoder-host.ts'
import { type OggDecoder, OggPackets } from './ogg-pages.ts'
import { grown, inWaveOrder, VORBIS_ORDER } from './samples.ts'

const SETUP_PACKET = 5
/** Vorbis I, 4.2.2. */
const MAX_PACKET_SAMPLES = 8_192

/** Decoded by libvorbis; the last page's end trim is applied. */
export function openVorbis(head: Uint8Array): OggDecoder {
  if (head.length < 30) {
    throw new DecodeError(
      `This Vorbis file is damaged: its header has ${head.length} bytes, not 30.`,
    )
  }
  const identification = head.slice()
  const count = head[11]!
  const sampleRate = viewOf(head).getUint32(12, true)
  const packets = new OggPackets()
  let decodePacket: DecodePacket | undefined
  /** The samples of each channel, in Vorbis' order, of one page. */
  let sound = Array.from({ length: count }, () => new Float32Array(0))
  /** The last known position, and the samples decoded since. */
  let granule = 0
  let samplesSince = 0
  return {
    codec: 'vorbis',
    decoder: 'libvorbis',
    sampleRate,
    channels: count,
    async page(page) {
      let length = 0
      for (const packet of packets.completePackets(page)) {
        // Headers have an odd first byte.
        if (packet[0] === SETUP_PACKET)
          decodePacket ??= await startLibvorbis(identification, packet)
        else if (decodePacket && packet.length > 0 && packet[0]! % 2 === 0) {
          sound = sound.map((samples) => grown(samples, length + MAX_PACKET_SAMPLES))
          length += decodePacket(packet, sound, length)
        }
      }
      samplesSince += length
      if (page.granule !== undefined) {
        if (page.ends) length -= Math.max(0, granule + samplesSince - page.granule)
        granule = page.granule
        samplesSince = 0
      }
      if (length <= 0) return []
      const keptSamples = sound.map((samples) => samples.subarray(0, length))
      return [{ channels: inWaveOrder(keptSamples, VORBIS_ORDER), sampleRate }]
    },
    // The instance of WebAssembly holds all memory.
    free: () => {
      decodePacket = undefined
    },
  }
}

/** Real packets of sound have some thousands. */
const INPUT_BYTES = 131_072
/** Room in the list of errors, two places for each. */
const ERROR_ROOM = 256

interface VorbisRegion {
  ptr: number
  buf: Uint8Array | Uint32Array
}

/** The part of the package's instance that audile uses. */
interface VorbisInstance {
  allocateTypedArray(length: number, type: typeof Uint8Array | typeof Uint32Array): VorbisRegion
  wasm: {
    readonly HEAP: ArrayBuffer
    /** Takes the addresses of all regions, then the room in the list of errors. */
    create_decoder(...values: number[]): number
    /** Takes the identification header first, then the setup header. */
    send_setup(decoder: number, first: boolean): void
    init_dsp(decoder: number): void
    decode_packets(decoder: number): void
  }
}

/** Writes the samples that a packet completes into `sound` from an offset on; returns how many. */
type DecodePacket = (packet: Uint8Array, sound: readonly Float32Array[], offset: number) => number

/** Starts libvorbis (WebAssembly of the package @wasm-audio-decoders/ogg-vorbis), fed with packets. */
async function startLibvorbis(
  identification: Uint8Array,
  setup: Uint8Array,
): Promise<DecodePacket> {
  const starting: Promise<VorbisInstance> = new WASMAudioDecoderCommon().instantiate(libvorbis)
  const instance = await keepAwake(starting)
  const { wasm } = instance
  const allocateNumbers = (length = 1) => instance.allocateTypedArray(length, Uint32Array)
  // In the order in which create_decoder takes them.
  const regions = {
    input: instance.allocateTypedArray(Math.max(INPUT_BYTES, setup.length), Uint8Array),
    inputLength: allocateNumbers(),
    output: allocateNumbers(),
    channels: allocateNumbers(),
    sampleRate: allocateNumbers(),
    samples: allocateNumbers(),
    errorList: allocateNumbers(ERROR_ROOM),
    errors: allocateNumbers(),
  }
  const { input, inputLength, output, channels, samples, errors } = regions
  const decoder = wasm.create_decoder(...Object.values(regions).map(({ ptr }) => ptr), ERROR_ROOM)
  const giveInput = (packet: Uint8Array) => {
    input.buf.set(packet)
    inputLength.buf[0] = packet.length
  }
  for (const header of [identification, setup]) {
    giveInput(header)
    wasm.send_setup(decoder, header === identification)
    if (errors.buf[0] !== 0) break
  }
  if (errors.buf[0] === 0) wasm.init_dsp(decoder)
  if (errors.buf[0] !== 0) {
    throw new DecodeError('This Vorbis file is damaged: libvorbis does not accept its headers.')
  }
  return (packet, sound, offset) => {
    if (packet.length > input.buf.length) return 0
    giveInput(packet)
    errors.buf[0] = 0
    wasm.decode_packets(decoder)
    const length = samples.buf[0]!
    if (length === 0) return 0
    const { HEAP: memory } = wasm
    const addresses = new Uint32Array(memory, output.buf[0]!, channels.buf[0]!)
    sound.forEach((samples, channel) => {
      samples.set(new Float32Array(memory, addresses[channel]!, length), offset)
    })
    return length
  }
}
