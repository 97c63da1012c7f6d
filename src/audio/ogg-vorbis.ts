// Inner files of the packages, which have no types: their main files bring an LGPL parser of Ogg, and
// threads of their own.
// @ts-expect-error
import WASMAudioDecoderCommon from '../../node_modules/@wasm-audio-decoders/common/src/WASMAudioDecoderCommon.js'
// @ts-expect-error
import libvorbis from '../../node_modules/@wasm-audio-decoders/ogg-vorbis/src/EmscriptenWasm.js'
import { DecodeError } from '../errors.ts'
import { viewOf } from './bytes.ts'
import { keepAwake } from './decoder-host.ts'
import { type OggDecoder, OggPackets, type OggPage } from './ogg-pages.ts'
import type { PcmBlock } from './pcm-stream.ts'
import { inWaveOrder, VORBIS_ORDER } from './samples.ts'

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

/** Bytes of the longest packet of sound that is decoded; real ones have some thousands. */
const INPUT_BYTES = 131_072
/** Room in the list of errors, two places for each. */
const ERRORS = 256

interface TypedArrayType<T> {
  new (length: number): T
  readonly BYTES_PER_ELEMENT: number
}

/** What audile uses of an instance that the package makes. */
interface Instance {
  allocateTypedArray<T>(length: number, type: TypedArrayType<T>): { ptr: number; buf: T }
  wasm: Exports
}

interface Exports {
  readonly HEAP: ArrayBuffer
  /** All but the last are addresses. */
  create_decoder(
    input: number,
    inputLength: number,
    output: number,
    channels: number,
    sampleRate: number,
    samplesDecoded: number,
    errors: number,
    errorsLength: number,
    mostErrors: number,
  ): number
  /** Takes the identification header first, then the setup header. */
  send_setup(decoder: number, first: boolean): void
  init_dsp(decoder: number): void
  decode_packets(decoder: number): void
}

/** The memory that libvorbis reads from and writes to. */
function regionsOf(instance: Instance, inputBytes: number) {
  const numbers = (length = 1) => instance.allocateTypedArray(length, Uint32Array)
  return {
    input: instance.allocateTypedArray(inputBytes, Uint8Array),
    inputLength: numbers(),
    output: numbers(),
    channels: numbers(),
    sampleRate: numbers(),
    samples: numbers(),
    errorList: numbers(ERRORS),
    errors: numbers(),
  }
}

/** libvorbis (WebAssembly of the package @wasm-audio-decoders/ogg-vorbis), fed with packets. */
class LibVorbis {
  readonly #wasm: Exports
  readonly #regions: ReturnType<typeof regionsOf>
  readonly #decoder: number

  /** @returns undefined where libvorbis does not accept the headers */
  static async create(
    identification: Uint8Array,
    setup: Uint8Array,
  ): Promise<LibVorbis | undefined> {
    const made: Promise<Instance> = new WASMAudioDecoderCommon().instantiate(libvorbis)
    const vorbis = new LibVorbis(await keepAwake(made), Math.max(INPUT_BYTES, setup.length))
    return vorbis.#begin(identification, setup) ? vorbis : undefined
  }

  private constructor(instance: Instance, inputBytes: number) {
    const regions = regionsOf(instance, inputBytes)
    this.#wasm = instance.wasm
    this.#regions = regions
    this.#decoder = instance.wasm.create_decoder(
      regions.input.ptr,
      regions.inputLength.ptr,
      regions.output.ptr,
      regions.channels.ptr,
      regions.sampleRate.ptr,
      regions.samples.ptr,
      regions.errorList.ptr,
      regions.errors.ptr,
      ERRORS,
    )
  }

  #begin(identification: Uint8Array, setup: Uint8Array): boolean {
    const { errors } = this.#regions
    for (const header of [identification, setup]) {
      this.#take(header)
      this.#wasm.send_setup(this.#decoder, header === identification)
      if (errors.buf[0] !== 0) return false
    }
    this.#wasm.init_dsp(this.#decoder)
    return errors.buf[0] === 0
  }

  /** The sound that a packet completes, in Vorbis' order of channels; the first packet completes none. */
  decode(packet: Uint8Array): Float32Array[] {
    const { input, output, channels, samples, errors } = this.#regions
    if (packet.length > input.buf.length) return []
    this.#take(packet)
    errors.buf[0] = 0
    this.#wasm.decode_packets(this.#decoder)
    const length = samples.buf[0]!
    if (length === 0) return []
    const { HEAP: memory } = this.#wasm
    const addresses = new Uint32Array(memory, output.buf[0]!, channels.buf[0]!)
    return Array.from(addresses, (address) => new Float32Array(memory, address, length).slice())
  }

  #take(packet: Uint8Array): void {
    const { input, inputLength } = this.#regions
    input.buf.set(packet)
    inputLength.buf[0] = packet.length
  }
}
