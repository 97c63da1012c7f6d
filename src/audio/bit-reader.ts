export class OutOfBitsError extends Error {}

export class DamagedBitsError extends Error {}

export class BitReader {
  /** Bytes after the end that must be readable; their values do not matter. */
  static readonly MARGIN = 8

  #bytes: Uint8Array = new Uint8Array(BitReader.MARGIN)
  #bitOffset = 0
  #bitEnd = 0

  /** Continues at byte `start`, up to before byte `end`. */
  openBytes(bytes: Uint8Array, start: number, end: number): void {
    this.#bytes = bytes
    this.#bitOffset = 8 * start
    this.#bitEnd = 8 * end
  }

  get bytePosition(): number {
    return this.#bitOffset >>> 3
  }

  /** Moves to the next start of a byte. */
  alignToByte(): void {
    this.#bitOffset = (this.#bitOffset + 7) & ~7
  }

  readUnsigned(width: number): number {
    const value = readWord(this.#bytes, this.#bitOffset) >>> (32 - width)
    this.#passBits(width)
    return value
  }

  /** A two's complement number of 1 to 33 bits. */
  readSigned(width: number): number {
    if (width > 32) {
      const high = this.readSigned(width - 32)
      return high * 2 ** 32 + this.readUnsigned(32)
    }
    const value = readWord(this.#bytes, this.#bitOffset) >> (32 - width)
    this.#passBits(width)
    return value
  }

  /** Zeros before the next one, which is read too. */
  readUnary(): number {
    let zeros = 0
    for (;;) {
      const run = Math.clz32(readWord(this.#bytes, this.#bitOffset))
      if (run < 32) {
        this.#passBits(run + 1)
        return zeros + run
      }
      this.#passBits(32)
      zeros += 32
    }
  }

  /** Signed numbers in Rice's code (RFC 9639, 9.2.7.3), with the bits of the remainder. */
  readRice(out: Float64Array, start: number, end: number, parameter: number): void {
    const bytes = this.#bytes
    const shift = 32 - parameter
    let offset = this.#bitOffset
    for (let i = start; i < end; i++) {
      const next = readWord(bytes, offset)
      const quotient = Math.clz32(next)
      const length = quotient + 1 + parameter
      if (length <= 32) {
        // A shift by 32 bits does nothing.
        const remainder = parameter === 0 ? 0 : (next << (quotient + 1)) >>> shift
        out[i] = unfoldSign((quotient << parameter) | remainder)
        offset += length
      } else {
        this.#bitOffset = offset
        const high = this.readUnary() * 2 ** parameter
        const value = high + (parameter === 0 ? 0 : this.readUnsigned(parameter))
        if (value >= 2 ** 32) throw new DamagedBitsError()
        out[i] = unfoldSign(value)
        offset = this.#bitOffset
      }
      if (offset > this.#bitEnd) throw new OutOfBitsError()
    }
    this.#bitOffset = offset
  }

  #passBits(width: number): void {
    this.#bitOffset += width
    if (this.#bitOffset > this.#bitEnd) throw new OutOfBitsError()
  }
}

/** 0, 1, 2, 3, 4 … stand for 0, −1, 1, −2, 2 … */
function unfoldSign(value: number): number {
  return (value >>> 1) ^ -(value & 1)
}

function readWord(bytes: Uint8Array, bitOffset: number): number {
  const first = bitOffset >>> 3
  const shift = bitOffset & 7
  const four =
    (bytes[first]! << 24) | (bytes[first + 1]! << 16) | (bytes[first + 2]! << 8) | bytes[first + 3]!
  return (four << shift) | (bytes[first + 4]! >> (8 - shift))
}
