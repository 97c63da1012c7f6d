/** A part of a file that lies outside of it, or cannot be what it must be. */
export class DamagedFile extends Error {}

/** The most entries of a list. */
const MAX_ENTRIES = 1 << 22

/**
 * A table of a file in the FlatBuffers encoding. Each read checks that it stays inside the file, and
 * nothing is copied.
 */
export class FlatTable {
  readonly #view: DataView
  readonly #start: number
  readonly #fields: number
  readonly #fieldBytes: number

  /** The table that a file begins with. */
  static rootOf(bytes: Uint8Array): FlatTable {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    return new FlatTable(view, unsigned(view, 0))
  }

  private constructor(view: DataView, start: number) {
    requireInside(view, start, 4)
    const fields = start - view.getInt32(start, true)
    requireInside(view, fields, 4)
    const fieldBytes = view.getUint16(fields, true)
    requireInside(view, fields, Math.max(4, fieldBytes))
    this.#view = view
    this.#start = start
    this.#fields = fields
    this.#fieldBytes = fieldBytes
  }

  byte(field: number, absent = 0): number {
    return this.#number(field, 1, absent, (place) => this.#view.getInt8(place))
  }

  int(field: number, absent = 0): number {
    return this.#number(field, 4, absent, (place) => this.#view.getInt32(place, true))
  }

  /** The table of a field; `undefined` without one. */
  table(field: number): FlatTable | undefined {
    const place = this.#placeOf(field, 4)
    return place === undefined ? undefined : new FlatTable(this.#view, this.#target(place))
  }

  tables(field: number): FlatTable[] {
    const { place, count } = this.#list(field, 4)
    return Array.from(
      { length: count },
      (_, i) => new FlatTable(this.#view, this.#target(place + 4 * i)),
    )
  }

  ints(field: number): number[] {
    return this.#numbers(field, 4, (place) => this.#view.getInt32(place, true))
  }

  floats(field: number): number[] {
    return this.#numbers(field, 4, (place) => this.#view.getFloat32(place, true))
  }

  /** Whether every whole number of 64 bits of a list is 0. */
  isZero(field: number): boolean {
    return this.#numbers(field, 8, (place) => Number(this.#view.getBigInt64(place, true))).every(
      (value) => value === 0,
    )
  }

  bytes(field: number): Uint8Array {
    const { place, count } = this.#list(field, 1)
    return new Uint8Array(this.#view.buffer, this.#view.byteOffset + place, count)
  }

  #numbers(field: number, size: number, read: (place: number) => number): number[] {
    const { place, count } = this.#list(field, size)
    return Array.from({ length: count }, (_, i) => read(place + size * i))
  }

  #number(field: number, size: number, absent: number, read: (place: number) => number): number {
    const place = this.#placeOf(field, size)
    return place === undefined ? absent : read(place)
  }

  #list(field: number, size: number): { place: number; count: number } {
    const place = this.#placeOf(field, 4)
    if (place === undefined) return { place: 0, count: 0 }
    const start = this.#target(place)
    const count = unsigned(this.#view, start)
    if (count > MAX_ENTRIES) throw new DamagedFile(`a list of ${count} entries`)
    requireInside(this.#view, start + 4, size * count)
    return { place: start + 4, count }
  }

  #target(place: number): number {
    return place + unsigned(this.#view, place)
  }

  #placeOf(field: number, size: number): number | undefined {
    const entry = 4 + 2 * field
    if (entry + 2 > this.#fieldBytes) return undefined
    const offset = this.#view.getUint16(this.#fields + entry, true)
    if (offset === 0) return undefined
    requireInside(this.#view, this.#start + offset, size)
    return this.#start + offset
  }
}

function unsigned(view: DataView, place: number): number {
  requireInside(view, place, 4)
  return view.getUint32(place, true)
}

function requireInside(view: DataView, place: number, size: number): void {
  if (place >= 0 && place + size <= view.byteLength) return
  throw new DamagedFile(`a part at byte ${place}, outside of its ${view.byteLength} bytes`)
}
