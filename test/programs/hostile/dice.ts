/** Chance that is the same in every run with one seed. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 0
  }

  /** 0 ≤ x < 1. */
  unit(): number {
    // mulberry32
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from `from` up to (not including) `to`. */
  between(from: number, to: number): number {
    return from + Math.floor(this.unit() * Math.max(1, to - from))
  }

  pick<T>(list: readonly T[]): T {
    const one = list[this.between(0, list.length)]
    if (one === undefined) throw new Error('nothing to pick from')
    return one
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.between(0, 256)))
  }
}
