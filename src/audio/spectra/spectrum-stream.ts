import { instantiate, ofThread, reserve, type WasmMemory } from '../web-assembly.ts'
import { SPECTRA_MODULE } from './simd-module.ts'

/** The loops of kernel.as, which names the arguments; places are in bytes. */
interface Kernel extends Record<'transform' | 'sums', (...values: number[]) => void> {
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

/**
 * Receives the magnitudes of a frame in bins 0…size/2, not scaled, and each of the sums that were asked
 * for; all valid until it returns. It must not push to another stream: those of a thread share memory.
 */
export type SpectrumListener = (magnitudes: Float32Array, sums: readonly Float64Array[]) => void

/** The largest transform. */
const MOST = 2_048
/** Samples that a stream holds: many frames are transformed at a time. */
const HELD = 4 * MOST

const kernelOfThread = ofThread(() => {
  const kernel = instantiate<Kernel>(SPECTRA_MODULE)
  free = kernel.end.value + 4 * (HELD + MOST + 2)
  return kernel
})
/** Where tables lie in the kernel's memory: those of each size, each window, and those of sums. */
const tables = new Map<number, { roots: number; places: number }>()
const windows = new Map<Float64Array, number>()
const bandSums = new Map<BandSums, { bands: number; weights: number; out: number }>()
/** Where the memory after samples, two rows of magnitudes and tables begins. */
let free = 0

/**
 * Cuts a stream of samples into magnitude spectra: frame i is centred at sample i·hop, and the signal
 * counts as zero outside of itself. There are ceil(samples / hop) frames. Frames come some time after
 * their samples, many in a row.
 */
export class SpectrumStream {
  readonly #held = new Float32Array(HELD)
  /** Samples held, and where in these the next frame begins. */
  #count: number
  #next = 0
  #samples = 0
  #frames = 0

  /**
   * @param window - as many weights as a frame has samples: a power of two, 8 to 2,048. The thread
   *   keeps it for good, and `sums` too, so give the same again and again
   */
  constructor(
    private readonly window: Float64Array,
    private readonly hop: number,
    private readonly take: SpectrumListener,
    private readonly sums: readonly BandSums[] = [],
  ) {
    this.#count = window.length / 2
  }

  push(samples: Float32Array): void {
    this.#samples += samples.length
    for (let from = 0; from < samples.length; ) {
      const part = samples.subarray(from, from + HELD - this.#count)
      this.#held.set(part, this.#count)
      this.#count += part.length
      from += part.length
      // An even number, as frames are transformed in pairs.
      if (this.#count === HELD) this.#pass(this.#complete() & ~1)
    }
  }

  /** @param more - how many frames of silence follow */
  finish(more = 0): void {
    const due = Math.ceil(this.#samples / this.hop) + more
    while (this.#frames < due) {
      this.#held.fill(0, this.#count)
      this.#count = HELD
      this.#pass(Math.min(this.#complete(), due - this.#frames))
    }
  }

  #complete(): number {
    return Math.floor((this.#count - this.#next - this.window.length) / this.hop) + 1
  }

  /** Transforms the next frames and lets go of the samples before those that follow. */
  #pass(count: number): void {
    const { hop, window, take, sums } = this
    const kernel = kernelWith(window, sums)
    const size = window.length
    const { roots, places } = tables.get(size)!
    const weights = windows.get(window)!
    const { buffer } = kernel.memory
    const samples = kernel.end.value
    const first = samples + 4 * HELD
    const second = first + 4 * (size / 2 + 1)
    new Float32Array(buffer, samples, HELD).set(this.#held)
    const frames = [0, 1].map((lane) => {
      const magnitudes = new Float32Array(buffer, lane === 0 ? first : second, size / 2 + 1)
      const totals = sums.map((wanted) => {
        const count = wanted.bands.length / 2
        return new Float64Array(buffer, bandSums.get(wanted)!.out + 8 * lane * count, count)
      })
      return () => take(magnitudes, totals)
    }) as [() => void, () => void]
    for (let frame = 0; frame < count; frame += 2) {
      const x = samples + 4 * (this.#next + frame * hop)
      // The last of an odd number has no other.
      const isPair = frame + 1 < count
      const y = isPair ? x + 4 * hop : x
      kernel.transform(x, y, weights, roots, places, size, first, second)
      for (const wanted of sums) {
        const { bands, weights, out } = bandSums.get(wanted)!
        const count = wanted.bands.length / 2
        kernel.gather(first, second, size, wanted.squared)
        kernel.sums(bands, weights, count, out, out + 8 * count)
      }
      frames[0]()
      if (isPair) frames[1]()
    }
    this.#frames += count
    this.#next += count * hop
    this.#held.copyWithin(0, this.#next, this.#count)
    this.#count -= this.#next
    this.#next = 0
  }
}

/** The kernel of this thread, in whose memory the window and all tables lie. */
function kernelWith(window: Float64Array, sums: readonly BandSums[]): Kernel {
  const kernel = kernelOfThread()
  const keep = (table: Float64Array | Uint32Array): number => {
    const at = (free + 15) & ~15
    free = at + table.byteLength
    const bytes = new Uint8Array(table.buffer, table.byteOffset, table.byteLength)
    new Uint8Array(reserve(kernel.memory, free)).set(bytes, at)
    return at
  }
  if (!windows.has(window)) windows.set(window, keep(window))
  const size = window.length
  if (!tables.has(size))
    tables.set(size, { roots: keep(rootsOf(size)), places: keep(placesOf(size)) })
  for (const wanted of sums) {
    if (bandSums.has(wanted)) continue
    const [bands, weights] = [keep(wanted.bands), keep(wanted.weights)]
    bandSums.set(wanted, { bands, weights, out: keep(new Float64Array(wanted.bands.length)) })
  }
  return kernel
}

/** e^(−2πi·k/size) for k up to three quarters of the size, as pairs. */
function rootsOf(size: number): Float64Array {
  return Float64Array.from({ length: 1.5 * size }, (_, i) => {
    const angle = (-2 * Math.PI * (i >> 1)) / size
    return i % 2 === 0 ? Math.cos(angle) : Math.sin(angle)
  })
}

/** Bytes of a number that the kernel transforms: two frames of complex numbers. */
const COMPLEX = 32

/**
 * Where the passes of the kernel leave the bins of size/2 numbers. A pass parts a group by the last digit
 * of its bins: to the base of 4, after one of 2 if the number is no power of 4.
 */
function placesOf(size: number): Uint32Array {
  const count = size / 2
  const place = (bin: number, length: number): number => {
    if (length === 1) return 0
    const parts = length === count && Math.log2(count) % 2 === 1 ? 2 : 4
    const part = length / parts
    return (bin % parts) * part + place(Math.floor(bin / parts), part)
  }
  return Uint32Array.from({ length: count }, (_, bin) => COMPLEX * place(bin, count))
}
