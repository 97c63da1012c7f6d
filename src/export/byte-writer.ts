/** Numbers of several bytes are big-endian. */
export class ByteWriter {
  readonly #bytes: number[] = []

  writeBytes(...values: readonly number[]): this {
    for (const value of values) this.#bytes.push(value & 0xff)
    return this
  }

  appendBytes(values: Uint8Array): this {
    for (const value of values) this.#bytes.push(value)
    return this
  }

  /** In UTF-8. */
  writeText(text: string): this {
    return this.appendBytes(new TextEncoder().encode(text))
  }

  writeUint32(value: number): this {
    return this.writeBytes(value >>> 24, value >>> 16, value >>> 8, value)
  }

  writeFloat32(value: number): this {
    const view = new DataView(new ArrayBuffer(4))
    view.setFloat32(0, value)
    return this.appendBytes(new Uint8Array(view.buffer))
  }

  get length(): number {
    return this.#bytes.length
  }

  toBytes(): Uint8Array {
    return Uint8Array.from(this.#bytes)
  }
}
