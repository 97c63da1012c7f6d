import {
  instantiateModule,
  oncePerThread,
  reserveMemory,
  type WasmMemory,
} from '../web-assembly.ts'
import { SPECTRA_MODULE } from './simd-module.ts'

/** Places are in bytes. */
interface SpectraKernel extends Record<'transform' | 'sums', (...values: number[]) => void> {
  readonly memory: WasmMemory
  /** Where free memory begins. */
  readonly end: { readonly value: number }
  gather(row: number, other: number, size: number, squared: boolean): void
}

/** Weighted sums of a spectrum's magnitudes, or of their squares, over bands of bins. */
export interface BandSums {
  squared: boolean
  /** Of each band the first bin and how many there are. */
  bands: Uint32Array
  /** Of all bins of the first band, then of the second … */
  weights: Float64Array
}

/** All arguments are valid until it returns; it must not push to another stream of the thread. */
export type SpectrumListener = (magnitudes: Float32Array, sums: readonly Float64Array[]) => void

const MAX_TRANSFORM = 2_048
/** Many frames are transformed at a time. */
const HELD_SAMPLES = 4 * MAX_TRANSFORM

const spectraKernelOfThread = oncePerThread(() => {
  const kernel = instantiateModule<SpectraKernel>(SPECTRA_MODULE)
  freeMemory = kernel.end.value + 4 * (HELD_SAMPLES + MAX_TRANSFORM + 2)
  return kernel
})
/** Tables in the kernel's memory, by size, window and sums. */
const tablesBySize = new Map<number, { roots: number; places: number }>()
const windowPlaces = new Map<Float64Array, number>()
const bandSumPlaces = new Map<BandSums, { bands: number; weights: number; out: number }>()
let freeMemory = 0

/** Frame i is centred at sample i·hop, and the signal counts as zero outside of itself. */
export class SpectrumStream {
  readonly #heldSamples: Float32Array
  #views: KernelViews | undefined
  /** Samples held, and where in these the next frame begins. */
  #count: number
  #next = 0
  #samples = 0
  #frames = 0

  /** The thread keeps `window` and `sums` for good, so give the same again. */
  constructor(
    private readonly window: Float64Array,
    private readonly hop: number,
    private readonly take: SpectrumListener,
    private readonly sums: readonly BandSums[] = [],
    isPrompt = false,
  ) {
    this.#heldSamples = new Float32Array(isPrompt ? window.length + hop : HELD_SAMPLES)
    this.#count = window.length / 2
  }

