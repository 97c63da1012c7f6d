import {
  broken,
  chunkOffset,
  entries,
  MAX_SAMPLE,
  MAX_SAMPLES,
  need,
  typeAt,
} from './mp4-tables.ts'

/** Bytes that are handed on at once of a chunk of PCM, which has millions of samples of some bytes. */
const PIECE = 65_536
/** Places of a file where samples lie. 12 h of AAC, each frame in a place of its own, have them. */
const MOST_PLACES = 2_097_152

/**
 * The samples of a track in order, from the tables of its moov and from its fragments: their sizes,
 * and where they lie. What lies behind the end of the file is left out.
 */
export class Samples {
  /** Units of the medium's time scale that the samples last. */
  units = 0
  /** A sample lies behind the end of the file. */
  truncated = false
  readonly #fileSize: number
  #sizes: Uint32Array<ArrayBuffer> = new Uint32Array(1024)
  #count = 0
  #places: Float64Array<ArrayBuffer> = new Float64Array(256)
  #placed = 0
  #seen = 0
  #bytes = 0

  constructor(fileSize: number) {
    this.#fileSize = fileSize
  }

  /** Where they lie side by side in the file: an offset, so many bytes, an offset, so many bytes … */
  get places(): Float64Array {
    return this.#places.subarray(0, this.#placed)
  }

  get sizes(): Uint32Array {
    return this.#sizes.subarray(0, this.#count)
  }

