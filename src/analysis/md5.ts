/** Bytes of a block, and of the length that ends the last one. */
const BLOCK = 64
const LENGTH = 8

const SINES = Int32Array.from({ length: 64 }, (_, i) => 2 ** 32 * Math.abs(Math.sin(i + 1)))

/**
 * MD5 of bytes that stream by (RFC 1321), the same wherever it runs. Browsers have none, and a package
 * for it takes four times as long, a tenth of the whole analysis.
 */
export class Md5 {
  readonly #state = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476)
  readonly #block = new Uint8Array(BLOCK)
  readonly #view = new DataView(this.#block.buffer)
  readonly #words = new Int32Array(BLOCK / 4)
  /** Bytes received. */
  #length = 0

  update(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; ) {
      const held = this.#length % BLOCK
      const count = Math.min(BLOCK - held, bytes.length - from)
      this.#block.set(bytes.subarray(from, from + count), held)
      from += count
      this.#length += count
      if (held + count === BLOCK) this.#pass()
    }
  }

  /** Ends the stream. */
  hex(): string {
    const bits = 8 * this.#length
    const held = this.#length % BLOCK
    const rest = held < BLOCK - LENGTH ? BLOCK - LENGTH - held : 2 * BLOCK - LENGTH - held
    this.update(Uint8Array.from({ length: rest }, (_, i) => (i === 0 ? 0x80 : 0)))
    const end = new DataView(new ArrayBuffer(LENGTH))
    end.setUint32(0, bits, true)
    end.setUint32(4, Math.floor(bits / 2 ** 32), true)
    this.update(new Uint8Array(end.buffer))
    const digest = new DataView(new ArrayBuffer(16))
    for (const [i, word] of this.#state.entries()) digest.setInt32(4 * i, word, true)
    return Array.from(new Uint8Array(digest.buffer), (byte) =>
      byte.toString(16).padStart(2, '0'),
    ).join('')
  }

  #pass(): void {
    const words = this.#words
    const view = this.#view
    for (let i = 0; i < words.length; i++) words[i] = view.getInt32(4 * i, true)
    mix(this.#state, words)
  }
}

/** The four rounds; each step's word is counted on in steps of 1, 5, 3 and 7. */
function mix(state: Int32Array, words: Int32Array): void {
  const s = SINES
  const w = words
  let a = state[0]!
  let b = state[1]!
  let c = state[2]!
  let d = state[3]!
  for (let i = 0; i < 16; i += 4) {
    a = (turned(a + (d ^ (b & (c ^ d))) + s[i]! + w[i]!, 7) + b) | 0
    d = (turned(d + (c ^ (a & (b ^ c))) + s[i + 1]! + w[i + 1]!, 12) + a) | 0
    c = (turned(c + (b ^ (d & (a ^ b))) + s[i + 2]! + w[i + 2]!, 17) + d) | 0
    b = (turned(b + (a ^ (c & (d ^ a))) + s[i + 3]! + w[i + 3]!, 22) + c) | 0
  }
  for (let i = 16, j = 1; i < 32; i += 4, j += 20) {
    a = (turned(a + (c ^ (d & (b ^ c))) + s[i]! + w[j & 15]!, 5) + b) | 0
    d = (turned(d + (b ^ (c & (a ^ b))) + s[i + 1]! + w[(j + 5) & 15]!, 9) + a) | 0
    c = (turned(c + (a ^ (b & (d ^ a))) + s[i + 2]! + w[(j + 10) & 15]!, 14) + d) | 0
    b = (turned(b + (d ^ (a & (c ^ d))) + s[i + 3]! + w[(j + 15) & 15]!, 20) + c) | 0
  }
  for (let i = 32, j = 5; i < 48; i += 4, j += 12) {
    a = (turned(a + (b ^ c ^ d) + s[i]! + w[j & 15]!, 4) + b) | 0
    d = (turned(d + (a ^ b ^ c) + s[i + 1]! + w[(j + 3) & 15]!, 11) + a) | 0
    c = (turned(c + (d ^ a ^ b) + s[i + 2]! + w[(j + 6) & 15]!, 16) + d) | 0
    b = (turned(b + (c ^ d ^ a) + s[i + 3]! + w[(j + 9) & 15]!, 23) + c) | 0
  }
  for (let i = 48, j = 0; i < 64; i += 4, j += 28) {
    a = (turned(a + (c ^ (b | ~d)) + s[i]! + w[j & 15]!, 6) + b) | 0
    d = (turned(d + (b ^ (a | ~c)) + s[i + 1]! + w[(j + 7) & 15]!, 10) + a) | 0
    c = (turned(c + (a ^ (d | ~b)) + s[i + 2]! + w[(j + 14) & 15]!, 15) + d) | 0
    b = (turned(b + (d ^ (c | ~a)) + s[i + 3]! + w[(j + 21) & 15]!, 21) + c) | 0
  }
  state[0] = state[0]! + a
  state[1] = state[1]! + b
  state[2] = state[2]! + c
  state[3] = state[3]! + d
}

/** The lowest 32 bits, turned to the left. */
function turned(value: number, bits: number): number {
  return (value << bits) | ((value | 0) >>> (32 - bits))
}
