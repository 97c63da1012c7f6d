import { atomsIn, broken, byteAt, entries, longAt, need } from './mp4-atoms.ts'
import { grown } from './samples.ts'

/** The largest sample (one frame of a codec), bytes. */
const MAX_SAMPLE = 4_194_304
const MAX_SAMPLES = 16_777_216
/** Bytes of PCM that are passed on as one sample: a file has millions of samples of some bytes each. */
const PCM_PIECE = 65_536
/** Most places where samples lie. 12 h of AAC have as many, if no two frames lie side by side. */
const MOST_PLACES = 2_097_152

/**
 * The samples of a track in order, from the tables of its moov and from its fragments. Samples
 * after the end of the file are left out.
 */
export class Samples {
  /** How long the samples last, in units of the medium's time scale. */
  units = 0
  /** A sample lies after the end of the file. */
  truncated = false
  #sizes: Uint32Array<ArrayBuffer> = new Uint32Array(1024)
  #count = 0
  #places: Float64Array<ArrayBuffer> = new Float64Array(256)
  #placed = 0
  #seen = 0
  #bytes = 0

  constructor(private readonly fileSize: number) {}

  /** Where they lie, neighbours joined: an offset, a length in bytes, an offset, a length … */
  get places(): Float64Array {
    return this.#places.subarray(0, this.#placed)
  }

  get sizes(): Uint32Array {
    return this.#sizes.subarray(0, this.#count)
  }

