import { atomsIn, brokenAtom, byteAt, checkEntries, longAt, requireBytes } from './mp4-atoms.ts'
import { grown } from './samples.ts'

/** The largest sample (one frame of a codec), bytes. */
const MAX_SAMPLE_BYTES = 4_194_304
const MAX_SAMPLES = 16_777_216
/** A file has millions of samples of some bytes each. */
const PCM_PIECE_BYTES = 65_536
/** 12 h of AAC have as many, if no two frames lie side by side. */
const MAX_SAMPLE_PLACES = 2_097_152

/** From the tables of the moov and from fragments; those after the end of the file are left out. */
export class TrackSamples {
  units = 0
  /** A sample lies after the end of the file. */
  truncated = false
  #sizes: Uint32Array<ArrayBuffer> = new Uint32Array(1024)
  #count = 0
  #places: Float64Array<ArrayBuffer> = new Float64Array(256)
  #placeCount = 0
  #seenSamples = 0
  #bytes = 0

  constructor(private readonly fileSize: number) {}

  /** Neighbours joined: an offset, a length in bytes, an offset … */
  get places(): Float64Array {
    return this.#places.subarray(0, this.#placeCount)
  }

  get sizes(): Uint32Array {
    return this.#sizes.subarray(0, this.#count)
  }