  /** `length` of the samples. */
  push(samples: Float32Array, length = samples.length): void {
    this.#samples += length
    const held = this.#heldSamples
    for (let offset = 0; offset < length; ) {
      const taken = Math.min(length - offset, held.length - this.#count)
      for (let i = 0; i < taken; i++) held[this.#count + i] = samples[offset + i]!
      this.#count += taken
      offset += taken
      // An even number, as frames are transformed in pairs.
      if (this.#count === held.length) this.#transformFrames(this.#countComplete() & ~1)
    }
  }

  /** `silentFrames` frames of silence follow. */
  finish(silentFrames = 0): void {
    const due = Math.ceil(this.#samples / this.hop) + silentFrames
    while (this.#frames < due) {
      this.#heldSamples.fill(0, this.#count)
      this.#count = this.#heldSamples.length
      this.#transformFrames(Math.min(this.#countComplete(), due - this.#frames))
    }
  }

  #countComplete(): number {
    return Math.floor((this.#count - this.#next - this.window.length) / this.hop) + 1
  }

  /** Lets go of the samples before those that follow. */
  #transformFrames(count: number): void {
    const { hop, window, take, sums } = this
    const kernel = kernelWithTables(window, sums)
    const size = window.length
    const { roots, places } = tablesBySize.get(size)!
    const weights = windowPlaces.get(window)!
    const samples = kernel.end.value
    const first = samples + 4 * HELD_SAMPLES
    const second = first + 4 * (size / 2 + 1)
    // A memory that has grown has another buffer.
    if (this.#views?.buffer !== kernel.memory.buffer)
      this.#views = viewKernel(kernel, size, this.#heldSamples.length, sums)
    const { held, magnitudes, totals } = this.#views!
    held.set(this.#heldSamples)
    for (let frame = 0; frame < count; frame += 2) {
      const x = samples + 4 * (this.#next + frame * hop)
      // The last of an odd number has no other.
      const isPair = frame + 1 < count
      const y = isPair ? x + 4 * hop : x
      kernel.transform(x, y, weights, roots, places, size, first, second)
      for (const bandSum of sums) {
        const { bands, weights, out } = bandSumPlaces.get(bandSum)!
        const count = bandSum.bands.length / 2
        kernel.gather(first, second, size, bandSum.squared)
        kernel.sums(bands, weights, count, out, out + 8 * count)
      }
      take(magnitudes[0], totals[0])
      if (isPair) take(magnitudes[1], totals[1])
    }
    this.#frames += count
    this.#next += count * hop
    this.#heldSamples.copyWithin(0, this.#next, this.#count)
    this.#count -= this.#next
    this.#next = 0
  }
}

/** The parts of the kernel's memory that a stream writes and reads, of both frames of a pair. */
interface KernelViews {
  buffer: ArrayBuffer
  held: Float32Array
  magnitudes: readonly [Float32Array, Float32Array]
  totals: readonly [Float64Array[], Float64Array[]]
}

function viewKernel(
  { memory: { buffer }, end }: SpectraKernel,
  size: number,
  length: number,
  sums: readonly BandSums[],
): KernelViews {
  const bins = size / 2 + 1
  const first = end.value + 4 * HELD_SAMPLES
  const totalsOfLane = (lane: number) =>
    sums.map((bandSum) => {
      const count = bandSum.bands.length / 2
      return new Float64Array(buffer, bandSumPlaces.get(bandSum)!.out + 8 * lane * count, count)
    })
  return {
    buffer,
    held: new Float32Array(buffer, end.value, length),
    magnitudes: [
      new Float32Array(buffer, first, bins),
      new Float32Array(buffer, first + 4 * bins, bins),
    ],
    totals: [totalsOfLane(0), totalsOfLane(1)],
  }
}

function kernelWithTables(window: Float64Array, sums: readonly BandSums[]): SpectraKernel {
  const kernel = spectraKernelOfThread()
  const keepTable = (table: Float64Array | Uint32Array): number => {
    const place = (freeMemory + 15) & ~15
    freeMemory = place + table.byteLength
    const bytes = new Uint8Array(table.buffer, table.byteOffset, table.byteLength)
    new Uint8Array(reserveMemory(kernel.memory, freeMemory)).set(bytes, place)
    return place
  }
  if (!windowPlaces.has(window)) windowPlaces.set(window, keepTable(window))
  const size = window.length
  if (!tablesBySize.has(size))
    tablesBySize.set(size, {
      roots: keepTable(transformRoots(size)),
      places: keepTable(binPlaces(size)),
    })
  for (const bandSum of sums) {
    if (bandSumPlaces.has(bandSum)) continue
    const [bands, weights] = [keepTable(bandSum.bands), keepTable(bandSum.weights)]
    bandSumPlaces.set(bandSum, {
      bands,
      weights,
      out: keepTable(new Float64Array(bandSum.bands.length)),
    })
  }
  return kernel
}

/** e^(−2πi·k/size) for k up to three quarters of the size, as pairs. */
function transformRoots(size: number): Float64Array {
  return Float64Array.from({ length: 1.5 * size }, (_, i) => {
    const angle = (-2 * Math.PI * (i >> 1)) / size
    return i % 2 === 0 ? Math.cos(angle) : Math.sin(angle)
  })
}

/** Bytes of a number that the kernel transforms: two frames of complex numbers. */
const COMPLEX_BYTES = 32

/** Each pass parts a group of bins by their last digit, to the base of 4 or once of 2. */
function binPlaces(size: number): Uint32Array {
  const count = size / 2
  const placeOfBin = (bin: number, length: number): number => {
    if (length === 1) return 0
    const parts = length === count && Math.log2(count) % 2 === 1 ? 2 : 4
    const groupLength = length / parts
    return (bin % parts) * groupLength + placeOfBin(Math.floor(bin / parts), groupLength)
  }
  return Uint32Array.from({ length: count }, (_, bin) => COMPLEX_BYTES * placeOfBin(bin, count))
}