  /** Adds a sample; what it is read from is named in the error when there are too many. */
  add(atom: string, offset: number, size: number): void {
    if (++this.#seen > MAX_SAMPLES) throw broken(atom, `claims over ${MAX_SAMPLES} samples`)
    if (size > MAX_SAMPLE) throw broken(atom, `claims a sample of ${size} bytes`)
    if (offset + size > this.#fileSize) {
      this.truncated = true
      return
    }
    if (size === 0) return
    this.#bytes += size
    // Samples may be used twice, but a small file must not become a large one.
    if (this.#bytes > 2 * this.#fileSize + MAX_SAMPLE) {
      throw broken(atom, `claims over ${this.#bytes} bytes of samples in ${this.#fileSize}`)
    }
    if (this.#count === this.#sizes.length) {
      const larger = new Uint32Array(2 * this.#count)
      larger.set(this.#sizes)
      this.#sizes = larger
    }
    this.#sizes[this.#count++] = size
    this.#place(atom, offset, size)
  }

  #place(atom: string, offset: number, size: number): void {
    const last = this.#placed - 2
    if (last >= 0 && this.#places[last]! + this.#places[last + 1]! === offset) {
      this.#places[last + 1]! += size
      return
    }
    if (last >= 2 * MOST_PLACES) throw broken(atom, `has samples in over ${MOST_PLACES} places`)
    if (this.#placed === this.#places.length) {
      const larger = new Float64Array(2 * this.#placed)
      larger.set(this.#places)
      this.#places = larger
    }
    this.#places[this.#placed++] = offset
    this.#places[this.#placed++] = size
  }

  /** Adds sound that can be cut anywhere. */
  addPieces(offset: number, bytes: number): void {
    const end = Math.min(offset + bytes, this.#fileSize)
    for (let at = offset; at < end; at += PIECE) this.add('stsz', at, Math.min(PIECE, end - at))
    this.truncated ||= end < offset + bytes
  }
}

/** The tables of a track that say where its samples are. */
export interface SampleTables {
  sizes?: DataView
  offsets?: { table: DataView; bytes: 4 | 8 }
  groups?: DataView
  times?: DataView
}

/**
 * Adds the samples that the tables of a moov list.
 *
 * @param frame bytes of a frame of PCM, whose samples are handed on in larger pieces; 0 for what is coded
 */
export function addTableSamples(samples: Samples, tables: SampleTables, frame: number): void {
  const { sizes, offsets, groups, times } = tables
  if (times) samples.units += unitsOf(times)
  if (!sizes || !offsets) return
  const fixed = sizes.getUint32(4)
  const count = sizes.getUint32(8)
  const chunks = entries(offsets.bytes === 8 ? 'co64' : 'stco', offsets.table, 4, 8, offsets.bytes)
  const groupCount = groups ? entries('stsc', groups, 4, 8, 12) : 0
  let group = -1
  let next = 0
  for (let chunk = 0; chunk < chunks && next < count; chunk++) {
    while (group + 1 < groupCount && groups!.getUint32(8 + 12 * (group + 1)) <= chunk + 1) group++
    const stated = group < 0 ? 1 : groups!.getUint32(12 + 12 * group)
    // The last chunk has all that are left.
    const end = chunk === chunks - 1 ? count : Math.min(count, next + stated)
    let offset = chunkOffset(offsets.table, 8 + chunk * offsets.bytes, offsets.bytes)
    if (fixed > 0 && frame > 0) {
      samples.addPieces(offset, (end - next) * Math.max(fixed, frame))
      next = end
    }
    for (; next < end; next++) {
      const size = fixed || sizes.getUint32(12 + 4 * next)
      samples.add('stsz', offset, size)
      offset += size
    }
  }
}

function unitsOf(times: DataView): number {
  const count = entries('stts', times, 4, 8, 8)
  let units = 0
  for (let i = 0; i < count; i++) units += times.getUint32(8 + 8 * i) * times.getUint32(12 + 8 * i)
  return units
}

/** What holds for all fragments of a track unless they say otherwise (trex). */
export interface FragmentDefaults {
  track: number
  duration: number
  size: number
}

/** Adds the samples of a track that a fragment has: the body of a moof at `position` of the file. */
export function addFragmentSamples(
  samples: Samples,
  moof: DataView,
  position: number,
  defaults: FragmentDefaults,
): void {
  let end = position
  for (const traf of children(moof, 'traf')) {
    let base = end
    let { size, duration } = defaults
    let ours = false
    let offset: number | undefined
    for (const { type, body } of atomsIn(traf)) {
      if (type === 'tfhd') {
        need(type, body, 8)
        const flags = body.getUint32(0)
        ours = body.getUint32(4) === defaults.track
        let at = 8
        const field = (flag: number, width: number) => {
          if ((flags & flag) === 0) return undefined
          need(type, body, at + width)
          at += width
          return at - width
        }
        const stated = field(1, 8)
        if (stated !== undefined) base = chunkOffset(body, stated, 8)
        else if ((flags & 0x20000) !== 0) base = position
        field(2, 4)
        const lasting = field(8, 4)
        if (lasting !== undefined) duration = body.getUint32(lasting)
        const large = field(0x10, 4)
        if (large !== undefined) size = body.getUint32(large)
        offset = base
      } else if (type === 'trun' && offset !== undefined) {
        offset = addRun(ours ? samples : undefined, body, { base, offset, size, duration })
        end = offset
      }
    }
  }
}

function addRun(
  samples: Samples | undefined,
  body: DataView,
  {
    base,
    offset,
    size,
    duration,
  }: { base: number; offset: number; size: number; duration: number },
): number {
  const flags = body.getUint32(0)
  const count = body.getUint32(4)
  let at = 8
  let place = offset
  if (flags & 1) {
    place = base + body.getInt32(at)
    at += 4
  }
  if (flags & 4) at += 4
  if (!samples && (flags & 0x200) === 0) return place + count * size
  for (let i = 0; i < count; i++) {
    const lasts = flags & 0x100 ? body.getUint32(at) : duration
    if (flags & 0x100) at += 4
    const bytes = flags & 0x200 ? body.getUint32(at) : size
    if (flags & 0x200) at += 4
    if (flags & 0x400) at += 4
    if (flags & 0x800) at += 4
    if (samples) {
      if (place < 0) throw broken('trun', `has a sample at ${place}`)
      samples.add('trun', place, bytes)
      samples.units += lasts
    }
    place += bytes
  }
  return place
}

function* children(view: DataView, wanted: string): Generator<DataView> {
  for (const { type, body } of atomsIn(view)) if (type === wanted) yield body
}

/** The atoms of a list, up to the first that does not fit in it. */
export function* atomsIn(
  view: DataView,
  start = 0,
): Generator<{ type: string; body: DataView; end: number }> {
  for (let at = start; at + 8 <= view.byteLength; ) {
    let size = view.getUint32(at)
    let head = 8
    if (size === 0) size = view.byteLength - at
    else if (size === 1 && at + 16 <= view.byteLength) {
      size = view.getUint32(at + 8) * 2 ** 32 + view.getUint32(at + 12)
      head = 16
    }
    if (size < head || at + size > view.byteLength) return
    const type = typeAt(view, at + 4)
    const body = new DataView(view.buffer, view.byteOffset + at + head, size - head)
    at += size
    yield { type, body, end: at }
  }
}
