export class OutOfBits extends Error {}

/** Thrown when the bits are no FLAC. */
export class Damaged extends Error {}

/** Reads numbers of any width from bytes, the highest bit first. */
export class BitReader {
  /** Bytes after the end that must be readable; their values do not matter. */
  static readonly MARGIN = 8

  #bytes: Uint8Array = new Uint8Array(BitReader.MARGIN)
  /** In bits. */
  #at = 0
  #end = 0

  /** Continues at byte `from`, up to before byte `to`. */
  open(bytes: Uint8Array, from: number, to: number): void {
    this.#bytes = bytes
    this.#at = 8 * from
    this.#end = 8 * to
  }

  /** The byte that holds the next bit. */
  get position(): number {
    return this.#at >>> 3
  }

  /** Moves to the next start of a byte, unless it is at one. */
  align(): void {
    this.#at = (this.#at + 7) & ~7
  }

  /** A number of 1 to 32 bits. */
  unsigned(width: number): number {
    const value = word(this.#bytes, this.#at) >>> (32 - width)
    this.#pass(width)
    return value
  }

  /** A two's complement number of 1 to 33 bits. */
  signed(width: number): number {
    if (width > 32) {
      const high = this.signed(width - 32)
      return high * 2 ** 32 + this.unsigned(32)
    }
    const value = word(this.#bytes, this.#at) >> (32 - width)
    this.#pass(width)
    return value
  }

  /** The number of zeros before the next one; reads the one too. */
  unary(): number {
    let zeros = 0
    for (;;) {
      const run = Math.clz32(word(this.#bytes, this.#at))
      if (run < 32) {
        this.#pass(run + 1)
        return zeros + run
      }
      this.#pass(32)
      zeros += 32
    }
  }

  /**
   * Signed numbers in Rice's code (RFC 9639, 9.2.7.3): the quotient in unary, then the remainder.
   *
   * @param parameter bits of the remainder, 0…30
   * @throws Damaged when a number needs more than 32 bits
   */
  rice(out: Float64Array, from: number, to: number, parameter: number): void {
    const bytes = this.#bytes
    const rest = 32 - parameter
    let at = this.#at
    for (let i = from; i < to; i++) {
      const next = word(bytes, at)
      const quotient = Math.clz32(next)
      const length = quotient + 1 + parameter
      if (length <= 32) {
        // A shift by 32 bits does nothing.
        const remainder = parameter === 0 ? 0 : (next << (quotient + 1)) >>> rest
        out[i] = unfolded((quotient << parameter) | remainder)
        at += length
      } else {
        this.#at = at
        const high = this.unary() * 2 ** parameter
        const value = high + (parameter === 0 ? 0 : this.unsigned(parameter))
        if (value >= 2 ** 32) throw new Damaged()
        out[i] = unfolded(value)
        at = this.#at
      }
      if (at > this.#end) throw new OutOfBits()
    }
    this.#at = at
  }

  #pass(width: number): void {
    this.#at += width
    if (this.#at > this.#end) throw new OutOfBits()
  }
}

/** 0, 1, 2, 3, 4 … stand for 0, −1, 1, −2, 2 … */
function unfolded(value: number): number {
  return (value >>> 1) ^ -(value & 1)
}

/** The 32 bits from bit `at` on. */
function word(bytes: Uint8Array, at: number): number {
  const first = at >>> 3
  const shift = at & 7
  const four =
    (bytes[first]! << 24) | (bytes[first + 1]! << 16) | (bytes[first + 2]! << 8) | bytes[first + 3]!
  return (four << shift) | (bytes[first + 4]! >> (8 - shift))
}