  /** @param atom where the sample is listed, for errors */
  add(atom: string, offset: number, size: number): void {
    if (++this.#seen > MAX_SAMPLES) throw broken(atom, `claims over ${MAX_SAMPLES} samples`)
    if (size > MAX_SAMPLE) throw broken(atom, `claims a sample of ${size} bytes`)
    if (offset < 0) throw broken(atom, `has a sample at ${offset}`)
    if (offset + size > this.fileSize) {
      this.truncated = true
      return
    }
    if (size === 0) return
    this.#bytes += size
    // Samples may be used twice, but a small file must not become a large one.
    if (this.#bytes > 2 * this.fileSize + MAX_SAMPLE) {
      throw broken(atom, `claims over ${this.#bytes} bytes of samples in ${this.fileSize}`)
    }
    if (this.#count === this.#sizes.length) this.#sizes = grown(this.#sizes)
    this.#sizes[this.#count++] = size
    this.#place(atom, offset, size)
  }

  /** Adds PCM, which can be cut anywhere. */
  addPcm(offset: number, bytes: number): void {
    const end = Math.min(offset + bytes, this.fileSize)
    for (let at = offset; at < end; at += PCM_PIECE) {
      this.add('stsz', at, Math.min(PCM_PIECE, end - at))
    }
    this.truncated ||= end < offset + bytes
  }

  #place(atom: string, offset: number, size: number): void {
    const last = this.#placed - 2
    if (last >= 0 && this.#places[last]! + this.#places[last + 1]! === offset) {
      this.#places[last + 1]! += size
      return
    }
    if (last >= 2 * MOST_PLACES) throw broken(atom, `has samples in over ${MOST_PLACES} places`)
    if (this.#placed === this.#places.length) this.#places = grown(this.#places)
    this.#places[this.#placed++] = offset
    this.#places[this.#placed++] = size
  }
}

/**
 * Adds the samples that the tables of a moov list.
 *
 * @param frame bytes of a frame of PCM; 0 for coded sound
 */
export function addTableSamples(
  samples: Samples,
  { stsz, stco, co64, stsc, stts }: Partial<Record<string, DataView>>,
  frame: number,
): void {
  if (stts) samples.units += unitsOf(stts)
  const table = stco ?? co64
  if (!stsz || !table) return
  need('stsz', stsz, 12)
  const fixed = stsz.getUint32(4)
  const count = fixed > 0 ? stsz.getUint32(8) : entries('stsz', stsz, 8, 12, 4)
  const chunks = stco ? entries('stco', stco, 4, 8, 4) : entries('co64', table, 4, 8, 8)
  const perChunk = stsc ? samplesPerChunk(stsc) : () => 1
  let next = 0
  for (let chunk = 0; chunk < chunks && next < count; chunk++) {
    const stated = perChunk(chunk)
    // The last chunk has all the remaining samples.
    const end = chunk === chunks - 1 ? count : Math.min(count, next + stated)
    let offset = stco ? stco.getUint32(8 + 4 * chunk) : longAt(table, 8 + 8 * chunk)
    if (fixed > 0 && frame > 0) {
      samples.addPcm(offset, (end - next) * Math.max(fixed, frame))
      next = end
    }
    for (; next < end; next++) {
      const size = fixed || stsz.getUint32(12 + 4 * next)
      samples.add('stsz', offset, size)
      offset += size
    }
  }
}

/** Reads stsc. Call the returned function for each chunk in order, from 0 on. */
function samplesPerChunk(groups: DataView): (chunk: number) => number {
  const count = entries('stsc', groups, 4, 8, 12)
  let group = -1
  return (chunk) => {
    while (group + 1 < count && groups.getUint32(8 + 12 * (group + 1)) <= chunk + 1) group++
    return group < 0 ? 1 : groups.getUint32(12 + 12 * group)
  }
}

function unitsOf(times: DataView): number {
  const count = entries('stts', times, 4, 8, 8)
  let units = 0
  for (let i = 0; i < count; i++) units += times.getUint32(8 + 8 * i) * times.getUint32(12 + 8 * i)
  return units
}

/** The defaults for all fragments of a track (trex). */
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
  for (const { type: list, body: traf } of atomsIn(moof)) {
    if (list !== 'traf') continue
    let run: Run | undefined
    for (const { type, body } of atomsIn(traf)) {
      if (type === 'tfhd') run = readFragmentHead(body, position, end, defaults)
      else if (type === 'trun' && run) {
        end = addRun(run.track === defaults.track ? samples : undefined, body, run)
        run.offset = end
      }
    }
  }
}

/** The values for the runs of samples in a fragment of one track. */
interface Run extends FragmentDefaults {
  /** What the offsets of runs count from. */
  base: number
  /** Where a run without an offset starts. */
  offset: number
}

function readFragmentHead(
  body: DataView,
  position: number,
  end: number,
  defaults: FragmentDefaults,
): Run {
  need('tfhd', body, 8)
  const flags = body.getUint32(0)
  let at = 8
  const field = (flag: number, width: number) => {
    if ((flags & flag) === 0) return undefined
    need('tfhd', body, at + width)
    at += width
    return at - width
  }
  const stated = field(1, 8)
  const base = stated !== undefined ? longAt(body, stated) : flags & 0x20000 ? position : end
  field(2, 4)
  const duration = field(8, 4)
  const size = field(0x10, 4)
  return {
    track: body.getUint32(4),
    duration: duration === undefined ? defaults.duration : body.getUint32(duration),
    size: size === undefined ? defaults.size : body.getUint32(size),
    base,
    offset: base,
  }
}

/** Adds the samples of a run, or only finds its end where `samples` is undefined. @returns its end */
function addRun(samples: Samples | undefined, body: DataView, run: Run): number {
  need('trun', body, 8)
  const flags = body.getUint32(0)
  const count = body.getUint32(4)
  const start = 8 + (flags & 1 ? 4 : 0) + (flags & 4 ? 4 : 0)
  const width = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length * 4
  if (width > 0) entries('trun', body, 4, start, width)
  else need('trun', body, start)
  let place = flags & 1 ? run.base + body.getInt32(8) : run.offset
  if (!samples && (flags & 0x200) === 0) return place + count * run.size
  for (let i = 0, at = start; i < count; i++, at += width) {
    const size = flags & 0x200 ? body.getUint32(at + (flags & 0x100 ? 4 : 0)) : run.size
    samples?.add('trun', place, size)
    if (samples) samples.units += flags & 0x100 ? body.getUint32(at) : run.duration
    place += size
  }
  return place
}

/** A part of the medium that an edit list presents. */
export interface Edit {
  /** Units of the movie's time scale; 0: up to the end of the medium. */
  duration: number
  /** Units of the medium's time scale. */
  start: number
}

/** The parts of the medium that an edit list (elst) presents, without pauses. */
export function editsOf(body: DataView): Edit[] {
  const long = byteAt(body, 0) === 1
  const width = long ? 20 : 12
  const count = entries('elst', body, 4, 8, width)
  const edits: Edit[] = []
  for (let i = 0; i < count; i++) {
    const at = 8 + i * width
    const duration = long ? longAt(body, at) : body.getUint32(at)
    const start = long ? Number(body.getBigInt64(at + 8)) : body.getInt32(at + 4)
    // −1: a pause of this duration.
    if (start >= 0) edits.push({ duration, start })
  }
  return edits
}

/**
 * The edits as one; undefined unless they follow each other in the medium.
 *
 * @param toMedia units of the medium in a unit of the movie
 */
export function joinedEdit(edits: readonly Edit[], toMedia: number): Edit | undefined {
  const [first, ...rest] = edits
  if (!first) return undefined
  let { duration } = first
  for (const { start, duration: more } of rest) {
    // Writers round to units of the movie.
    const end = first.start + duration * toMedia
    if (duration === 0 || Math.abs(start - end) > 2 * toMedia + 1) return undefined
    duration = more === 0 ? 0 : duration + more
  }
  return { start: first.start, duration }
}
