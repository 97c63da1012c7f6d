// Files within the packages, which come without types: their main files bring a parser of Ogg that is
// LGPL, and threads of their own.
// @ts-expect-error
import WASMAudioDecoderCommon from '../../node_modules/@wasm-audio-decoders/common/src/WASMAudioDecoderCommon.js'
// @ts-expect-error
import libvorbis from '../../node_modules/@wasm-audio-decoders/ogg-vorbis/src/EmscriptenWasm.js'
import { awake } from './keep-awake.ts'

/** Bytes of the longest packet that is decoded, but for the setup header; real ones have some thousands. */
const INPUT_BYTES = 131_072
/** Places in the list of errors, two for each of them. Only whether it is empty is asked. */
const ERRORS = 256

interface TypedArrayType<T> {
  new (length: number): T
  readonly BYTES_PER_ELEMENT: number
}

/** What is used of an instance that the package makes. */
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

/** libvorbis (WebAssembly of the package @wasm-audio-decoders/ogg-vorbis), fed with packets. */
export class LibVorbis {
  readonly #wasm: Exports
  readonly #input: Uint8Array
  readonly #inputLength: Uint32Array
  readonly #output: Uint32Array
  readonly #channels: Uint32Array
  readonly #samples: Uint32Array
  readonly #errors: Uint32Array
  readonly #decoder: number

  /**
   * @returns undefined where libvorbis does not take the headers
   */
  static async create(
    identification: Uint8Array,
    setup: Uint8Array,
  ): Promise<LibVorbis | undefined> {
    const made: Promise<Instance> = new WASMAudioDecoderCommon().instantiate(libvorbis)
    const vorbis = new LibVorbis(await awake(made), Math.max(INPUT_BYTES, setup.length))
    return vorbis.#begin(identification, setup) ? vorbis : undefined
  }

  private constructor(instance: Instance, inputBytes: number) {
    const region = <T>(length: number, type: TypedArrayType<T>) =>
      instance.allocateTypedArray(length, type)
    const input = region(inputBytes, Uint8Array)
    const inputLength = region(1, Uint32Array)
    const output = region(1, Uint32Array)
    const channels = region(1, Uint32Array)
    const sampleRate = region(1, Uint32Array)
    const samples = region(1, Uint32Array)
    const errors = region(1, Uint32Array)
    this.#wasm = instance.wasm
    this.#input = input.buf
    this.#inputLength = inputLength.buf
    this.#output = output.buf
    this.#channels = channels.buf
    this.#samples = samples.buf
    this.#errors = errors.buf
    this.#decoder = instance.wasm.create_decoder(
      input.ptr,
      inputLength.ptr,
      output.ptr,
      channels.ptr,
      sampleRate.ptr,
      samples.ptr,
      region(ERRORS, Uint32Array).ptr,
      errors.ptr,
      ERRORS,
    )
  }

  #begin(identification: Uint8Array, setup: Uint8Array): boolean {
    for (const header of [identification, setup]) {
      this.#take(header)
      this.#wasm.send_setup(this.#decoder, header === identification)
      if (this.#errors[0] !== 0) return false
    }
    this.#wasm.init_dsp(this.#decoder)
    return this.#errors[0] === 0
  }

  /** The sound that a packet completes, in Vorbis' order of channels: of the first one, none. */
  decode(packet: Uint8Array): Float32Array[] {
    if (packet.length > this.#input.length) return []
    this.#take(packet)
    this.#errors[0] = 0
    this.#wasm.decode_packets(this.#decoder)
    const length = this.#samples[0]!
    if (length === 0) return []
    const { HEAP: memory } = this.#wasm
    const addresses = new Uint32Array(memory, this.#output[0]!, this.#channels[0]!)
    return Array.from(addresses, (address) => new Float32Array(memory, address, length).slice())
  }

  #take(packet: Uint8Array): void {
    this.#input.set(packet)
    this.#inputLength[0] = packet.length
  }
}