  addSample(atom: string, offset: number, size: number): void {
    if (++this.#seenSamples > MAX_SAMPLES)
      throw brokenAtom(atom, `claims over ${MAX_SAMPLES} samples`)
    if (size > MAX_SAMPLE_BYTES) throw brokenAtom(atom, `claims a sample of ${size} bytes`)
    if (offset < 0) throw brokenAtom(atom, `has a sample at ${offset}`)
    if (offset + size > this.fileSize) {
      this.truncated = true
      return
    }
    if (size === 0) return
    this.#bytes += size
    // Samples may be used twice, but a small file must not become a large one.
    if (this.#bytes > 2 * this.fileSize + MAX_SAMPLE_BYTES) {
      throw brokenAtom(atom, `claims over ${this.#bytes} bytes of samples in ${this.fileSize}`)
    }
    if (this.#count === this.#sizes.length) this.#sizes = grown(this.#sizes)
    this.#sizes[this.#count++] = size
    this.#placeSample(atom, offset, size)
  }

  /** Adds PCM, which can be cut anywhere. */
  addPcm(offset: number, bytes: number): void {
    const end = Math.min(offset + bytes, this.fileSize)
    for (let position = offset; position < end; position += PCM_PIECE_BYTES) {
      this.addSample('stsz', position, Math.min(PCM_PIECE_BYTES, end - position))
    }
    this.truncated ||= end < offset + bytes
  }

  #placeSample(atom: string, offset: number, size: number): void {
    const last = this.#placeCount - 2
    if (last >= 0 && this.#places[last]! + this.#places[last + 1]! === offset) {
      this.#places[last + 1]! += size
      return
    }
    if (last >= 2 * MAX_SAMPLE_PLACES)
      throw brokenAtom(atom, `has samples in over ${MAX_SAMPLE_PLACES} places`)
    if (this.#placeCount === this.#places.length) this.#places = grown(this.#places)
    this.#places[this.#placeCount++] = offset
    this.#places[this.#placeCount++] = size
  }
}

export function addTableSamples(
  samples: TrackSamples,
  { stsz, stco, co64, stsc, stts }: Partial<Record<string, DataView>>,
  frame: number,
): void {
  if (stts) samples.units += sumUnits(stts)
  const table = stco ?? co64
  if (!stsz || !table) return
  requireBytes('stsz', stsz, 12)
  const fixedSize = stsz.getUint32(4)
  const count = fixedSize > 0 ? stsz.getUint32(8) : checkEntries('stsz', stsz, 8, 12, 4)
  const chunks = stco ? checkEntries('stco', stco, 4, 8, 4) : checkEntries('co64', table, 4, 8, 8)
  const perChunk = stsc ? samplesPerChunk(stsc) : () => 1
  let nextSample = 0
  for (let chunk = 0; chunk < chunks && nextSample < count; chunk++) {
    const statedCount = perChunk(chunk)
    // The last chunk has all the remaining samples.
    const end = chunk === chunks - 1 ? count : Math.min(count, nextSample + statedCount)
    let offset = stco ? stco.getUint32(8 + 4 * chunk) : longAt(table, 8 + 8 * chunk)
    if (fixedSize > 0 && frame > 0) {
      samples.addPcm(offset, (end - nextSample) * Math.max(fixedSize, frame))
      nextSample = end
    }
    for (; nextSample < end; nextSample++) {
      const size = fixedSize || stsz.getUint32(12 + 4 * nextSample)
      samples.addSample('stsz', offset, size)
      offset += size
    }
  }
}

/** Call the returned function for each chunk in order, from 0 on. */
function samplesPerChunk(groups: DataView): (chunk: number) => number {
  const count = checkEntries('stsc', groups, 4, 8, 12)
  let group = -1
  return (chunk) => {
    while (group + 1 < count && groups.getUint32(8 + 12 * (group + 1)) <= chunk + 1) group++
    return group < 0 ? 1 : groups.getUint32(12 + 12 * group)
  }
}

function sumUnits(times: DataView): number {
  const count = checkEntries('stts', times, 4, 8, 8)
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

/** `position` is where the moof stands in the file. */
export function addFragmentSamples(
  samples: TrackSamples,
  moof: DataView,
  position: number,
  defaults: FragmentDefaults,
): void {
  let end = position
  for (const { type: list, body: traf } of atomsIn(moof)) {
    if (list !== 'traf') continue
    let run: FragmentRun | undefined
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
interface FragmentRun extends FragmentDefaults {
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
): FragmentRun {
  requireBytes('tfhd', body, 8)
  const flags = body.getUint32(0)
  let offset = 8
  const readField = (flag: number, width: number) => {
    if ((flags & flag) === 0) return undefined
    requireBytes('tfhd', body, offset + width)
    offset += width
    return offset - width
  }
  const stated = readField(1, 8)
  const base = stated !== undefined ? longAt(body, stated) : flags & 0x20000 ? position : end
  readField(2, 4)
  const duration = readField(8, 4)
  const size = readField(0x10, 4)
  return {
    track: body.getUint32(4),
    duration: duration === undefined ? defaults.duration : body.getUint32(duration),
    size: size === undefined ? defaults.size : body.getUint32(size),
    base,
    offset: base,
  }
}

/** Where `samples` is undefined, only finds the end of the run. */
function addRun(samples: TrackSamples | undefined, body: DataView, run: FragmentRun): number {
  requireBytes('trun', body, 8)
  const flags = body.getUint32(0)
  const count = body.getUint32(4)
  const start = 8 + (flags & 1 ? 4 : 0) + (flags & 4 ? 4 : 0)
  const width = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length * 4
  if (width > 0) checkEntries('trun', body, 4, start, width)
  else requireBytes('trun', body, start)
  let place = flags & 1 ? run.base + body.getInt32(8) : run.offset
  if (!samples && (flags & 0x200) === 0) return place + count * run.size
  for (let i = 0, offset = start; i < count; i++, offset += width) {
    const size = flags & 0x200 ? body.getUint32(offset + (flags & 0x100 ? 4 : 0)) : run.size
    samples?.addSample('trun', place, size)
    if (samples) samples.units += flags & 0x100 ? body.getUint32(offset) : run.duration
    place += size
  }
  return place
}

/** A part of the medium that an edit list presents. */
export interface PresentedEdit {
  /** Units of the movie's time scale; 0: up to the end of the medium. */
  duration: number
  /** Units of the medium's time scale. */
  start: number
}

/** The parts of the medium that an edit list (elst) presents, without pauses. */
export function readEdits(body: DataView): PresentedEdit[] {
  const isLong = byteAt(body, 0) === 1
  const width = isLong ? 20 : 12
  const count = checkEntries('elst', body, 4, 8, width)
  const edits: PresentedEdit[] = []
  for (let i = 0; i < count; i++) {
    const offset = 8 + i * width
    const duration = isLong ? longAt(body, offset) : body.getUint32(offset)
    const start = isLong ? Number(body.getBigInt64(offset + 8)) : body.getInt32(offset + 4)
    // −1: a pause of this duration.
    if (start >= 0) edits.push({ duration, start })
  }
  return edits
}

/** Undefined unless the edits follow each other in the medium. */
export function joinEdits(
  edits: readonly PresentedEdit[],
  toMedia: number,
): PresentedEdit | undefined {
  const [first, ...laterEdits] = edits
  if (!first) return undefined
  let { duration } = first
  for (const { start, duration: more } of laterEdits) {
    // Writers round to units of the movie.
    const end = first.start + duration * toMedia
    if (duration === 0 || Math.abs(start - end) > 2 * toMedia + 1) return undefined
    duration = more === 0 ? 0 : duration + more
  }
  return { start: first.start, duration }
}
