/** Bytes that are written one after another, big-endian where a number has several. */
export class ByteWriter {
  readonly #bytes: number[] = []

  bytes(...values: readonly number[]): this {
    for (const value of values) this.#bytes.push(value & 0xff)
    return this
  }

  append(values: Uint8Array): this {
    for (const value of values) this.#bytes.push(value)
    return this
  }

  /** Text in UTF-8. */
  text(text: string): this {
    return this.append(new TextEncoder().encode(text))
  }

  uint32(value: number): this {
    return this.bytes(value >>> 24, value >>> 16, value >>> 8, value)
  }

  float32(value: number): this {
    const view = new DataView(new ArrayBuffer(4))
    view.setFloat32(0, value)
    return this.append(new Uint8Array(view.buffer))
  }

  get length(): number {
    return this.#bytes.length
  }

  finish(): Uint8Array {
    return Uint8Array.from(this.#bytes)
  }
}
